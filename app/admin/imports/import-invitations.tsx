import { useQuery } from "@tanstack/react-query";
import { cx } from "class-variance-authority";
import { useState } from "react";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import {
  type Import,
  InviteImported,
  invitationDays,
  inviteImported,
  previewImportInvitation,
  stopImport,
} from "#contract/admin/imports.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field, Input } from "#ui/controls/field.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { Progress } from "#ui/feedback/progress.tsx";
import { formatCount, formatCountOf } from "#ui/format/numbers.ts";
import { useAct } from "../act.ts";
import { peopleWords } from "../batches/batch-words.ts";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { Nothing, Panel } from "../panel.tsx";

/** The second step of an import: emails to those who must sign in first. */
export function ImportInvitations({ row }: { row: Import }) {
  const { id, outcomes, invitations } = row;
  const { state, waiting, sent, unsubscribed } = invitations;
  const [perHour, setPerHour] = useState(String(invitations.perHour));
  const [isAsked, setIsAsked] = useState(false);
  const [isPreviewed, setIsPreviewed] = useState(false);
  const stop = useAct(() => api(stopImport, { params: { id }, body: {} }), {
    done: "Stopped",
    failed: "Failed to stop the emails",
  });
  const speed = InviteImported.safeParse({ perHour: Number(perHour) });
  const isSending = state === "sending";
  return (
    <Panel
      title="Invitations by email"
      aside={
        isSending && (
          <Button variant="outline" size="small" pending={stop.isPending} onClick={() => stop.mutate()}>
            Stop the emails
          </Button>
        )
      }
    >
      <p className="text-sm" aria-live="polite">
        {sent > 0 && `${formatCountOf(sent, "email", "emails")} sent. `}
        {waiting > 0
          ? `${peopleWords(waiting)} ${waiting === 1 ? "hasn’t" : "haven’t"} been emailed yet.`
          : sent === 0 && "Nobody is waiting for an email."}
        {!isSending && state === "stopped" && " You stopped the emails."} <Unsubscribed count={unsubscribed} />
      </p>
      {isSending && (
        <Progress label="Emails sent" value={(100 * sent) / Math.max(1, sent + waiting)} className="mt-3 w-full" />
      )}
      {(outcomes.invited ?? 0) > 0 && (
        <Nothing>Their plans wait for {invitationDays} days. Everyone gets one email at most.</Nothing>
      )}
      {waiting > 0 && (
        <div className="mt-4 flex flex-wrap items-start gap-3">
          {!isSending && (
            <>
              <Field
                label="Emails an hour"
                error={speed.success ? null : "Enter a number from 1 to 1,000."}
                className="w-40"
              >
                <Input inputMode="numeric" value={perHour} onChange={({ target }) => setPerHour(target.value)} />
              </Field>
              <Button className="sm:mt-6.5" disabled={!speed.success} onClick={() => setIsAsked(true)}>
                Send {formatCountOf(waiting, "invitation", "invitations")}
              </Button>
            </>
          )}
          <Button
            variant="outline"
            className={cx(!isSending && "sm:mt-6.5")}
            aria-expanded={isPreviewed}
            onClick={() => setIsPreviewed(!isPreviewed)}
          >
            Preview the email
          </Button>
        </div>
      )}
      {isPreviewed && waiting > 0 && <Preview id={id} />}
      {isAsked && speed.success && (
        <ConfirmDialog
          title={`Email ${peopleWords(waiting)}?`}
          description={`We’ll send up to ${formatCount(speed.data.perHour)} an hour, so this takes ${durationOf(waiting, speed.data.perHour)}. You can stop at any time.`}
          confirm="Send"
          act={() => api(inviteImported, { params: { id }, body: speed.data })}
          words={{ done: "We’re sending the invitations", failed: "Failed to send the invitations" }}
          onClose={() => setIsAsked(false)}
        />
      )}
    </Panel>
  );
}

export function Unsubscribed({ count }: { count: number }) {
  return count > 0 && `${peopleWords(count)} unsubscribed. We won’t email ${count === 1 ? "this person" : "them"}.`;
}

function durationOf(people: number, perHour: number): string {
  const hours = Math.ceil(people / perHour);
  return hours <= 1 ? "less than an hour" : `about ${formatCountOf(hours, "hour", "hours")}`;
}

function Preview({ id }: { id: string }) {
  const { data, isPending, refetch } = useQuery(queryOf(previewImportInvitation, { params: { id } }));
  if (isPending) return <PartLoading what="the email" />;
  if (!data) return <PartFailed what="the email" retry={refetch} />;
  return (
    <div className="mt-4 grid gap-2">
      <p className="text-sm wrap-anywhere">
        <strong>{data.subject}</strong>, to {data.to}
      </p>
      <iframe
        title="The email"
        sandbox=""
        srcDoc={data.html}
        className="h-150 w-full rounded-md border border-line-strong bg-canvas"
      />
    </div>
  );
}
