import { Link } from "react-router";
import { href } from "#contract/addresses.ts";
import type { Booking } from "#contract/coaching/coaching.ts";
import { timeInZone } from "#contract/coaching/times.ts";
import { bookingWords } from "./booking-words.ts";

/** Past, missed and cancelled sessions, with the coach's summaries. */
export function PastSessions({ past, zone }: { past: readonly Booking[]; zone: string }) {
  return (
    <section aria-labelledby="past-title" className="col-span-full grid gap-5">
      <h2 id="past-title" className="wide text-title">
        Past sessions
      </h2>
      <ul className="border-line border-t">
        {past.map((booking) => (
          <li key={booking.id} className="grid gap-3 border-line border-b py-5 lg:grid-cols-[22rem_minmax(0,1fr)]">
            <div>
              <Link to={href.coachingSession(booking.id)} className="font-bold underline underline-offset-4">
                {timeInZone(booking.startsAt, zone, new Date())}
              </Link>
              <p className="mt-1 text-ink-soft text-sm">
                With {booking.coach.name}. {bookingWords(booking)}
              </p>
            </div>
            {booking.summary ? (
              <p className="line-clamp-4 max-w-[70ch] whitespace-pre-line wrap-anywhere">{booking.summary}</p>
            ) : (
              <p className="text-ink-soft text-sm">{booking.state === "held" && "No summary yet."}</p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
