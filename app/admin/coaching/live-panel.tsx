import { useState } from "react";
import { useMay } from "#app/identity/may.tsx";
import type { AdminLive, CoachingAdministration } from "#contract/admin/coaching.ts";
import { planName } from "#ui/academy.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { formatTimestamp } from "#ui/format/dates.ts";
import { Nothing, Panel } from "../panel.tsx";
import { type RowAction, RowActions } from "../row-actions.tsx";
import { CancelDialog, LiveDialog, RecordDialog } from "./live-dialogs.tsx";

type Coach = CoachingAdministration["coaches"][number];
type Asked = { what: "new" } | { what: "change" | "cancel" | "record"; id: string };

/** The group sessions: scheduled, held and cancelled. */
export function LivePanel({ live, coaches }: { live: readonly AdminLive[]; coaches: readonly Coach[] }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const chosen = asked && asked.what !== "new" ? live.find(({ id }) => id === asked.id) : undefined;
  const mayManage = useMay("coaching:manage");
  const action = (what: "change" | "cancel" | "record", label: string, { id }: AdminLive): RowAction => ({
    label,
    onPress: () => setAsked({ what, id }),
  });
  return (
    <Panel
      title="Group sessions"
      aside={
        mayManage && (
          <Button
            variant="outline"
            size="small"
            disabled={coaches.length === 0}
            onClick={() => setAsked({ what: "new" })}
          >
            Schedule a session
          </Button>
        )
      }
    >
      {live.length === 0 && <Nothing>No group sessions in the last 90 days or ahead.</Nothing>}
      <ul>
        {live.map((session) => (
          <li
            key={session.id}
            className="flex items-start justify-between gap-3 border-line border-b py-3 last:border-b-0"
          >
            <p className="min-w-0 text-sm wrap-anywhere">
              <strong className="block">{session.title}</strong>
              <span className="text-ink-soft">
                {formatTimestamp(session.startsAt)}, {session.coachName}, from {planName(session.requiredTier)},{" "}
                {session.coming} coming{session.seats === null ? "" : ` of ${session.seats}`}
              </span>
            </p>
            <span className="flex shrink-0 items-center gap-1">
              {session.state !== "scheduled" && <Badge>{session.state === "held" ? "Held" : "Cancelled"}</Badge>}
              {mayManage && (
                <RowActions
                  of={session.title}
                  actions={[
                    session.state === "scheduled" && action("change", "Change", session),
                    session.state === "scheduled" && action("cancel", "Cancel", session),
                    session.state === "held" &&
                      action("record", `${session.recordingVideoId ? "Change" : "Add"} recording`, session),
                  ]}
                />
              )}
            </span>
          </li>
        ))}
      </ul>
      {asked?.what === "new" && <LiveDialog session={null} coaches={coaches} onClose={close} />}
      {chosen && asked?.what === "change" && <LiveDialog session={chosen} coaches={coaches} onClose={close} />}
      {chosen && asked?.what === "cancel" && <CancelDialog session={chosen} onClose={close} />}
      {chosen && asked?.what === "record" && <RecordDialog session={chosen} onClose={close} />}
    </Panel>
  );
}
