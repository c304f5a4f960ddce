import { api } from "#app/api/api.ts";
import { type CoachDesk, joinLiveAsCoach } from "#contract/coaching/coach.ts";
import { timeInZone } from "#contract/coaching/times.ts";
import { Badge } from "#ui/badge.tsx";
import { JoinButton } from "../join-button.tsx";

export function LiveSessions({ live, zone }: { live: CoachDesk["live"]; zone: string }) {
  if (live.length === 0) return null;
  return (
    <section className="grid gap-4">
      <h2 className="wide text-title">Group sessions</h2>
      <ul className="border-line border-t">
        {live.map(({ id, title, startsAt, state, coming, questions, mayJoin }) => (
          <li key={id} className="grid gap-3 border-line border-b py-4">
            <div className="flex flex-wrap items-center justify-between gap-3">
              <p className="min-w-0">
                <strong className="block wrap-anywhere">{title}</strong>
                <span className="text-ink-soft text-sm">{timeInZone(startsAt, zone, new Date())}</span>
              </p>
              <span className="flex items-center gap-2">
                <Badge>{state === "scheduled" ? `${coming} coming` : state === "held" ? "Held" : "Cancelled"}</Badge>
                {mayJoin && (
                  <JoinButton
                    what={title}
                    mayJoin
                    opensAt={startsAt}
                    zone={zone}
                    join={() => api(joinLiveAsCoach, { params: { id }, body: {} })}
                  />
                )}
              </span>
            </div>
            {questions.length > 0 && (
              <ul className="list-disc pl-5 text-sm">
                {questions.map((question) => (
                  <li key={question} className="wrap-anywhere">
                    {question}
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
