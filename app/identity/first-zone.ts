import { useEffect } from "react";
import { api } from "#app/api/api.ts";
import { setTimeZone } from "#contract/coaching/coaching.ts";
import { useCurrentUser } from "./current-user.ts";

const key = "zone-of";

/** Tells the server a student's time zone once per browser, for the hours of emails. One that they chose stays. */
export function useFirstZone(): void {
  const { user } = useCurrentUser();
  const studentId = user?.role === null && user.seenForSeconds === null ? user.id : null;
  useEffect(() => {
    if (!studentId) return;
    try {
      if (localStorage.getItem(key) === studentId) return;
      localStorage.setItem(key, studentId);
    } catch {
      return; // It would be sent with each page.
    }
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    api(setTimeZone, { body: { timeZone, isGuess: true } }).catch(() => null);
  }, [studentId]);
}
