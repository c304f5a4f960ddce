import type { BookingState } from "#contract/coaching/coaching.ts";

/** The states of a session, as shown to coaches and administrators. */
export const stateWords: Readonly<Record<BookingState, string>> = {
  booked: "Booked",
  cancelled: "Cancelled",
  held: "Held",
  "missed-by-student": "Missed by student",
  "missed-by-coach": "Missed by coach",
};
