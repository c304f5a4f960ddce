import { expect, test } from "vitest";
import { chooseReturn, endsAccess, keptUntil } from "./rules.ts";

const charge = { paidCents: 4900, refundedCents: 0, settled: false, withinPolicy: true };

test("an unsettled charge is voided whole, a settled one refunded, wholly or in part [P21]", () => {
  expect(chooseReturn(charge, 4900, undefined)).toBe("void");
  expect(chooseReturn({ ...charge, settled: true }, 4900, undefined)).toBe("refund");
  expect(chooseReturn({ ...charge, settled: true }, 1000, undefined)).toBe("refund");
  expect(() => chooseReturn(charge, 1000, undefined)).toThrow(/once the payment has settled/);
  // A void would return the whole charge, although a part was returned before.
  expect(() => chooseReturn({ ...charge, refundedCents: 1000 }, 3900, undefined)).toThrow(/once the payment has/);
});

test("no more is refunded than was paid [P20]", () => {
  const partly = { ...charge, settled: true, refundedCents: 1000 };
  expect(chooseReturn(partly, 3900, undefined)).toBe("refund");
  expect(() => chooseReturn(partly, 3901, undefined)).toThrow(/more than what’s left/);
  expect(() => chooseReturn({ ...charge, refundedCents: 4900 }, 1, undefined)).toThrow(/already been refunded/);
});

test("refunds after the days of the policy need a reason [P19]", () => {
  const late = { ...charge, withinPolicy: false };
  expect(() => chooseReturn(late, 4900, undefined)).toThrow(/Enter a reason/);
  expect(chooseReturn(late, 4900, "goodwill")).toBe("void");
});

test("access ends with all that is left of the newest charge, or when it is asked for, and only of a purchase in effect", () => {
  const whole = { isInEffect: true, isNewest: true, isAllThatIsLeft: true };
  expect(endsAccess(whole)).toBe(true);
  expect(endsAccess({ ...whole, isNewest: false })).toBe(false);
  expect(endsAccess({ ...whole, isAllThatIsLeft: false })).toBe(false);
  expect(endsAccess({ ...whole, isNewest: false, isAllThatIsLeft: false, isAskedTo: true })).toBe(true);
  expect(endsAccess({ ...whole, isInEffect: false, isAskedTo: true })).toBe(false);
});

test("access is kept until the paid end that the administrator was shown, and until no other", () => {
  const paidEnd = new Date("2026-12-20T10:00:00Z");
  expect(keptUntil(undefined, paidEnd)).toBeNull();
  expect(keptUntil(new Date(paidEnd), paidEnd)).toEqual(paidEnd);
  expect(() => keptUntil(new Date("2026-12-21T10:00:00Z"), paidEnd)).toThrow(/Check the refund again/);
  expect(() => keptUntil(paidEnd, null)).toThrow(/Check the refund again/);
});
