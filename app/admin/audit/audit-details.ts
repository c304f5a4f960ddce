import { type Change, changesBetween } from "#app/editing/changes.ts";
import type { Labels } from "#app/editing/fields.tsx";
import { labelledChanges } from "#app/editing/labelled-changes.ts";
import type { AuditEntry } from "#contract/admin/audit.ts";
import { formatDollars } from "#contract/money.ts";
import { lessonLabels, moduleLabels, offerLabels, planLabels } from "../content/labels.ts";
import { couponLabels } from "../coupons/coupon-words.ts";
import { settingsLabels } from "../settings/labels.ts";

type Fields = Readonly<Record<string, unknown>>;

const labels: Readonly<Partial<Record<AuditEntry["subjectKind"], object>>> = {
  module: moduleLabels,
  lesson: lessonLabels,
  plan: planLabels,
  offer: offerLabels,
  coupon: couponLabels,
  settings: settingsLabels,
};

/** The changed fields, those of forms under their labels. Leaves out ids, and what the sentence says already. */
export function detailsOf({ action, subjectKind, before, after }: AuditEntry): Change[] {
  const [was, is] = [fieldsOf(before, action), fieldsOf(after, action)];
  const formLabels = labels[subjectKind];
  return formLabels ? labelledChanges(was, is, formLabels as Labels<Fields>) : changesBetween(was, is);
}

function fieldsOf(value: unknown, action: string): Fields {
  const fields = Object.entries((value ?? {}) as Fields);
  return Object.fromEntries(
    fields
      .filter(([name]) => !/(^id|Ids?)$/.test(name) && !isInSentence(name, action))
      .map(([name, field]) => [name, wordsOf(name, field, value as Fields)]),
  );
}

function wordsOf(name: string, field: unknown, { kind }: Fields): unknown {
  if (name === "amount" || (name === "value" && kind === "fixed")) return formatDollars(field as string);
  return name === "value" && kind === "percent" ? `${field}%` : field;
}

function isInSentence(name: string, action: string): boolean {
  if (name === "isActive") return /^(end|resume) coupon$/.test(action);
  if (name === "name" && action.endsWith(" token")) return true;
  return name === "claimText" || (name === "receivedAt" && action === "delete message");
}
