import { expect, test } from "vitest";
import type { ImportMapping } from "#contract/admin/imports.ts";
import { guessDates, guessMapping, parseRow, sourceOf } from "./mapping.ts";

const planNames = { basic: "Monthly Access", premium: "Annual Access", vip: "Lifetime Access" };
const now = new Date("2026-11-30T00:00:00Z");

function parsed(columns: readonly string[], cells: readonly string[], mapping: ImportMapping) {
  return parseRow(cells, { columns, mapping, planNames, lessons: new Map(), timeZone: "UTC", now });
}

const mayEmail = (column: string, cell: string) =>
  parsed(["email", column], ["ana@example.test", cell], { email: "email", subscribed: column }).mayEmail;

test("a Teachable export's column of the unsubscribed is recognized", () => {
  const columns = ["fullname", "email", "unsubscribe_from_marketing_emails"];
  const mapping = guessMapping(columns, sourceOf(columns));
  expect(mapping).toEqual({ email: "email", name: "fullname", subscribed: "unsubscribe_from_marketing_emails" });
  expect(guessMapping(["Email", "Opt-out"], null)).toEqual({ email: "Email", subscribed: "Opt-out" });
});

test("a column that says who unsubscribed means the opposite of one that says who wants emails [N11]", () => {
  for (const column of ["unsubscribe_from_marketing_emails", "Unsubscribed at", "email_opt_out", "Opted out"]) {
    for (const cell of ["true", "TRUE", "yes", "1", "2026-01-31"]) expect(mayEmail(column, cell), cell).toBe(false);
    for (const cell of ["false", "no", "0", ""]) expect(mayEmail(column, cell), cell).toBe(true);
  }
  for (const column of ["subscribed", "Accepts Marketing", "Shop Outlet"]) {
    for (const cell of ["true", "yes", "", "2026-01-31"]) expect(mayEmail(column, cell), cell).toBe(true);
    for (const cell of ["False", "no", "0", "unsubscribed"]) expect(mayEmail(column, cell), cell).toBe(false);
  }
});

test("the order of numbers in dates is the one that most of the column fits", () => {
  expect(guessDates(["12/31/2026", "01/02/2027", ""])).toBe("mdy");
  expect(guessDates(["31.12.2026", "01.02.2027", "soon"])).toBe("dmy");
  expect(guessDates(["2026/12/31", "2027-01-31T10:00:00Z"])).toBe("ymd");
  expect(guessDates(["01/02/27", "03/04/27"])).toBe("mdy");
});

test("a date that doesn't fit the order points to the choice of another", () => {
  const mapping = { email: "email", defaultPlan: "vip", until: "until", dates: "dmy" } as const;
  const { fault } = parsed(["email", "until"], ["ana@example.test", "12/31/2026"], mapping);
  expect(fault).toBe("“12/31/2026” doesn’t fit the date format. Choose another one under “Date format”.");
});
