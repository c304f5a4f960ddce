import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { acceptPayment, directPayment, testConnection } from "#contract/purchases/purchases.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { test } from "#test/fixtures.ts";

const pan = "5424000000000015";
const code = "901";
/** Of the payment test, in which each test names its card. */
const paid = { amount: 1, tier: "basic", customerEmail: "admin@academy.test", customerName: "Ruth Okafor" };

test("after purchases, declines and the payment test, log, database and files hold no card, code or token [P33 G03 G05]", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "academy-secrets-"));
  await using academy = await openAcademyInProcess({ DATA_DIR: dataDir, LOG_LEVEL: "trace" });
  const buyer = await academy.visitor().signUp();
  const bodies = [
    await buyer.paymentFor("basic", { number: pan, cvv: code, zip: "46282" }),
    await buyer.paymentFor("basic", { number: pan, cvv: code }),
  ];
  for (const body of bodies) await buyer.call(acceptPayment, { body });
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  const body = { ...paid, cardNumber: pan, expirationDate: "12/2034", cvv: code };
  const tested = await administrator.call(directPayment, { body });
  expect(tested).toMatchObject({ status: 200, body: { success: true, method: "direct" } });
  const charge = (await academy.ledger()).find((row) => row.transId === tested.body.transactionId);
  expect(charge?.status).toBe("voided");
  expect((await administrator.call(testConnection)).body).toMatchObject({ success: true });

  const records = new Map([["log", academy.log.join("\n")]]);
  const { rows: tables } = await academy.pool.query(
    "select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_schema in ('public', 'issuer')",
  );
  for (const { name } of tables) {
    const { rows } = await academy.pool.query(`select string_agg(t::text, E'\\n') as text from ${name} t`);
    records.set(name, rows[0].text ?? "");
  }
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) records.set(entry.name, await readFile(join(entry.parentPath, entry.name), "latin1"));
  }
  for (const [name, text] of records) {
    expect(text.includes(pan), `${name} holds the card number`).toBe(false);
    for (const { opaqueDataValue } of bodies)
      expect(text.includes(opaqueDataValue), `${name} holds a token`).toBe(false);
    expect(/"?(cvv|cardCode)"?\s*[:=]\s*"?901/i.test(text), `${name} holds the code`).toBe(false);
  }
  expect(records.get("public.payment_attempts")).toContain("0015");
  await rm(dataDir, { recursive: true, force: true });
});

test("the payment test takes nothing but a published card and exactly one dollar [P33]", async ({ administrator }) => {
  const body = { ...paid, cardNumber: "4111111111111111", expirationDate: "12/34", cvv: "900" };
  for (const change of [
    { amount: 1.01 },
    { amount: 2 },
    { cardNumber: "4532015112830366" },
    { cvv: "9" },
    { expirationDate: "13/34" },
  ]) {
    expect((await administrator.call(directPayment, { body: { ...body, ...change } })).status).toBe(400);
  }
});
