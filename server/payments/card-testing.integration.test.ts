import { expect, test } from "vitest";
import { deleteUser } from "#contract/profile.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { changeCard } from "#contract/purchases/subscriptions.ts";
import type { RunningAcademy } from "#test/academy.ts";
import { forFile } from "#test/fixtures.ts";
import { whileLocked } from "#test/locks.ts";
import { openTwoNodesInProcess } from "#test/two-nodes.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

const declinedZip = "46282";

const { nodes, pool } = await forFile(openTwoNodesInProcess({ TRUST_PROXY: "loopback" }));
const [first] = nodes;

const signUp = () => first.visitor().signUp();

let sent = 0;
/** A request to one of the nodes, as a reverse proxy forwards it from this address. */
async function post(visitor: Visitor, path: string, body: object, from: string): Promise<number> {
  const node = nodes[sent++ % 2] as RunningAcademy;
  const response = await visitor.send("POST", node.url + path, JSON.stringify(body), { "x-forwarded-for": from });
  return response.status;
}

/** Submits a card on the card page. */
async function tryCard(visitor: Visitor, from: string, zip = declinedZip): Promise<number> {
  return post(visitor, changeCard.path, await visitor.newCard({ zip }), from);
}

/** Buys a plan. */
async function buy(visitor: Visitor, from: string, zip?: string): Promise<number> {
  return post(visitor, acceptPayment.path, await visitor.paymentFor("premium", zip ? { zip } : {}), from);
}

/** Of a buyer whom no other test counts. Each is of another client if `client` is "many". */
function declinesOf(client: string, count: number) {
  return pool.query(
    `insert into card_validations (id, purchase_id, user_id, state, token_hash, client_hash, sent_at)
      select gen_random_uuid(), p.id, p.user_id, 'declined', gen_random_uuid(), case $1 when 'many' then 'c' || n else $1 end, now()
      from generate_series(1, $2::int) n, purchases p join users u on u.id = p.user_id
      where u.email = 'basic@academy.test'`,
    [client, count],
  );
}

/** Has a card declined, and inserts as many more declines of the same client. */
async function decline(visitor: Visitor, from: string, more: number): Promise<string> {
  expect(await buy(visitor, from, declinedZip)).toBe(402);
  const { rows } = await pool.query("select client_hash from payment_attempts order by sent_at desc limit 1");
  await declinesOf(rows[0].client_hash, more);
  return rows[0].client_hash;
}

const declinedOnly = (statuses: readonly number[]) => statuses.filter((status) => status === 402);
const logLines = (text: string) => nodes.flatMap(({ log }) => log).filter((line) => line.includes(text)).length;

test("of twenty cards of one person on two nodes ten are tried, and each is recorded [P32]", async () => {
  const student = await first.buyer("basic");
  const before = logLines("a card is not kept");
  const statuses: number[] = [];
  for (let round = 0; round < 2; round++) {
    // Each from a different address.
    const tries = Array.from({ length: 10 }, (_, card) => tryCard(student, `203.0.113.${round * 10 + card}`));
    statuses.push(...(await Promise.all(tries)));
  }
  expect(declinedOnly(statuses)).toHaveLength(10);
  expect(new Set(statuses)).toEqual(new Set([402, 429]));
  // The log arrives through a separate pipe, later than the replies.
  await until(async () => logLines("a card is not kept") - before >= 10);
  expect(logLines("a card is not kept") - before).toBe(10);
  const { rows } = await pool.query(
    "select v.state from card_validations v join users u on u.id = v.user_id where u.email = $1",
    [student.email],
  );
  expect(rows.map(({ state }) => state)).toEqual(Array(10).fill("declined"));
});

test("one client with many accounts tries no more than thirty cards in all, at once, by charges and validations [P32]", async () => {
  const people = await Promise.all([
    ...Array.from({ length: 4 }, () => first.buyer("basic")),
    ...Array.from({ length: 4 }, signUp),
  ]);
  // One customer of a network provider has a whole /64.
  const from = (number: number) => `2001:db8:7:1::${number.toString(16)}`;
  await decline(people[7] as Visitor, from(0), 19);
  const tries = Array.from({ length: 40 }, (_, number) => {
    const person = people[number % 8] as Visitor;
    return number % 8 < 4 ? tryCard(person, from(number)) : buy(person, from(number), declinedZip);
  });
  const statuses = await Promise.all(tries);
  expect(declinedOnly(statuses).length).toBeLessThanOrEqual(10);
  // A student with a payment in progress is told so, and tries again.
  for (let round = 0; round < 2; round++) {
    for (const [number, person] of people.entries()) {
      statuses.push(
        await (number < 4 ? tryCard(person, from(200 + round)) : buy(person, from(200 + round), declinedZip)),
      );
    }
  }
  expect(declinedOnly(statuses)).toHaveLength(10);
  expect(await buy(await signUp(), from(999))).toBe(429);
  expect(await buy(await signUp(), "2001:db8:7:2::1")).toBe(200);
});

test("the last card that a client may try is not tried twice by cards that wait for each other [P32]", async () => {
  const from = "198.51.100.60";
  const [one, other] = [await signUp(), await signUp()];
  const client = await decline(one, from, 28);
  const tries: Promise<number>[] = [];
  const lock = "select pg_advisory_xact_lock(hashtextextended($1, 0))";
  await whileLocked(pool, lock, [`cards of ${client}`], async ({ waiting }) => {
    tries.push(buy(one, from, declinedZip), buy(other, from, declinedZip));
    await waiting(2);
  });
  expect((await Promise.all(tries)).toSorted()).toEqual([402, 429]);
});

test("deleting the account and signing up again gives no more tries [P32]", async () => {
  const from = "198.51.100.20";
  const tried: number[] = [];
  for (let account = 0; account < 3; account++) {
    const visitor = await signUp();
    if (account === 0) await decline(visitor, from, 25);
    for (let card = 0; card < 2; card++) tried.push(await buy(visitor, from, declinedZip));
    expect((await visitor.call(deleteUser, { body: {} })).status).toBe(200);
  }
  // With the first one and those of others, thirty.
  expect(tried).toEqual([402, 402, 402, 402, 429, 429]);
});

test("hundreds of declines in an hour stop neither a newcomer's good card nor earlier customers [P32]", async () => {
  const [member_, newcomer, tester] = [await first.buyer("basic"), await signUp(), await signUp()];
  // Declines of many accounts at many addresses.
  await declinesOf("many", 400);
  expect(await buy(newcomer, "192.0.2.1")).toBe(200);
  const tried: number[] = [];
  for (let card = 0; card < 4; card++) tried.push(await buy(tester, `192.0.2.${10 + card}`, declinedZip));
  expect(tried).toEqual([402, 402, 429, 429]);
  for (let card = 0; card < 4; card++) expect(await tryCard(member_, "192.0.2.2")).toBe(402);
  expect(await tryCard(member_, "192.0.2.2", "90210")).toBe(200);
});
