import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { ChangedMeanwhile } from "#app/editing/changed-meanwhile.tsx";
import { FormField } from "#app/editing/form-field.tsx";
import { SaveBar } from "#app/editing/save-bar.tsx";
import type { FormOf } from "#app/editing/use-form-of.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import {
  changeSequences,
  getSequences,
  percentWords,
  type SequenceFigures,
  type SequenceName,
  SequenceSettings,
  type SequenceStep,
  type Sequences,
  sequenceNames,
  sequencePreviewPath,
} from "#contract/admin/sequences.ts";
import { roleMay } from "#contract/permissions.ts";
import { Checkbox } from "#ui/controls/field.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { formatCount, formatShare } from "#ui/format/numbers.ts";
import { type Column, Table } from "#ui/table.tsx";
import { useActForm } from "../act-form.ts";
import { AdminPage } from "../admin-page.tsx";
import { Panel } from "../panel.tsx";
import { delayWords, sequenceWords } from "./sequence-words.ts";

/** Emails that follow what a student does: their switches, previews, and what each led to. */
export default function SequencesPage() {
  const { data, isPending, isRefetching, refetch } = useQuery(queryOf(getSequences));
  return (
    <AdminPage
      title="Sequences"
      description="Emails that are sent automatically after something a student does or doesn’t do."
      lead="Emails we send automatically after something a student does or doesn’t do. We send them from 9 AM to 6 PM in the student’s time zone, at most one a day, and only to confirmed addresses. Each one has a link to unsubscribe."
    >
      {isPending ? (
        <PartLoading what="sequences" />
      ) : data ? (
        <Editor shown={data} />
      ) : (
        <PartFailed what="the sequences" retry={refetch} isRetrying={isRefetching} />
      )}
    </AdminPage>
  );
}

SequencesPage.queries = () => [queryOf(getSequences)];

function Editor({ shown: { version, settings, sequences } }: { shown: Sequences }) {
  const queryClient = useQueryClient();
  const { user } = useCurrentUser();
  const mayChange = roleMay(user?.role ?? null, "settings:write");
  const form = useActForm(SequenceSettings, {
    kept: "sequences",
    saved: { ...settings, version },
    asks: { controlPercent: percentWords },
    send: (body, version) => api(changeSequences, { query: { version }, body }),
    words: { done: "Sequences saved", failed: "We couldn’t save the sequences" },
    onDone: (saved) => queryClient.setQueryData(queryOf(getSequences).queryKey, saved),
  });
  return (
    <form {...form.frame} className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {!mayChange && <p className="text-ink-soft text-sm">Only owners can change these settings.</p>}
      {sequences.map(({ name, steps }) => (
        <Panel
          key={name}
          title={sequenceWords[name].title}
          aside={<Switch form={form} name={name} isDisabled={!mayChange || form.isSending} />}
        >
          <p className="mb-4 max-w-[70ch] text-ink-soft text-sm">{sequenceWords[name].about}</p>
          <Table
            caption={`${sequenceWords[name].title}: emails sent and what followed, beside the control group`}
            columns={columnsOf(name).slice(0, hasFigures(steps) ? undefined : 1)}
            rows={steps.map((step, at) => ({ ...step, at }))}
            rowKey={({ at }) => String(at)}
          />
          {!hasFigures(steps) && <p className="mt-3 text-ink-soft text-sm">No emails sent yet.</p>}
        </Panel>
      ))}
      <Panel title="Control group">
        <fieldset disabled={!mayChange || form.isSending} className="min-w-0">
          <FormField
            form={form}
            name="controlPercent"
            label="Control group size (%)"
            hint="We choose these people at random and don’t send them sequences. Compare the two groups to see whether the emails work. We don’t track opens or clicks."
            className="max-w-[36rem]"
            controlClass="max-w-32"
          />
        </fieldset>
      </Panel>
      <ChangedMeanwhile form={form} describe={inWords} />
      {mayChange && <SaveBar form={form} save="Save" otherwise="No unsaved changes" />}
    </form>
  );
}

function Switch({
  form,
  name,
  isDisabled,
}: {
  form: FormOf<SequenceSettings>;
  name: SequenceName;
  isDisabled: boolean;
}) {
  const { on } = form.value;
  return (
    <Checkbox
      name="on"
      label={
        <>
          On <span className="sr-only">(emails of “{sequenceWords[name].title}”)</span>
        </>
      }
      disabled={isDisabled}
      checked={on.includes(name)}
      onChange={({ target }) =>
        form.change({ on: sequenceNames.filter((one) => (one === name ? target.checked : on.includes(one))) })
      }
    />
  );
}

type Row = SequenceStep & { readonly at: number };

function columnsOf(name: SequenceName): Column<Row>[] {
  return [
    {
      key: "email",
      label: "Email",
      wide: true,
      cell: ({ at, afterHours, subject }) => (
        <>
          <a
            href={sequencePreviewPath.replace("{name}", name).replace("{step}", String(at))}
            target="_blank"
            rel="noreferrer"
            className="wrap-anywhere font-bold underline underline-offset-4"
          >
            {subject} <span className="sr-only">(preview in a new tab)</span>
          </a>
          <span className="block font-normal text-fine text-ink-soft">{delayWords(afterHours)}</span>
        </>
      ),
    },
    { key: "sent", label: "Sent", cell: ({ sent, control }) => <Beside figures={[sent, control]} of={countOf} /> },
    {
      key: "returned",
      label: "Back in 3 days",
      cell: ({ sent, control }) => <Beside figures={[sent, control]} of={returnedOf} />,
    },
    {
      key: "bought",
      label: "Bought in 7 days",
      cell: ({ sent, control }) => <Beside figures={[sent, control]} of={boughtOf} />,
    },
  ];
}

function Beside({
  figures: [sent, control],
  of,
}: {
  figures: readonly [SequenceFigures, SequenceFigures];
  of: (figures: SequenceFigures) => string;
}) {
  return (
    <>
      {of(sent)}
      <span className="block text-fine text-ink-soft">Control: {of(control)}</span>
    </>
  );
}

const hasFigures = (steps: readonly SequenceStep[]) =>
  steps.some(({ sent, control }) => sent.people + control.people > 0);

const countOf = ({ people }: SequenceFigures) => formatCount(people);
const returnedOf = ({ returned, returnedOf: all }: SequenceFigures) => formatShare(returned, all);
const boughtOf = ({ bought, boughtOf: all }: SequenceFigures) => formatShare(bought, all);

function inWords({ on, controlPercent }: SequenceSettings) {
  return {
    "Sequences that are on": on.map((name) => sequenceWords[name].title).join(", "),
    "Control group size (%)": controlPercent,
  };
}
