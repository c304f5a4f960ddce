import type { Booking } from "#contract/coaching/coaching.ts";

type Said = Pick<Booking, "state" | "cancelledBy" | "isLate" | "isForgiven" | "counts">;

/** A sentence on the session's outcome, and whether it counts as used. */
export function bookingWords({ state, cancelledBy, isLate, isForgiven, counts }: Said): string {
  switch (state) {
    case "booked":
      return "Booked.";
    case "held":
      return "Held.";
    case "missed-by-coach":
      return "We missed it: you have it back, and one more.";
    case "missed-by-student":
      return isForgiven
        ? "You missed it. The first time in a year is forgiven: it does not count."
        : "You missed it, so it counts.";
    case "cancelled": {
      const who =
        cancelledBy === "student" ? "You cancelled it" : `${cancellers[cancelledBy ?? "system"]} cancelled it`;
      if (counts) return `${who} within 24 hours, so it counts.`;
      if (isLate && isForgiven)
        return `${who} within 24 hours. The first time in a year is forgiven: it does not count.`;
      return cancelledBy === "coach" ? `${who}: you have it back, and one more.` : `${who}. It does not count.`;
    }
  }
}

const cancellers = {
  student: "You",
  coach: "Your coach",
  administrator: "The academy",
  system: "A change of your access",
} as const;
