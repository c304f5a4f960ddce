import { expect, test } from "vitest";
import { catalogue } from "#content/catalogue.ts";
import type { OwnSubscription } from "#contract/purchases/subscriptions.ts";
import { sayAcademy } from "#ui/academy.ts";
import { builtInFacts } from "../../scripts/pages/built-in-facts.ts";
import { accessWords, cardWords, renewalWords } from "./subscription-words.ts";

sayAcademy(builtInFacts().academy);

const noon = (day: string) => `${day}T12:00:00.000Z`;

const subscription = {
  planName: "Monthly Access",
  state: "renewing",
  price: "49.00",
  nextPaymentAt: noon("2026-12-21"),
  accessUntil: noon("2026-12-21"),
  amountDue: "0.00",
} as OwnSubscription;

test("access is described by its modules, its end and its source", () => {
  const since = noon("2026-03-03");
  expect(accessWords({ tier: "premium", until: noon("2027-03-03"), source: "purchase", since }, catalogue)).toEqual([
    "Modules 1-4 until March 3, 2027",
    "You bought Annual Access on March 3, 2026.",
  ]);
  expect(accessWords({ tier: "vip", until: null, source: "administrator", since }, catalogue)).toEqual([
    "Modules 1-5 without an end date",
    "The academy gave you Lifetime Access on March 3, 2026.",
  ]);
  expect(accessWords({ tier: "basic", until: noon("2026-04-02"), source: "grace", since }, catalogue)).toEqual([
    "Modules 1-3 until April 2, 2026",
    "Your Monthly Access stays open while its renewal is unpaid.",
  ]);
});

test("an unknown source adds no reason, and without a tier no module is open", () => {
  expect(accessWords({ tier: "basic", until: null, source: "barter", since: null }, catalogue)).toEqual([
    "Modules 1-3 without an end date",
    "",
  ]);
  expect(accessWords({ tier: null, until: null, source: null, since: null }, catalogue)[0]).toMatch(
    /^You don't have a plan/,
  );
});

test("each state of a subscription says what happens next", () => {
  const words = (change: Partial<OwnSubscription>) => renewalWords({ ...subscription, ...change }, "active");
  expect(words({})).toBe(
    "Monthly Access renews every 30 days, next on December 21, 2026 for $49.00, until you cancel.",
  );
  expect(words({ state: "cancelled", nextPaymentAt: null })).toBe(
    "Your membership is cancelled. You won't be charged again. The course stays open until December 21, 2026.",
  );
  expect(words({ state: "declined", nextPaymentAt: noon("2026-12-24"), accessUntil: noon("2027-01-05") })).toBe(
    "Your last payment didn't go through. We'll try again on December 24, 2026. The course stays open until January 5, 2027.",
  );
  const held = { state: "on-hold", nextPaymentAt: null, accessUntil: null } as const;
  expect(words({ ...held, amountDue: "49.00" })).toMatch(/^\$49.00 is due/);
  expect(words({ ...held, isHeldByAdministrator: true })).toContain("A new card doesn't");
  expect(words({ amountDue: "49.00", nextPaymentAt: noon("2026-12-22") })).toBe(
    "We couldn't charge $49.00 for your renewal yet. We'll try again on December 22, 2026. The course stays open until December 21, 2026.",
  );
});

test("a suspended account is told that nothing is charged, whatever its subscription's state", () => {
  expect(renewalWords(subscription, "suspended")).toBe("You won't be charged while your account is suspended.");
});

test("a card is described only by its brand and last four digits", () => {
  expect(cardWords({ brand: "Visa", last4: "1111" })).toBe("Visa ending in 1111");
  expect(cardWords({ brand: null, last4: "1111" })).toBe("Card ending in 1111");
});
