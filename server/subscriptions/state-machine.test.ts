import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { after, DAY, HOUR } from "#server/base/clock.ts";
import {
  advance,
  graceEnd,
  isDue,
  isRenewing,
  lastTry,
  maxTries,
  type Refused,
  type SubscriptionEvent,
  type SubscriptionState,
  startOfPaid,
} from "./rules.ts";

const start = new Date("2028-02-15T08:30:15.250Z");

const begun: SubscriptionState = {
  status: "active",
  currentPeriodStart: start,
  currentPeriodEnd: after(start, 30 * DAY),
  nextChargeAt: after(start, 30 * DAY),
  graceFrom: null,
  dunningSince: null,
  reopenedUntil: null,
  declinedForGood: false,
  cancelledAt: null,
  heldAt: null,
};

test("a paid period that crosses a change of the clocks is 30 days to the second [P25]", () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("TZ", "America/New_York");
  for (const startsAt of ["2026-02-20T12:00:00Z", "2026-10-20T12:00:00Z"].map((at) => new Date(at))) {
    const { currentPeriodEnd } = advance(begun, { cause: "paid", startsAt }, startsAt);
    expect(currentPeriodEnd.getTimezoneOffset()).not.toBe(startsAt.getTimezoneOffset());
    expect(currentPeriodEnd).toEqual(after(startsAt, 30 * DAY));
  }
});

/** A random event of a person, a bank or the sweep, some hours later. */
type Step = { readonly hours: number; readonly cause: SubscriptionEvent["cause"]; readonly refused: Refused };

const steps = fc.array(
  fc.record<Step>({
    hours: fc.integer({ min: 0, max: 24 * 40 }),
    cause: fc.constantFrom("paid", "refused", "given-up", "cancelled", "resumed", "held", "reactivated"),
    refused: fc.constantFrom<Refused>("declined", "for-good", "not-processed"),
  }),
  { maxLength: 40 },
);

function eventOf({ cause, refused }: Step, state: SubscriptionState, now: Date): SubscriptionEvent {
  if (cause === "paid") {
    return { cause, startsAt: startOfPaid({ renewsFrom: state.currentPeriodEnd, sentAt: now }, []) };
  }
  return cause === "refused" ? { cause, refused, at: now } : { cause };
}

/** Applies the steps. Refused ones change nothing. */
function walk(
  list: readonly Step[],
  visit: (before: SubscriptionState, event: SubscriptionEvent, state: SubscriptionState, now: Date) => void,
) {
  let [state, now] = [begun, start];
  for (const step of list) {
    now = after(now, step.hours * HOUR);
    const event = eventOf(step, state, now);
    let next = state;
    try {
      next = advance(state, event, now);
    } catch (error) {
      expect((error as { code: string }).code).toBe("conflict");
    }
    visit(state, event, next, now);
    state = next;
  }
}

test("whatever happens in whatever order, a subscription is charged next exactly while it renews [P27 P29]", () => {
  fc.assert(
    fc.property(steps, (list) => {
      walk(list, (_before, _event, state, now) => {
        expect(state.nextChargeAt !== null).toBe(isRenewing(state));
        if (state.status === "active") expect([state.dunningSince, state.declinedForGood]).toEqual([null, false]);
        if (state.status === "retrying" || state.status === "declined") expect(state.dunningSince).not.toBeNull();
        if (state.declinedForGood) expect(["declined", "retrying", "on_hold", "held"]).toContain(state.status);
        expect(state.cancelledAt !== null).toBe(state.status === "cancelled");
        if (state.status === "held") expect(state.heldAt).not.toBeNull();
        const days = (state.currentPeriodEnd.getTime() - state.currentPeriodStart.getTime()) / DAY;
        expect(days).toBe(30);
        expect(isDue(state, now)).toBe(state.nextChargeAt !== null && state.nextChargeAt <= now);
      });
    }),
  );
});

test("only a payment moves the paid period, and none makes a cancelled or held subscription renew [P29]", () => {
  fc.assert(
    fc.property(steps, (list) => {
      walk(list, (before, event, state) => {
        if (event.cause !== "paid") expect(state.currentPeriodEnd).toEqual(before.currentPeriodEnd);
        else if (before.status === "cancelled" || before.status === "held") expect(state.status).toBe(before.status);
        else expect(state.status).toBe("active");
        if (before.status === "cancelled" && event.cause !== "resumed") expect(state.status).toBe("cancelled");
        if (before.status === "held" && !["reactivated", "cancelled"].includes(event.cause)) {
          expect(state.status).toBe("held");
        }
      });
    }),
  );
});

test("refusals alone end in a hold, within the tries that card networks allow, and open until then [P27 P38]", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom<Refused>("declined", "not-processed", "for-good"), { minLength: 20 }),
      (kinds) => {
        let [state, tries] = [begun, 0];
        for (const refused of kinds) {
          const { nextChargeAt: now, dunningSince, declinedForGood } = state;
          if (now === null) break;
          if (dunningSince !== null) {
            expect(graceEnd(state, dunningSince, declinedForGood) >= now).toBe(true);
            expect(now <= lastTry(dunningSince, declinedForGood) || !declinedForGood).toBe(true);
          }
          const event = declinedForGood
            ? { cause: "given-up" as const }
            : { cause: "refused" as const, refused, at: now };
          if (!declinedForGood) tries += 1;
          state = advance(state, event, now);
        }
        expect(state.status).toBe("on_hold");
        expect(tries).toBeLessThan(maxTries.count);
      },
    ),
  );
});

test("an administrator's reactivation leaves days for another card, and a payment clears everything", () => {
  const held = advance(begun, { cause: "held" }, after(start, 5 * DAY));
  const late = after(start, 90 * DAY);
  const reactivated = advance(held, { cause: "reactivated" }, late);
  expect(reactivated).toMatchObject({
    status: "active",
    nextChargeAt: after(late, 3 * DAY),
    graceFrom: after(late, 3 * DAY),
  });
  const declined = advance(reactivated, { cause: "refused", refused: "for-good", at: late }, late);
  expect(declined).toMatchObject({ status: "declined", declinedForGood: true, nextChargeAt: after(late, 3 * DAY) });
  const paid = advance(declined, { cause: "paid", startsAt: late }, late);
  expect(paid).toMatchObject({
    status: "active",
    dunningSince: null,
    declinedForGood: false,
    currentPeriodStart: late,
  });
});

test("without a payment, it is reopened for three days once, and on hold after the card was refused or too late", () => {
  fc.assert(
    fc.property(steps, (list) => {
      const unpaid = list.filter(({ cause }) => ["refused", "given-up", "held", "reactivated"].includes(cause));
      walk(unpaid, (before, event, state, now) => {
        const { cause } = event;
        const { reopenedUntil } = before;
        if (reopenedUntil === null) {
          if (state.reopenedUntil === null) return;
          const until = after(now, 3 * DAY);
          expect([cause, state.status]).toEqual(["reactivated", "retrying"]);
          expect([state.nextChargeAt, state.reopenedUntil]).toEqual([until, until]);
          expect(graceEnd(state, state.dunningSince ?? now, state.declinedForGood)).toEqual(until);
          return;
        }
        expect(state.reopenedUntil).toEqual(reopenedUntil);
        if (cause === "refused" && isRenewing(before)) {
          const isOutage = event.refused === "not-processed" && now < after(reopenedUntil, 13 * DAY);
          if (isOutage) expect(state.status).not.toBe("on_hold");
          else if (event.refused !== "not-processed") expect(state.status).toBe("on_hold");
        }
        if (cause === "reactivated" && now >= reopenedUntil) expect(state.status).toBe("on_hold");
      });
    }),
  );
});

/** The label of each cause in the diagram. */
const drawnAs: Readonly<Record<SubscriptionEvent["cause"], RegExp>> = {
  paid: /paid$|paid,/,
  refused: /refused/,
  "given-up": /given up/,
  cancelled: /cancelled/,
  resumed: /resumed/,
  held: /held by/,
  reactivated: /reactivated/,
};

test("the drawing of the subscription's life shows every change of status and its causes, and no other", () => {
  const page = readFileSync(new URL("../../docs/subscription.md", import.meta.url), "utf8");
  const drawn = [...page.matchAll(/^ {2}(\w+) --> (\w+): (.+)$/gm)].flatMap(([, from, to, label = ""]) =>
    Object.entries(drawnAs)
      .filter(([, pattern]) => from !== to && pattern.test(label))
      .map(([cause]) => `${from} --> ${to}: ${cause}`),
  );
  const walked = new Set<string>();
  const collect = (list: readonly Step[]) =>
    walk(list, ({ status }, { cause }, next) => {
      if (next.status !== status) walked.add(`${status} --> ${next.status}: ${cause}`);
    });
  fc.assert(fc.property(steps, collect), { numRuns: 2000, seed: 7 });
  expect([...walked].sort()).toEqual(drawn.sort());
});
