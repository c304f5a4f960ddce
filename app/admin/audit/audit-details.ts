import { type Change, changesBetween } from "#app/editing/changes.ts";
import type { Labels } from "#app/editing/fields.tsx";
import { labelledChanges } from "#app/editing/labelled-changes.ts";
import type { AuditEntry } from "#contract/admin/audit.ts";
import { formatDollars } from "#contract/money.ts";
import { lessonLabels, moduleLabels, offerLabels, planLabels } from "../content/labels.ts";
import { settingsLabels } from "../settings/labels.ts";

type Fields = Readonly<Record<string, unknown>>;

const labels: Readonly<Partial<Record<AuditEntry["subjectKind"], object>>> = {
  module: moduleLabels,
  lesson: lessonLabels,
  plan: planLabels,
  offer: offerLabels,
  settings: settingsLabels,
};

/** The changed fields, those of forms under their labels. Leaves out ids, and what the sentence says already. */
export function detailsOf({ action, subjectKind, before, after }: AuditEntry): Change[] {
  const [was, is] = [fieldsOf(before, action), fieldsOf(after, action)];
  const formLabels = labels[subjectKind];
  return formLabels ? labelledChanges(was, is, formLabels as Labels<Fields>) : changesBetween(was, is);
}

function fieldsOf(value: unknown, action: string): Fields {
  return Object.fromEntries(
    Object.entries(value ?? {})
      .filter(([name]) => !/(^id|Ids?)$/.test(name) && !isInSentence(name, action))
      .map(([name, field]) => [name, name === "amount" ? formatDollars(field as string) : field]),
  );
}

function isInSentence(name: string, action: string): boolean {
  return name === "claimText" || (name === "receivedAt" && action === "delete message");
}
