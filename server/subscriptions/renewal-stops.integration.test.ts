import { join } from "node:path";
import type pg from "pg";
import { expect, onTestFinished } from "vitest";
import { getRenewals, resumeRenewals } from "#contract/admin/renewals.ts";
import { cancelOwnSubscription } from "#contract/purchases/subscriptions.ts";
import { readConfig } from "#server/context/config.ts";
import { backUp } from "#server/operations/backup.ts";
import { restore } from "#server/operations/restore.ts";
import { addressOf, type RunningAcademy } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { scrape } from "#test/metrics.ts";
import { findingsOf } from "#test/operate.ts";
import { createEmptyDatabase } from "#test/postgres.ts";
import { openGatewayProxy, refusedWith } from "#test/stand-ins/gateway-proxy.ts";
import { openSandboxProcess } from "#test/stand-ins/sandbox-process.ts";
import { shiftClock } from "#test/stand-ins/shifted-clock.ts";
import { folderOfTest } from "#test/temporary-folder.ts";

const secret = "one secret that all academies of this test share";

const { test } = await academyOfFile();

/** The stop that a refused charge leaves, with its next probe far away. */
async function stopForCredentials(pool: pg.Pool): Promise<void> {
  const stop = {
    since: new Date().toISOString(),
    code: "E00007",
    state: "stopped",
    refusedProbes: 9,
    refusedTrials: 0,
    nextProbeAt: "2999-01-01T00:00:00Z",
    extendedOn: null,
  };
  const statement =
    "insert into operational_marks (name, value, updated_at) values ('renewals-stopped:credentials', $1, now())";
  await pool.query(statement, [stop]);
}

const approved = async (academy: RunningAcademy) =>
  (await academy.ledger()).filter((row) => row.responseCode === "1").length;

test("a node whose clock is off by more than a minute charges nothing and says why [P25]", async () => {
  await using sandbox = await openSandboxProcess();
  const env = { SANDBOX_URL: sandbox.url };
  const setRight = shiftClock(-90_000);
  onTestFinished(setRight);
  await using wrong = await openAcademyInProcess(env);
  const before = await approved(wrong);
  // A student of the demo pays monthly.
  await wrong.advance("31d");
  expect(await approved(wrong)).toBe(before);
  const readiness = await fetch(`${wrong.url}/readyz`);
  expect(readiness.status).toBe(503);
  const { status } = (await readiness.json()) as { status: string };
  const sentence = /^Nothing is charged: this machine's clock is \d+ seconds behind the database's\.$/;
  expect(status).toMatch(sentence);
  const buyer = await wrong.visitor().signUp();
  const sent = (await wrong.ledger()).length;
  const refused = await buyer.buy("premium");
  expect(refused).toMatchObject({ status: 503, body: { message: expect.stringMatching(sentence) } });
  expect(await wrong.ledger()).toHaveLength(sent);
  expect(await scrape(wrong)).toContain('academy_renewals_stopped{reason="clock"} 1');
  await wrong.stop();
  setRight();

  // The demo's moved clock is no such thing.
  await using right = await openAcademyInProcess({ ...env, PUBLIC_URL: wrong.url }, wrong.database);
  await right.advance("5m");
  expect(await approved(right)).toBe(before + 1);
  expect((await fetch(`${right.url}/readyz`)).status).toBe(200);
  expect(await scrape(right)).toContain('academy_renewals_stopped{reason="clock"} 0');
});

test("a restored academy renews nothing until one comparison has read the gateway's books [P37]", async () => {
  const folder = folderOfTest();
  await using sandbox = await openSandboxProcess();
  await using between = await openGatewayProxy(sandbox.url);
  const env = { ...between.env, SESSION_SECRET: secret };
  const file = join(folder, "academy.tar");
  {
    await using lost = await openAcademyInProcess(env);
    await lost.buyer("basic");
    await backUp(readConfig({ DATA_DIR: lost.dataDir, DATABASE_URL: addressOf(lost.database) }), file, "1.2.3");
  }
  const database = await createEmptyDatabase();
  onTestFinished(() => database.drop());
  const where = { DATA_DIR: join(folder, "restored"), DATABASE_URL: addressOf(database) };
  await restore(readConfig(where), file);
  const charges = () => between.requests.filter(({ isStoredCharge }) => isStoredCharge).length;

  between.answering(({ name }) => (name === "getSettledBatchListRequest" ? refusedWith("E00053") : null));
  await using restored = await openAcademyInProcess({ ...env, ...where });
  await restored.advance("31d");
  await restored.advance("1h");
  expect(charges()).toBe(0);
  expect(await scrape(restored)).toContain('academy_renewals_stopped{reason="restored"} 1');
  expect((await findingsOf({ ...where, PORT: new URL(restored.url).port })).Renewals).toMatch(
    /^PROBLEM This academy was restored/,
  );

  between.answering(null);
  await restored.advance("16m");
  await restored.advance("1m");
  expect(await scrape(restored)).toContain('academy_renewals_stopped{reason="restored"} 0');
  expect(charges()).toBe(1);
});

test("an administrator sees that renewals wait for the gateway's credentials, and has one tried at once [P38]", async ({
  academy,
  administrator,
}) => {
  expect((await administrator.call(getRenewals)).body).toEqual({ obstacles: [] });
  expect(await administrator.call(resumeRenewals, { body: {} })).toMatchObject({ status: 409 });
  await stopForCredentials(academy.pool);
  const { obstacles } = (await administrator.call(getRenewals)).body;
  expect(obstacles).toMatchObject([{ reason: "credentials", sentence: expect.stringContaining("(E00007)") }]);
  const before = await approved(academy);
  await academy.advance("31d");
  expect(await approved(academy)).toBe(before);

  await administrator.signInAsDemo("admin@academy.test");
  const body = { reason: "the key was changed" };
  expect(await administrator.call(resumeRenewals, { body })).toMatchObject({ status: 200 });
  await academy.advance("1m");
  expect(await approved(academy)).toBe(before + 1);
  expect((await administrator.call(getRenewals)).body).toEqual({ obstacles: [] });
});

test("after the gateway refused our credentials, those who wait for a person hold up nobody's renewal [P38]", async ({
  academy,
}) => {
  await (await academy.visitor().signInAsDemo("basic@academy.test")).call(cancelOwnSubscription, { body: {} });
  for (let waiting = 0; waiting < 5; waiting++) await academy.buyer("basic");
  await academy.pool.query(
    `insert into payment_attempts (id, purchase_id, user_id, kind, initiated_by, renews_from, idempotency_key, reference,
        invoice_number, amount, state, cause, sent_at, resolved_at)
      select id, purchase_id, user_id, 'renewal', 'renewal', current_period_end, id, id, 'invoice', price, 'not-processed',
        'not-found', now(), now()
      from (select purchase_id, user_id, current_period_end, price, right(id, 18) || n as id
        from subscriptions, generate_series(1, 3) n where status = 'active') as tries`,
  );
  await academy.buyer("basic");
  await stopForCredentials(academy.pool);
  await academy.advance("31d");
  const before = await approved(academy);
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  const body = { reason: "the key was changed" };
  expect(await administrator.call(resumeRenewals, { body })).toMatchObject({ status: 200 });
  await academy.advance("2m");
  expect((await administrator.call(getRenewals)).body).toEqual({ obstacles: [] });
  expect(await approved(academy)).toBe(before + 1);
});
