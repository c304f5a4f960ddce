import { expect, test } from "vitest";
import { holdAccount } from "#contract/admin/purchases.ts";
import { runReconciliation } from "#contract/admin/reconciliation.ts";
import { reactivateAccount } from "#contract/admin/users.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { cancelOwnSubscription, resumeOwnSubscription } from "#contract/purchases/subscriptions.ts";
import type { Tier } from "#contract/tiers.ts";
import { DAY } from "#server/base/clock.ts";
import { openAcademy, type RunningAcademy } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { booksOf } from "#test/books.ts";
import { confirmAddress } from "#test/coaching.ts";
import { forFile } from "#test/fixtures.ts";
import { openSandboxProcess } from "#test/stand-ins/sandbox-process.ts";
import { type Outcome, SubscriptionModel } from "#test/subscription-model.ts";
import { Visitor } from "#test/visitor.ts";

/**
 * A fixed seed, whose steps are of every kind. `model.long.test.ts` makes more of them by random seeds, on two nodes.
 */
const steps = Number(process.env.SUBSCRIPTION_STEPS ?? 24);
const seed = Number(process.env.SUBSCRIPTION_SEED ?? 338_623);
const stepsOfOneStudent = 60;

const pick = picker(seed);
/** Random numbers of its own, so that the steps do not depend on the number of requests. */
const pickNode = picker(seed + 1);

const sandbox = await forFile(openSandboxProcess());
const env = { SANDBOX_URL: sandbox.url, SESSION_SECRET: "one secret that both nodes of this test share" };
const academy = await forFile(openAcademyInProcess(env));
const nodes: RunningAcademy[] = [academy];
if (steps > 100) nodes.push(await forFile(openAcademy({ ...env, PUBLIC_URL: academy.url }, academy.database)));
// Counts the gateway's charges, so no other student may be charged meanwhile.
await (await academy.visitor().signInAsDemo("basic@academy.test")).call(cancelOwnSubscription, { body: {} });

/** Sends each request to one of the nodes, as behind a load balancer. Signs in again when the session has expired. */
class VisitorOfEither extends Visitor {
  override async send(...[method, path, ...rest]: Parameters<Visitor["send"]>): Promise<Response> {
    const { pathname, search } = new URL(path, this.origin);
    const sendToOne = () => super.send(method, pickNode(nodes).url + pathname + search, ...rest);
    const response = await sendToOne();
    if (response.status !== 401) return response;
    await (this === administrator ? this.signInAsDemo(this.email) : this.signInAgain());
    return sendToOne();
  }
}
const administrator: Visitor = await new VisitorOfEither(academy.url).signInAsDemo("admin@academy.test");

/** Deterministic for a seed. */
function picker(state: number): <Value>(values: readonly Value[]) => Value {
  let current = state;
  return <Value>(values: readonly Value[]) => {
    current = (Math.imul(current, 1_664_525) + 1_013_904_223) >>> 0;
    return values[Math.floor((current / 2 ** 32) * values.length)] as Value;
  };
}

/** The gateway's charges and refunds so far. */
async function moneyMoved(): Promise<{ charges: number; returns: number }> {
  const ledger = (await academy.ledger()).filter((row) => row.responseCode === "1");
  const charges = ledger.filter((row) => row.type === "authCaptureTransaction");
  const voided = charges.filter((row) => row.status === "voided");
  return { charges: charges.length, returns: ledger.length - charges.length + voided.length };
}

test(`${steps} random steps of subscriptions (seed ${seed}) go as the model says, money and access in step [F14]`, async () => {
  for (let done = 0; done < steps; done += stepsOfOneStudent) {
    const student = await new VisitorOfEither(academy.url).signUp();
    // An account with an unconfirmed address is deleted after a month in which it buys nothing.
    await academy.pool.query("update issuer.accounts set email_verified_at = now() where email = $1", [student.email]);
    await confirmAddress(academy, student);
    const userId = await student.id();
    const model = new SubscriptionModel();
    const before = await moneyMoved();
    const history: string[] = [];

    let disputed: string | undefined;
    const act: Record<string, () => Promise<[said: number, expected: number]>> = {
      buy: async () => {
        const tier = pick<Tier>(["basic", "basic", "basic", "basic", "premium", "vip"]);
        history.push(tier);
        // When the quote is refused, so is the purchase.
        const body = await student.quotedPaymentFor(tier).catch(() => student.paymentFor(tier));
        const paid = await student.call(acceptPayment, { body });
        return [paid.status, model.buy(tier, paid.body.purchaseId)];
      },
      cancel: async () => [(await student.call(cancelOwnSubscription, { body: {} })).status, model.cancel()],
      resume: async () => [(await student.call(resumeOwnSubscription, { body: {} })).status, model.resume()],
      newCard: async () => [(await student.changeCard()).status, model.newCard()],
      hold: async () => {
        const purchases = await student.purchases();
        const subscription = purchases.find(({ id }) => id === model.subscriptions[0]?.id);
        if (!subscription) return [404, model.holdByHand()];
        const body = { userId, subscriptionId: subscription.subscriptionId };
        return [(await administrator.call(holdAccount, { body })).status, model.holdByHand()];
      },
      reactivate: async () => [
        (await administrator.call(reactivateAccount, { body: { userId } })).status,
        model.reactivate(),
      ],
      dispute: async () => {
        const charge = model.newest && (await academy.chargesOf(model.newest.id)).at(-1);
        // Only a settled charge is charged back, and by the rules of the card networks within 120 days.
        if (disputed || !charge || charge.status === "capturedPendingSettlement") return [0, 0];
        if ((await academy.now()) - Date.parse(charge.at) > 120 * DAY) return [0, 0];
        disputed = charge.transId;
        await academy.stage(disputed, "chargeback");
        model.isDisputed = true;
        return [(await administrator.call(runReconciliation, { body: {} })).status, 200];
      },
      withdraw: async () => {
        if (!disputed) return [0, 0];
        await academy.stage(disputed, "chargebackReversal");
        disputed = undefined;
        const { status } = await administrator.call(runReconciliation, { body: {} });
        model.isDisputed = false;
        await academy.advance("1d");
        model.advance(1);
        return [status, 200];
      },
      refund: async () => {
        // Whoever answers a dispute decides that there.
        if (disputed) return [0, 0];
        const { newest } = model;
        if (!newest) return [404, model.refund()];
        const { mayKeepAccessUntil } = await booksOf(administrator).preview(newest.id);
        const keepAccessUntil = pick([true, false]) ? (mayKeepAccessUntil ?? undefined) : undefined;
        history.push(keepAccessUntil ?? "at once");
        const { status } = await booksOf(administrator).refund(newest.id, { keepAccessUntil });
        return [status, model.refund(keepAccessUntil !== undefined)];
      },
    };

    for (let step = 0; step < Math.min(stepsOfOneStudent, steps - done); step++) {
      const kind = pick([
        ...["pass", "pass", "pass", "stage", "buy", "buy", "cancel", "resume"],
        ...["newCard", "hold", "reactivate", "refund", "dispute", "withdraw"],
      ]);
      history.push(kind);
      if (kind === "pass") {
        const days = pick([1, 3, 4, 7, 10, 30, 45]);
        history.push(`${days}d`);
        await academy.advance(`${days}d`);
        model.advance(days);
      } else if (kind === "stage") {
        const outcome = pick<Outcome>(["decline", "decline", "decline-hard", "approve"]);
        history.push(outcome);
        await academy.nextChargesOf(student, outcome);
        model.staged = [outcome];
      } else {
        const [said, expected] = (await act[kind]?.()) ?? [0, 0];
        expect(said, history.join(" ")).toBe(expected);
      }
      const subscription = await student.subscription();
      const access = await student.access();
      const { charges, returns } = await moneyMoved();
      expect(
        {
          subscription: subscription && { state: subscription.state, amountDue: subscription.amountDue },
          tier: access.tier,
          hasAccess: access.hasAccess,
          accountStatus: access.accountStatus,
          charges: charges - before.charges,
          returns: returns - before.returns,
        },
        history.join(" "),
      ).toEqual({
        subscription: model.shown,
        tier: model.tier,
        hasAccess: model.tier !== null && model.account === "active",
        accountStatus: model.account,
        charges: model.charges,
        returns: model.returns,
      });
    }
    await act.withdraw?.();
    await student.call(cancelOwnSubscription, { body: {} });
  }
  const { rows: discrepancies, lastError } = (await administrator.call(runReconciliation, { body: {} })).body;
  expect(discrepancies.filter(({ resolvedAt }) => resolvedAt === null)).toEqual([]);
  expect(lastError).toBeNull();
}, 7_200_000);
