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
      return "We missed it. You get this session back, plus an extra one.";
    case "missed-by-student":
      return isForgiven
        ? "You missed it. It's the first time in a year, so it doesn't count."
        : "You missed it, so it counts as used.";
    case "cancelled": {
      const who =
        cancelledBy === "student" ? "You cancelled it" : `${cancellers[cancelledBy ?? "system"]} cancelled it`;
      if (counts) return `${who} less than 24 hours before it, so it counts as used.`;
      if (isLate && isForgiven)
        return `${who} less than 24 hours before it. It's the first time in a year, so it doesn't count.`;
      return cancelledBy === "coach"
        ? `${who}. You get this session back, plus an extra one.`
        : `${who}. It doesn't count.`;
    }
  }
}

const cancellers = {
  student: "You",
  coach: "Your coach",
  administrator: "The academy",
  system: "A change to your plan",
} as const;
