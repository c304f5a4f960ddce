import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getCourseAccess } from "#contract/access.ts";
import { listAudit } from "#contract/admin/audit.ts";
import { refundPurchase } from "#contract/admin/purchases.ts";
import { getReconciliation, repairDiscrepancy, runReconciliation } from "#contract/admin/reconciliation.ts";
import { getStats } from "#contract/admin/statistics.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { acceptPayment, listUserPurchases } from "#contract/purchases/purchases.ts";
import type { Tier } from "#contract/tiers.ts";
import { openPool } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { examine } from "#server/operations/doctor/doctor.ts";
import { addressOf } from "#test/academy.ts";
import { type AcademyInProcess, openAcademyInProcess } from "#test/academy-in-process.ts";
import { makeCoupon } from "#test/coupons.ts";
import { programEnv } from "#test/program-env.ts";
import type { Visitor } from "#test/visitor.ts";

let academy: AcademyInProcess;
let administrator: Visitor;
let pool: ReturnType<typeof openPool>;
beforeAll(async () => {
  academy = await openAcademyInProcess();
  administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  pool = openPool(academy.database.connection, () => {}, 2);
});
afterAll(async () => {
  await pool.end();
  await academy[Symbol.asyncDispose]();
});

async function buy(tier: Tier = "premium", code?: string) {
  const buyer = await academy.visitor().signUp();
  const body = code ? await buyer.quotedPaymentFor(tier, {}, code) : await buyer.paymentFor(tier);
  const answer = await buyer.call(acceptPayment, { body });
  expect(answer.status).toBe(200);
  const { purchaseId, transactionId } = answer.body;
  return { buyer, purchaseId, transactionId: transactionId ?? "", code: code ?? "" };
}

const run = async () =>
  (await administrator.call(runReconciliation, { body: {} })).body.discrepancies.filter(
    ({ resolvedAt }) => !resolvedAt,
  );
const repair = (discrepancyId: string, action?: string) =>
  administrator.call(repairDiscrepancy, { body: { discrepancyId, action, reason: "a test" } });
const accessOf = async (buyer: Visitor) => (await buyer.call(getCourseAccess)).body;
const revenue = async () => (await administrator.call(getStats)).body.totalRevenue;

/** Runs an operator's command. */
async function operate(script: string, ...args: string[]): Promise<{ code: number; said: string }> {
  const child = spawn(process.execPath, [`scripts/${script}.ts`, ...args], {
    cwd: fileURLToPath(new URL("../../..", import.meta.url)),
    env: {
      ...programEnv,
      DATA_DIR: academy.dataDir,
      DATABASE_URL: addressOf(academy.database),
      PORT: new URL(academy.url).port,
    },
  });
  const [said, complaints, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  expect(complaints).not.toContain("Warning");
  return { code: code as number, said };
}
/** The doctor's findings about the books, run in this process. */
async function examineBooks(): Promise<{ problem: boolean; said: string }> {
  const env = {
    DATA_DIR: academy.dataDir,
    DATABASE_URL: addressOf(academy.database),
    PORT: new URL(academy.url).port,
  };
  let problem = false;
  const said: string[] = [];
  for await (const finding of examine(env, process.versions.node)) {
    if (finding.name !== "Books") continue;
    problem ||= finding.problem;
    said.push(finding.detail);
  }
  return { problem, said: said.join("\n") };
}
const agreed = { problem: false, said: "agree with themselves and with the gateway's" };

/** Changes rows directly in the database, append-only ones too. */
async function inject(statement: string, values: unknown[]): Promise<void> {
  const client = await pool.connect();
  const ledgers = ["grants", "grant_ends"];
  try {
    for (const table of ledgers) await client.query(`alter table ${table} disable trigger append_only`);
    const { rowCount } = await client.query(statement, values);
    expect(rowCount).toBeGreaterThan(0);
  } finally {
    for (const table of ledgers) await client.query(`alter table ${table} enable trigger append_only`);
    client.release();
  }
}

test("a clean demo has no discrepancy, today and months later, by any of the ways to compare", async () => {
  expect(await run()).toEqual([]);
  expect(await examineBooks()).toEqual(agreed);
  await academy.advance("45d");
  await academy.advance("30d");
  administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  expect(await run()).toEqual([]);
  expect(await operate("reconcile")).toMatchObject({ code: 0, said: expect.stringContaining("0 open discrepancies") });
  const { said } = await operate("operate", "doctor");
  expect(said).toMatch(/^ok {7}Books: agree with themselves and with the gateway's$/m);
});

interface WrongRow {
  readonly name: string;
  /** What is corrupted. */
  readonly coupon?: string;
  readonly kind: string;
  /** Expected in the sentence. */
  readonly says: RegExp;
  inject(bought: Awaited<ReturnType<typeof buy>>): Promise<void>;
  /** Expected after the repair. */
  repaired(bought: Awaited<ReturnType<typeof buy>>): Promise<void>;
}

async function usesOf(code: string) {
  const { rows } = await pool.query(
    "select uses, state from coupons join coupon_uses on coupon_code = code where code = $1",
    [code],
  );
  return rows;
}

const isOpen = async ({ buyer }: { buyer: Visitor }) =>
  expect(await accessOf(buyer)).toMatchObject({ hasAccess: true, tier: "premium" });

const discrepancies: readonly WrongRow[] = [
  {
    name: "a paid purchase without its grant",
    kind: "grant-missing",
    says: /paid \$397.00 for Annual Access .* and no grant opens the course/,
    inject: ({ purchaseId }) => inject("delete from grants where source = 'purchase' and source_id = $1", [purchaseId]),
    async repaired(bought) {
      await isOpen(bought);
      const { until } = await accessOf(bought.buyer);
      const [purchase] = (await bought.buyer.call(listUserPurchases)).body;
      expect(Date.parse(until ?? "") - Date.parse(purchase?.createdAt ?? "")).toBeGreaterThanOrEqual(365 * 86_400_000);
    },
  },
  {
    name: "a grant without a payment",
    kind: "grant-unpaid",
    says: /has a grant .* that no payment stands behind/,
    inject: async ({ buyer }) =>
      inject(
        `insert into grants (id, user_id, tier, source, source_id, purchase_id, starts_at, created_at)
         select $1, id, 'vip', 'purchase', $2, null, now(), now() from users where email = $3`,
        [newId(), newId(), buyer.email],
      ),
    repaired: isOpen,
  },
  {
    name: "a completed purchase without an attempt",
    kind: "attempt-missing",
    says: /has Annual Access .* as completed for \$397.00, and there is no approved payment attempt/,
    inject: ({ purchaseId }) => inject("delete from payment_attempts where purchase_id = $1", [purchaseId]),
    async repaired({ buyer, purchaseId, transactionId }) {
      await isOpen({ buyer });
      const { rows } = await pool.query(
        "select state, transaction_id, amount from payment_attempts where purchase_id = $1",
        [purchaseId],
      );
      expect(rows).toEqual([{ state: "approved", transaction_id: transactionId, amount: "397.00" }]);
    },
  },
  {
    name: "an approved attempt under a failed purchase",
    kind: "purchase-not-completed",
    says: /paid \$397.00 for Annual Access .* and the purchase does not count as completed/,
    inject: ({ purchaseId }) => inject("update purchases set status = 'failed' where id = $1", [purchaseId]),
    async repaired({ buyer }) {
      await isOpen({ buyer });
      expect((await buyer.call(listUserPurchases)).body[0]?.status).toBe("completed");
    },
  },
  {
    name: "a changed amount",
    kind: "amount-changed",
    says: /was charged \$397.00 for Annual Access .* and the purchase says \$1.00/,
    inject: ({ purchaseId }) => inject("update purchases set amount = 1 where id = $1", [purchaseId]),
    async repaired({ buyer }) {
      expect((await buyer.call(listUserPurchases)).body[0]?.amount).toBe("397.00");
    },
  },
  {
    name: "an amount that was changed wherever we keep it",
    kind: "amount-differs",
    says: /paid \$397.00 for Annual Access .* by the gateway's charge \d+; our books say \$1.00/,
    inject: async ({ purchaseId }) => {
      await inject("update purchases set amount = 1 where id = $1", [purchaseId]);
      await inject("update payment_attempts set amount = 1 where purchase_id = $1", [purchaseId]);
    },
    async repaired({ buyer }) {
      expect((await buyer.call(listUserPurchases)).body[0]?.amount).toBe("397.00");
    },
  },
  {
    name: "a refund that the gateway never made",
    kind: "refund-missing",
    says: /Our books say that \$100.00 went back to .* for Annual Access .*, and the gateway has no such refund/,
    inject: ({ purchaseId }) =>
      inject(
        `insert into refunds (id, purchase_id, attempt_id, user_id, kind, amount, ends_access, reference, state,
           transaction_id, actor, sent_at, resolved_at)
         select $1, purchase_id, id, user_id, 'refund', 100, false, $2, 'returned', '60999999999', 'nobody',
           resolved_at - interval '1 day', resolved_at - interval '1 day'
         from payment_attempts where purchase_id = $3`,
        [newId(), newId(), purchaseId],
      ),
    async repaired({ buyer, purchaseId }) {
      await isOpen({ buyer });
      const { rows } = await pool.query("select amount from refunds where purchase_id = $1 and state = 'returned'", [
        purchaseId,
      ]);
      const refunds = (await academy.ledger()).filter(({ type }) => type === "refundTransaction");
      expect(refunds).toHaveLength(rows.length);
    },
  },
  {
    name: "an end of a grant out of nothing",
    kind: "end-unfounded",
    says: /The access of .* for Annual Access .* was ended, and neither a refund nor an administrator did it/,
    inject: ({ purchaseId }) =>
      inject(
        `insert into grant_ends (id, grant_id, ends_at, reason, created_at)
         select $1, id, starts_at + interval '1 second', 'nothing', starts_at from grants where purchase_id = $2`,
        [newId(), purchaseId],
      ),
    repaired: isOpen,
  },
  {
    name: "a coupon that counts more uses than it has",
    coupon: "OURS-1",
    kind: "coupon-count",
    says: /The coupon OURS-1 counts 9 uses, where students have or reserved 1\./,
    inject: ({ code }) => inject("update coupons set uses = 9 where code = $1", [code]),
    repaired: async ({ code }) => expect(await usesOf(code)).toEqual([{ uses: 1, state: "used" }]),
  },
  {
    name: "a use that stayed reserved after its payment",
    coupon: "OURS-2",
    kind: "coupon-use",
    says: /The use by .* of the coupon OURS-2 counts as reserved, where the purchases make it used\./,
    inject: ({ code }) => inject("update coupon_uses set state = 'reserved' where coupon_code = $1", [code]),
    repaired: async ({ code }) => expect(await usesOf(code)).toEqual([{ uses: 1, state: "used" }]),
  },
  {
    name: "a use that was given back although it was paid",
    coupon: "OURS-3",
    kind: "coupon-use",
    says: /The use by .* of the coupon OURS-3 counts as released, where the purchases make it used\./,
    async inject({ code }) {
      await inject("update coupon_uses set state = 'released' where coupon_code = $1", [code]);
      await inject("update coupons set uses = 0 where code = $1", [code]);
    },
    repaired: async ({ code }) => expect(await usesOf(code)).toEqual([{ uses: 1, state: "used" }]),
  },
  {
    name: "a changed cached tier",
    kind: "tier-cache",
    says: /The lists show .* with vip, where the grants give premium/,
    inject: ({ buyer }) => inject("update users set purchased_tier = 'vip' where email = $1", [buyer.email]),
    async repaired({ buyer }) {
      expect((await buyer.call(getCurrentUser)).body).toMatchObject({ purchasedTier: "premium" });
    },
  },
  {
    name: "a cached purchase that never was",
    kind: "tier-cache",
    says: /The lists show .* with premium, never opened, where the grants give premium/,
    inject: ({ buyer }) => inject("update users set has_purchased_course = false where email = $1", [buyer.email]),
    async repaired({ buyer }) {
      expect((await buyer.call(getCurrentUser)).body).toMatchObject({ hasPurchasedCourse: true });
    },
  },
];

test.each(discrepancies)(
  "$name is named by reconciliation and doctor, and its action repairs it [P35]",
  async (one) => {
    if (one.coupon) await makeCoupon(administrator, one.coupon, await academy.now());
    const bought = await buy("premium", one.coupon);
    // Only settled charges are refunded and not voided.
    await academy.advance("1d");
    administrator = await academy.visitor().signInAsDemo("admin@academy.test");
    const before = await revenue();
    await one.inject(bought);

    const seen = await examineBooks();
    expect(seen.problem).toBe(true);
    expect(seen.said).toMatch(one.says);
    if (one.kind !== "coupon-count") expect(seen.said).toContain(bought.buyer.email);

    const found = await run();
    expect(found.map(({ kind }) => kind)).toContain(one.kind);
    const discrepancy = found.find(({ kind }) => kind === one.kind);
    expect(discrepancy?.sentence).toMatch(one.says);
    if (one.kind !== "coupon-count") expect(discrepancy?.sentence).toContain(bought.buyer.email);
    if (!["tier-cache", "grant-unpaid", "coupon-count", "coupon-use"].includes(one.kind)) {
      expect(discrepancy?.sentence).toContain(bought.purchaseId);
    }

    const repaired = await repair(discrepancy?.id ?? "");
    expect(repaired.status, JSON.stringify(repaired.body)).toBe(200);
    await one.repaired(bought);
    const audited = (await administrator.call(listAudit, { query: { subject: discrepancy?.id ?? "" } })).body;
    expect(audited).toMatchObject([{ action: `repair ${one.kind}`, reason: "a test" }]);

    expect(await run()).toEqual([]);
    expect(await examineBooks()).toEqual(agreed);
    if (one.kind !== "refund-missing") expect(await revenue()).toBe(before);
  },
);

test("the nightly run and the command line name a discrepancy too, and one that is gone is closed by itself", async () => {
  const { buyer } = await buy();
  await inject("update users set purchased_tier = 'basic' where email = $1", [buyer.email]);
  const { code, said } = await operate("reconcile");
  expect(code).toBe(2);
  expect(said).toMatch(new RegExp(`The lists show .*${buyer.email}.* At /admin/reconciliation: Follow the grants\\.`));
  const examined = await operate("operate", "doctor");
  expect(examined.code).toBe(1);
  expect(examined.said).toMatch(new RegExp(`^PROBLEM {2}Books: .*The lists show .*${buyer.email}`, "m"));
  await inject("update users set purchased_tier = 'premium' where email = $1", [buyer.email]);
  await academy.advance("1d");
  administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  const { discrepancies } = (await administrator.call(getReconciliation)).body;
  expect(discrepancies.find(({ sentence }) => sentence.includes(buyer.email))?.resolution).toBe("Gone by itself");
});

test("a refund that was booked and never made can be kept as ours, and what it ended is open again", async () => {
  const { buyer, purchaseId } = await buy("vip");
  await academy.advance("1d");
  administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  const before = await revenue();
  await administrator.call(refundPurchase, { body: { purchaseId, reason: "a test" } });
  await pool.query(
    "update refunds set transaction_id = '60999999998', reference = $2, id = $3 where purchase_id = $1",
    [purchaseId, newId(), newId()],
  );
  const found = (await run()).find(({ kind }) => kind === "refund-missing");
  expect((await repair(found?.id ?? "", "take-back")).status).toBe(200);
  expect(await revenue()).toBe(before);
  expect(await accessOf(buyer)).toMatchObject({ hasAccess: true, tier: "vip", until: null });
});
