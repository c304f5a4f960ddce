import { useState } from "react";
import { useMay } from "#app/identity/may.tsx";
import type { AdminLive, CoachingAdministration } from "#contract/admin/coaching.ts";
import { tierLabels } from "#contract/tiers.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { formatTimestamp } from "#ui/format/dates.ts";
import { Nothing, Panel } from "../panel.tsx";
import { CancelDialog, LiveDialog, RecordDialog } from "./live-dialogs.tsx";

type Coach = CoachingAdministration["coaches"][number];
type Asked = { what: "new" } | { what: "change" | "cancel" | "record"; session: AdminLive };

/** The group sessions: to come, over and cancelled. */
export function LivePanel({ live, coaches }: { live: readonly AdminLive[]; coaches: readonly Coach[] }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const mayManage = useMay("coaching:manage");
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
      {live.length === 0 && <Nothing>No group session in the last 90 days, and none to come.</Nothing>}
      <ul>
        {live.map((session) => (
          <li
            key={session.id}
            className="flex flex-wrap items-center justify-between gap-3 border-line border-b py-3 last:border-b-0"
          >
            <p className="min-w-0 text-sm wrap-anywhere">
              <strong className="block">{session.title}</strong>
              <span className="text-ink-soft">
                {formatTimestamp(session.startsAt)}, {session.coachName}, from {tierLabels[session.requiredTier]},{" "}
                {session.coming} coming{session.seats === null ? "" : ` of ${session.seats}`}
              </span>
            </p>
            <span className="flex flex-wrap items-center gap-1">
              {session.state !== "scheduled" && <Badge>{session.state === "held" ? "Held" : "Cancelled"}</Badge>}
              {mayManage && session.state === "scheduled" && (
                <>
                  <Button
                    variant="quiet"
                    size="small"
                    aria-label={`Change ${session.title}`}
                    onClick={() => setAsked({ what: "change", session })}
                  >
                    Change
                  </Button>
                  <Button
                    variant="quiet"
                    size="small"
                    aria-label={`Cancel ${session.title}`}
                    onClick={() => setAsked({ what: "cancel", session })}
                  >
                    Cancel
                  </Button>
                </>
              )}
              {mayManage && session.state === "held" && (
                <Button
                  variant="quiet"
                  size="small"
                  aria-label={`Recording of ${session.title}`}
                  onClick={() => setAsked({ what: "record", session })}
                >
                  {session.recordingVideoId ? "Change recording" : "Add recording"}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {(asked?.what === "new" || asked?.what === "change") && (
        <LiveDialog session={asked.what === "change" ? asked.session : null} coaches={coaches} onClose={close} />
      )}
      {asked?.what === "cancel" && <CancelDialog session={asked.session} onClose={close} />}
      {asked?.what === "record" && <RecordDialog session={asked.session} onClose={close} />}
    </Panel>
  );
}
