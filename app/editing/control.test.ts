import { expect, test } from "vitest";
import { AcademySettings } from "#contract/academy.ts";
import { ClaimEvidence } from "#contract/admin/claims.ts";
import { ModuleContent, PlanContent } from "#contract/admin/content.ts";
import { NewCoupon } from "#contract/admin/coupons.ts";
import { NewInvitation } from "#contract/admin/invitations.ts";
import { Copy } from "#contract/copy.ts";
import { EmailAddress } from "#contract/email-address.ts";
import { Offer } from "#contract/offer.ts";
import { controlOf, entriesOf } from "./control.ts";
import { faultsOf } from "./faults.ts";
import { faultOf, schemaOf, type Written, within } from "./written.ts";

const { code, value, startsAt, maxUses } = NewCoupon.shape;

test.each([
  [maxUses, { type: "number", min: 1, max: 1_000_000, step: 1, empty: null }],
  [value, { type: "number", max: 99_999, step: "any", required: true, empty: null }],
  [startsAt, { type: "datetime-local", required: true, empty: "" }],
  [code, { type: "text", maxLength: 24, required: true, rows: 1 }],
  [ClaimEvidence.shape.link, { type: "url", maxLength: 500 }],
  [AcademySettings.shape.phone, { type: "text", maxLength: 31, empty: null }],
  [ModuleContent.shape.description, { type: "text", maxLength: 1000, required: true, rows: 4 }],
  [PlanContent.shape.features, { rows: 6, usage: "One on each line, at most 12.", required: true }],
  [PlanContent.shape.originalPrice, { type: "number", min: 1, step: 0.01, empty: null }],
  [EmailAddress.nullable(), { type: "email", maxLength: 254, empty: null }],
])("a control has the type and the limits of its schema (%#)", (schema, attributes) => {
  expect(controlOf(schema)).toMatchObject(attributes);
  expect(controlOf(schema).required ?? false).toBe("required" in attributes);
});

test("an instant is shown in the browser's zone, and read from there", () => {
  const { show, read } = controlOf(startsAt);
  const instant = new Date(2098, 0, 2, 3, 4).toISOString();
  expect(show(instant as never)).toBe("2098-01-02T03:04");
  expect(read("2098-01-02T03:04")).toBe(instant);
});

test("a part has the schema of the chosen alternative, and the name that the server refuses it by", () => {
  const value = { kind: "daily", startSeconds: 60 } as Offer["countdown"];
  const form: Written<Pick<Offer, "countdown">> = {
    ...{ schema: Offer, path: "", faults: { "countdown.startSeconds": "At least 60" } },
    ...{
      value: { countdown: value },
      change: (changes) => expect(changes).toEqual({ countdown: { ...value, startSeconds: 90 } }),
    },
  };
  const countdown = within(form, "countdown") as Written<{ startSeconds: number }>;
  expect(controlOf(schemaOf(countdown, "startSeconds"))).toMatchObject({ min: 60, max: 86_399 });
  expect(faultOf(countdown, "startSeconds")).toBe("At least 60");
  expect(() => schemaOf(countdown, "endsAt" as never)).toThrow("no field endsAt");
  countdown.change({ startSeconds: 90 });
  expect.assertions(4);
});

test("an empty field is required, whatever else it must be", () => {
  const coupon = { code: "", kind: "percent", value: null, plans: [], startsAt: "", endsAt: "", maxUses: 0.5 };
  const asked = { code: "Required", value: "Required", startsAt: "Required", endsAt: "Required" };
  expect(faultsOf(NewCoupon, { ...coupon, firstPurchaseOnly: false })).toEqual({
    ...asked,
    ...{ plans: "Select at least one plan", maxUses: "Enter a whole number" },
  });
  expect(faultsOf(NewInvitation, { email: "", tier: null })).toEqual({ email: "Required" });
});

test("a list has the limits of its schema, and a new entry has empty fields", () => {
  const [hero, , topics] = Copy.options;
  expect(entriesOf(topics.shape.topics)).toMatchObject({ hasIds: true, least: 1, most: 12 });
  expect(entriesOf(topics.shape.topics).empty).toEqual({ title: "", sentence: "", moduleId: null, picture: null });
  expect(entriesOf(hero.shape.trust)).toMatchObject({ least: 0, most: 3 });
  expect(entriesOf(AcademySettings.shape.communities)).toMatchObject({ hasIds: false, least: 0, most: 6 });
});
