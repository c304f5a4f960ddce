import { Temporal } from "temporal-polyfill";
import {
  type CheckedImport,
  DateOrder,
  type ImportField,
  type ImportMapping,
  type ImportSource,
  importFields,
  importSources,
  isOptOut,
} from "#contract/admin/imports.ts";
import { asTyped } from "#contract/as-typed.ts";
import { storedEmail } from "#contract/email-address.ts";
import { type PlanNames, type Tier, tiers } from "#contract/tiers.ts";
import { after, DAY } from "#server/base/clock.ts";
import { startOfDate } from "#server/base/dates.ts";

type Names = Readonly<Partial<Record<ImportField, readonly string[]>>>;

/** The columns of each program's export, of which some are in every one of its files. */
const sources: Readonly<Record<ImportSource, { readonly marks: readonly string[]; readonly names: Names }>> = {
  teachable: {
    marks: ["unsubscribe_from_marketing_emails", "joined_at", "src"],
    names: {
      email: ["email"],
      name: ["fullname", "full_name", "name"],
      subscribed: ["unsubscribe_from_marketing_emails"],
    },
  },
  thinkific: {
    marks: ["enrollments", "sign_in_count", "amount_spent"],
    names: { email: ["email"], name: ["first_name"], lastName: ["last_name"] },
  },
  kajabi: {
    marks: ["member_created_at", "products", "lifetime_value", "net_revenue"],
    names: {
      email: ["email"],
      name: ["name", "first_name"],
      lastName: ["last_name"],
      plan: ["offers", "products"],
      subscribed: ["subscribed", "marketing_subscription"],
    },
  },
  ghost: {
    marks: ["subscribed_to_emails", "complimentary_plan"],
    names: { email: ["email"], name: ["name"], plan: ["tiers"], subscribed: ["subscribed_to_emails"] },
  },
};

/** What other files call them. */
const usualNames: Required<Names> = {
  email: ["email", "email_address", "e_mail", "mail", "student_email", "user_email"],
  name: ["name", "full_name", "fullname", "first_name", "firstname", "student_name", "student"],
  lastName: ["last_name", "lastname", "surname", "family_name"],
  plan: ["plan", "tier", "membership", "product", "plan_name"],
  until: ["until", "ends_at", "expires_at", "expires", "expiry", "expiry_date", "end_date", "access_until"],
  completed: ["completed", "completed_lessons", "lessons_completed"],
  subscribed: ["subscribed", "subscribed_to_emails", "accepts_marketing", "marketing_consent"],
};

/** "Email Address" and "email_address" are one name. */
function keyOf(name: string): string {
  return asTyped(name)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "_")
    .replaceAll(/^_|_$/g, "");
}

export function sourceOf(columns: readonly string[]): ImportSource | null {
  const keys = columns.map(keyOf);
  const found = (source: ImportSource) => sources[source].marks.filter((mark) => keys.includes(mark)).length;
  const [best] = importSources.toSorted((a, b) => found(b) - found(a));
  return best && found(best) > 0 ? best : null;
}

/** What a dry run reads: without `email`, which column has the addresses is unknown. */
type ChosenMapping = CheckedImport["mapping"];

export function guessMapping(columns: readonly string[], source: ImportSource | null): ChosenMapping {
  const byKey = new Map(columns.map((name) => [keyOf(name), name]).toReversed() as [string, string][]);
  const of = (field: ImportField) =>
    [...((source && sources[source].names[field]) ?? []), ...usualNames[field]]
      .map((key) => byKey.get(key))
      .find(Boolean);
  const mapping: ChosenMapping = Object.fromEntries(
    importFields.flatMap((field) => (of(field) ? [[field, of(field)]] : [])),
  );
  mapping.subscribed ??= columns.find(isOptOut);
  // A whole name needs no second column.
  if (!/first/i.test(mapping.name ?? "")) delete mapping.lastName;
  return mapping;
}

export interface ParsedRow {
  /** In the stored form, or as in the file when it is not an address. */
  readonly email: string;
  readonly name: string | null;
  readonly tier: Tier | null;
  readonly endsAt: Date | null;
  readonly completed: readonly string[];
  readonly mayEmail: boolean;
  /** Why the row cannot be imported. */
  readonly fault: string | null;
  /** What the column `plan` says, when it is no plan here. */
  readonly unknownPlan: string | null;
}

export interface Reading {
  readonly columns: readonly string[];
  readonly mapping: ImportMapping;
  readonly planNames: PlanNames;
  /** Their ids by id, number and title, as `lessonKeys` makes them. */
  readonly lessons: ReadonlyMap<string, string>;
  readonly timeZone: string;
  readonly now: Date;
}

const longestName = 200;

export function parseRow(cells: readonly string[], reading: Reading): ParsedRow {
  const { mapping, timeZone, now } = reading;
  const cell = (field: ImportField) => lineOf(rawCell(cells, field, reading));
  const email = storedEmail(cell("email"));
  const name = [cell("name"), cell("lastName")].filter(Boolean).join(" ");
  const plan = tierOf(cell("plan"), reading);
  const until = cell("until") && dateOf(cell("until"), mapping.dates ?? "ymd");
  // The last day is included.
  const endsAt = until ? startOfDate(timeZone, until.add({ days: 1 })) : null;
  const lessons = lessonsOf(rawCell(cells, "completed", reading), reading.lessons);
  const faults = [
    cell("email") === "" && "There’s no email address.",
    email === null && "This isn’t an email address.",
    name.length > longestName && `The name is longer than ${longestName} characters.`,
    plan === undefined && `We have no plan called “${shortened(cell("plan"))}”.`,
    until === null && dateFault(cell("until")),
    endsAt && endsAt <= now && "The access ended before today.",
    endsAt && endsAt > after(now, 36_525 * DAY) && "The last day is more than a hundred years away.",
    endsAt && !plan && "This row has an end date but no plan. Choose a plan for it.",
    lessons.unknown !== null && `We have no lesson called “${shortened(lessons.unknown)}”.`,
  ];
  return {
    email: email ?? shortened(cell("email"), 254),
    name: name.slice(0, longestName) || null,
    tier: plan ?? null,
    endsAt,
    completed: lessons.ids,
    mayEmail: wantsEmails(cell("subscribed"), mapping.subscribed ?? ""),
    fault: faults.find((fault): fault is string => typeof fault === "string") ?? null,
    unknownPlan: plan === undefined ? shortened(cell("plan"), 200) : null,
  };
}

function wantsEmails(cell: string, column: string): boolean {
  return isOptOut(column)
    ? /^(|no?|false|0|never|subscribed)$/i.test(cell)
    : !/^(no?|false|0|never|unsubscribed)$/i.test(cell);
}

function rawCell(cells: readonly string[], field: ImportField, { columns, mapping }: Reading): string {
  const name = mapping[field];
  // A column without a name is no field's.
  return name === undefined ? "" : (cells[columns.indexOf(name)] ?? "");
}

/** A cell on a single line, without characters that nobody sees. */
function lineOf(cell: string): string {
  return cell.replaceAll(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, " ").trim();
}

function shortened(text: string, longest = 60): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** What our own words and the peers' call the lengths. */
const words: ReadonlyMap<string, Tier> = new Map([
  ["monthly", "basic"],
  ["month", "basic"],
  ["annual", "premium"],
  ["yearly", "premium"],
  ["year", "premium"],
  ["lifetime", "vip"],
]);

/** Undefined: no plan is called so. */
function tierOf(cell: string, { mapping, planNames }: Reading): Tier | null | undefined {
  const chosen = mapping.plans && Object.hasOwn(mapping.plans, cell) ? mapping.plans[cell] : undefined;
  if (chosen !== undefined) return chosen;
  if (cell === "") return mapping.defaultPlan ?? null;
  const key = cell.toLowerCase();
  return tiers.find((tier) => tier === key || planNames[tier].toLowerCase() === key) ?? words.get(key);
}

function dateFault(cell: string): string {
  return DateOrder.options.some((order) => dateOf(cell, order))
    ? `“${shortened(cell)}” doesn’t fit the date format. Choose another one under “Date format”.`
    : `“${shortened(cell)}” isn’t a date we can read.`;
}

/** The order of numbers that most of a column's dates fit, in doubt the American one. */
export function guessDates(cells: readonly string[]): DateOrder {
  const orders: readonly DateOrder[] = ["ymd", "mdy", "dmy"];
  const fits = orders.map((order) => cells.filter((cell) => dateOf(lineOf(cell), order)).length);
  return orders[fits.indexOf(Math.max(...fits))] ?? "ymd";
}

/** Null: not a date. */
function dateOf(cell: string, order: DateOrder): Temporal.PlainDate | null {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?$/.exec(cell);
  const parts = iso ?? /^(\d{1,4})[./ -](\d{1,2})[./ -](\d{1,4})(?:[T ,].*)?$/.exec(cell);
  if (!parts) return null;
  const at = (part: string) => parts[(iso ? "ymd" : order).indexOf(part) + 1] ?? "";
  // 01/02/27 has its year behind, whatever else is unknown.
  if (at("y").length !== 4 && (order === "ymd" || at("y").length !== 2)) return null;
  try {
    const year = Number(at("y"));
    return Temporal.PlainDate.from(
      { year: year < 100 ? 2000 + year : year, month: Number(at("m")), day: Number(at("d")) },
      { overflow: "reject" },
    );
  } catch {
    return null;
  }
}

function lessonsOf(cell: string, known: ReadonlyMap<string, string>) {
  const whole = known.get(lessonKey(cell));
  const named = whole
    ? [cell]
    : cell
        .split(/[;\r\n|]+/)
        .map(lineOf)
        .filter(Boolean);
  const ids = named.map((name) => known.get(lessonKey(name)));
  const unknown = ids.indexOf(undefined);
  return {
    ids: [...new Set(ids.filter((id) => id !== undefined))],
    unknown: unknown < 0 ? null : (named[unknown] ?? ""),
  };
}

function lessonKey(name: string): string {
  return lineOf(name).toLowerCase();
}

/** The names by which a file may call lessons. */
export function lessonKeys(lessons: readonly { readonly id: string; readonly title: string }[]): Map<string, string> {
  return new Map(
    lessons.flatMap(
      ({ id, title }) =>
        [
          [lessonKey(title), id],
          [lessonKey(id), id],
        ] as [string, string][],
    ),
  );
}
