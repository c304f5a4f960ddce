import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { catalogue } from "#content/catalogue.ts";
import { type DemoAccount, demoAccounts } from "#content/demo-accounts.ts";
import { dollarsOf } from "#contract/money.ts";
import { renewalConsent } from "#contract/purchases/purchases.ts";
import { planOnSale } from "#server/catalogue/catalogue.ts";
import type { PastAccount } from "#server/demo/rows.ts";
import { clientAt } from "#server/http/client.ts";
import { recordSignIn } from "#server/identity/sign-ins.ts";
import { setRole } from "#server/identity/team.ts";
import { builtInIssuer, type User } from "#server/identity/users.ts";
import { listOpenAttempts } from "#server/payments/attempts.ts";
import type { PaymentContext } from "#server/payments/handlers.ts";
import { paymentResolver } from "#server/payments/resolver.ts";
import { noteProgress } from "#server/progress/progress.ts";
import { acceptPayment } from "#server/purchases/checkout.ts";
import { suspend } from "#server/subscriptions/accounts.ts";
import { renew } from "#server/subscriptions/renewals.ts";
import { findSubscription } from "#server/subscriptions/subscriptions.ts";
import { after, DAY, HOUR } from "./base/clock.ts";
import { Refusal } from "./base/refusal.ts";
import type { Context } from "./context/context.ts";
import type { Db } from "./db/db.ts";
import { addOperationalMark, findOperationalMark } from "./db/operational-marks.ts";
import { seedCoaching } from "./seed-coaching.ts";
import { seedFilm } from "./seed-film.ts";
import { seedResources } from "./seed-resources.ts";

const marker = "demo-seeded";
const teamMarker = "demo-team-seeded";
export type ImportAccounts = (tx: Db, accounts: readonly PastAccount[]) => Promise<void>;

const seedLock = 7_204_413;
const tierOfPlan = { basic_monthly: "basic", premium_annual: "premium", vip_lifetime: "vip" } as const;
const lessonsDone = { basic: 3, premium: 6, vip: 12 } as const;
const client = clientAt("127.0.0.1");

/**
 * Seeds the demo accounts through the use cases, so that the gateway's ledger has their purchases. A start after a
 * kill finishes the seed.
 */
export async function seedDemo(ctx: PaymentContext, demo: Demo): Promise<void> {
  // Nodes that start together take turns: the first one seeds and the others wait.
  while (!(await isSeeded(ctx)) && !(await seedInTurn(ctx, demo))) await wait(200);
}

interface Demo {
  readonly gatewayApiUrl: string;
  readonly importAccounts: ImportAccounts;
  readonly hasHistory: boolean;
}

/** False while another node holds the lock. The steps use other connections. */
function seedInTurn(ctx: PaymentContext, { gatewayApiUrl, importAccounts, hasHistory }: Demo): Promise<boolean> {
  return ctx.db.transaction(async (turn) => {
    const { rows } = (await turn.execute(sql`select pg_try_advisory_xact_lock(${seedLock}) as mine`)) as {
      rows: { mine: boolean }[];
    };
    if (!rows[0]?.mine) return false;
    if (await arePeopleSeeded(ctx)) {
      await seedTeam(ctx);
      return true;
    }
    if (hasHistory) {
      // Loaded by the first start only.
      const { openPastYear, seedHistory } = await import("#server/demo/seed-history.ts");
      const year = await openPastYear(ctx);
      await seedResources(asOf(ctx, year.from));
      await seedHistory(ctx, year, gatewayApiUrl, importAccounts);
    } else await seedResources(ctx);
    await seedPeople(ctx, { gatewayApiUrl, hasFilm: hasHistory });
    await seedTeam(ctx);
    return true;
  });
}

async function isSeeded(ctx: Context): Promise<boolean> {
  return (await arePeopleSeeded(ctx)) && (await isMarked(ctx, teamMarker));
}

function arePeopleSeeded(ctx: Context): Promise<boolean> {
  return isMarked(ctx, marker);
}

async function isMarked(ctx: Context, name: string): Promise<boolean> {
  return (await findOperationalMark(ctx.db, name)) !== null;
}

/** Gives the team its roles once, so that a role which was taken stays taken. */
async function seedTeam(ctx: Context): Promise<void> {
  if (await isMarked(ctx, teamMarker)) return;
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    for (const account of demoAccounts.filter(({ role }) => role === "support")) {
      await setRole(tx, (await recordSignIn(ctx, tx, personOf(account))).id, "support", now);
    }
    await addOperationalMark(tx, teamMarker, now.toISOString(), now);
  });
}

async function seedPeople(
  ctx: PaymentContext,
  { gatewayApiUrl, hasFilm }: { gatewayApiUrl: string; hasFilm: boolean },
): Promise<void> {
  let isComplete = true;
  const people = new Map<string, User>();
  for (const account of demoAccounts) {
    try {
      people.set(account.subject, await seedPerson(ctx, account, gatewayApiUrl));
    } catch (error) {
      if (!(error instanceof Refusal && error.code === "payment-in-progress")) throw error;
      ctx.log.warn({ subject: account.subject }, "a demo payment is still being confirmed");
      isComplete = false;
    }
  }
  const subjects = ["demo-admin", "demo-coach", "demo-vip", "demo-premium"];
  const [owner, coach, lifetime, annual] = subjects.map((subject) => people.get(subject));
  if (!isComplete || !owner || !coach || !lifetime || !annual) return;
  await seedCoaching(ctx, { coach, lifetime, annual });
  if (hasFilm) await seedFilm(ctx, owner);
  const now = ctx.clock.now();
  await addOperationalMark(ctx.db, marker, now.toISOString(), now);
}

async function seedPerson(ctx: PaymentContext, account: DemoAccount, gatewayApiUrl: string): Promise<User> {
  const now = ctx.clock.now();
  const began = asOf(ctx, after(now, -daysAgo(account) * DAY));
  const person = personOf(account);
  let user = await recordSignIn(began, began.db, person);
  // Clears what a killed start left: payments under way, and a staged outcome.
  await setNextOutcomes(gatewayApiUrl, []);
  if (await settlePayments(ctx, user)) user = await recordSignIn(began, began.db, person);
  if (!account.plan || user.accountStatus !== "active") return user;
  const tier = tierOfPlan[account.plan];
  if (!user.hasPurchasedCourse) await buy(began, user, account, tier, gatewayApiUrl);
  await watch(account.state === "on_hold" ? began : ctx, user, lessonsDone[tier]);
  if (account.state === "on_hold") await declineRenewals(ctx, user, now, gatewayApiUrl);
  if (account.state === "suspended") await ctx.db.transaction((tx) => suspend(tx, user.id, sharing, now));
  return user;
}

function personOf({ subject, email, firstName, lastName }: DemoAccount) {
  return { issuer: builtInIssuer, subject, email, emailVerified: true, emailVerifiedAt: null, firstName, lastName };
}

/** How long ago the account bought: long enough for declined renewals, or for a past coaching session. */
function daysAgo({ state, plan }: DemoAccount): number {
  if (state === "on_hold") return 45;
  return plan === "vip_lifetime" ? 40 : 0;
}

const sharing = "Suspended by the administrator for sharing sign-in details.";

/** Declines each renewal on its day, the last one yesterday, so that the account is on hold. */
async function declineRenewals(ctx: PaymentContext, user: User, now: Date, gatewayApiUrl: string): Promise<void> {
  const subscription = await findSubscription(ctx.db, user.id, now);
  if (!subscription) throw new Error("the demo's held student has no subscription");
  for (const days of [15, 12, 8, 1]) {
    await setNextOutcomes(gatewayApiUrl, ["decline"]);
    await renew(asOf(ctx, after(now, -days * DAY)), { purchaseId: subscription.purchaseId });
  }
  // Clears the outcomes that no charge took, as an earlier start may have made these renewals.
  await setNextOutcomes(gatewayApiUrl, []);
}

async function setNextOutcomes(gatewayApiUrl: string, outcomes: readonly string[]): Promise<void> {
  await fetch(new URL("/sandbox/api/gateway/next", gatewayApiUrl), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ outcomes }),
  });
}

/**
 * Settles payments that a killed start left. Its process is dead, so that what the gateway does not list was never
 * charged. Returns whether there were any.
 */
async function settlePayments(ctx: PaymentContext, user: User): Promise<boolean> {
  const open = await listOpenAttempts(ctx.db, user.id);
  for (const { id, sentAt } of open) {
    await paymentResolver.resolve(asOf(ctx, sentAt), id, 1);
    await paymentResolver.resolve(asOf(ctx, after(sentAt, HOUR)), id, 3);
  }
  return open.length > 0;
}

function asOf<Ctx extends Context>(ctx: Ctx, instant: Date): Ctx {
  return { ...ctx, clock: { ...ctx.clock, now: () => instant } };
}

async function buy(
  ctx: PaymentContext,
  user: User,
  account: DemoAccount,
  tier: "basic" | "premium" | "vip",
  gatewayApiUrl: string,
): Promise<void> {
  const plan = await planOnSale(ctx, tier);
  const { descriptor, value } = await tokenizeTestCard(ctx, gatewayApiUrl);
  await acceptPayment(
    ctx,
    user,
    {
      amount: dollarsOf(plan.price),
      tier,
      priceId: plan.id,
      opaqueDataDescriptor: descriptor,
      opaqueDataValue: value,
      customerEmail: user.email,
      customerName: `${account.firstName} ${account.lastName}`,
      ...(tier === "basic" && { renewalConsent: renewalConsent.version }),
    },
    client,
  );
}

async function watch(ctx: Context, user: User, lessonsDone: number): Promise<void> {
  const openedAt = after(ctx.clock.now(), -HOUR);
  const lessons = catalogue.flatMap((module) => module.lessons).filter((lesson) => lesson.durationSeconds > 0);
  for (const [at, lesson] of lessons.slice(0, lessonsDone + 1).entries()) {
    const seconds = at < lessonsDone ? lesson.durationSeconds : Math.floor(lesson.durationSeconds / 2);
    await noteProgress(ctx, user, lesson.id, { watched: [[0, seconds]], position: seconds }, openedAt);
  }
}

async function tokenizeTestCard(ctx: Context, apiUrl: string): Promise<{ descriptor: string; value: string }> {
  const { apiLoginId, clientKey } = ctx.gateway.browser;
  const response = await fetch(apiUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      securePaymentContainerRequest: {
        merchantAuthentication: { name: apiLoginId, clientKey },
        data: {
          type: "TOKEN",
          id: randomUUID(),
          token: { cardNumber: "4111111111111111", expirationDate: "122034", cardCode: "900", zip: "90210" },
        },
      },
    }),
  });
  const body = JSON.parse((await response.text()).replace(/^\uFEFF/, "")) as {
    opaqueData?: { dataDescriptor: string; dataValue: string };
  };
  if (!body.opaqueData) throw new Error("the stand-in gateway did not tokenize the test card");
  return { descriptor: body.opaqueData.dataDescriptor, value: body.opaqueData.dataValue };
}
