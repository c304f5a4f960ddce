import { useMutation } from "@tanstack/react-query";
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { api } from "#app/api/api.ts";
import { href } from "#contract/addresses.ts";
import { type CurrentUser, stopSeeing } from "#contract/identity/identity.ts";
import { Button } from "#ui/controls/button.tsx";
import { fullNameOf } from "./current-user.ts";
import { toastFailure } from "./failure-toast.ts";

/**
 * Tells administrators on every page that they see the academy as a student.
 * @param endsAt milliseconds, by this browser's clock
 */
export default function SeenBar({ student, endsAt }: { student: CurrentUser; endsAt: number }) {
  const minutes = useMinutesUntil(endsAt, () => goBack(student));
  return (
    <div className="mx-auto flex max-w-(--measure) items-center justify-between gap-x-3 sm:gap-x-8">
      <p className="min-w-0 text-sm leading-snug [overflow-wrap:anywhere]">
        You’re seeing the academy as <strong>{fullNameOf(student)}</strong>,{" "}
        <span className="whitespace-nowrap">
          {minutes} {minutes === 1 ? "minute" : "minutes"} left
        </span>
      </p>
      <StopSeeing student={student} size="small">
        Stop
      </StopSeeing>
    </div>
  );
}

interface StopSeeingProps extends Pick<ComponentProps<typeof Button>, "size" | "children"> {
  student: CurrentUser;
}

/** Ends the view, and leads back to the student's page in the administration. */
export function StopSeeing({ student, ...rest }: StopSeeingProps) {
  const stop = useMutation({
    mutationFn: () => api(stopSeeing),
    onSuccess: () => goBack(student),
    onError: (error) => toastFailure("We couldn’t end the view", error, "Try again in a moment."),
  });
  const isPending = stop.isPending || stop.isSuccess;
  return <Button variant="outline" pending={isPending} onClick={() => stop.mutate()} {...rest} />;
}

function goBack(student: CurrentUser): void {
  window.location.assign(href.adminUser(student.id));
}

/** Rounded up. Calls `onEnd` when the time is over. */
function useMinutesUntil(endsAt: number, onEnd: () => void): number {
  const [now, setNow] = useState(Date.now);
  const handleEnd = useRef(onEnd);
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
      if (Date.now() < endsAt) return;
      // A second call would begin the navigation anew.
      clearInterval(timer);
      handleEnd.current();
    }, 1000);
    return () => clearInterval(timer);
  }, [endsAt]);
  return Math.max(1, Math.ceil((endsAt - now) / 60_000));
}
