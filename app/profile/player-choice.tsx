import { useQuery } from "@tanstack/react-query";
import { asksForLessMotion, playerChoicesQuery } from "#app/access/player-choices.ts";
import PlaysNext from "#app/access/plays-next.tsx";
import { Card } from "#ui/card.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";

/** The playback settings. The same switch is shown below each lesson. */
export function PlayerChoice() {
  const { data, isPending, refetch } = useQuery(playerChoicesQuery);
  return (
    <Card tone="raised">
      <section aria-labelledby="lessons-title" className="grid gap-4">
        <h2 id="lessons-title" className="font-bold text-heading">
          Lessons
        </h2>
        {isPending ? (
          <PartLoading what="your choice" />
        ) : data ? (
          <div>
            <PlaysNext />
            {!asksForLessMotion() && (
              <p className="mt-1 pl-8 text-ink-soft text-sm">
                It starts five seconds after a lesson ends, on all your devices.
              </p>
            )}
          </div>
        ) : (
          <PartFailed what="your choice" retry={refetch} />
        )}
      </section>
    </Card>
  );
}
