import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { getContent, publishContent } from "#contract/admin/content.ts";
import { createCodes } from "#contract/admin/coupons.ts";
import { seeAsStudent } from "#contract/admin/users.ts";
import { getCatalogue } from "#contract/catalogue.ts";
import { getCurrentUser, stopSeeing } from "#contract/identity/identity.ts";
import type { Academy } from "#test/academy.ts";
import { draft } from "#test/drafts.ts";
import { forFile } from "#test/fixtures.ts";
import { openTwoNodes, openTwoNodesInProcess } from "#test/two-nodes.ts";
import { until } from "#test/until.ts";
import type { Answer, Visitor } from "#test/visitor.ts";

/** How often each write is killed. `killed-writes.long.test.ts` has more, and kills processes. */
const rounds = Number(process.env.KILLED_WRITES ?? 1);
const isKilled = rounds > 1;
/** On the node that stays. */
const calls = isKilled ? 50 : 5;

const { nodes, pool } = await forFile(isKilled ? openTwoNodes() : openTwoNodesInProcess());
const [first, victim] = nodes;
const admin = await first.visitor().signInAsDemo("admin@academy.test");
const headers = { origin: first.url };

/**
 * Sends the same call to both nodes, and kills the node whose transaction has made its changes and is about to write
 * its audit line. Without kills, breaks the connection of that transaction.
 * @returns the answers of the other node
 */
async function killAmid<Body>(write: (by: Visitor) => Promise<Answer<Body>>): Promise<Answer<Body>[]> {
  const there = admin.at(victim);
  const lock = await pool.connect();
  try {
    await lock.query("begin; lock table audit_log in share row exclusive mode");
    const lost = Array.from({ length: isKilled ? calls : 1 }, () =>
      write(there).then(
        ({ status }) => status < 500,
        () => false,
      ),
    );
    const waits = "select pid from pg_locks where relation = 'audit_log'::regclass and not granted";
    const waiting = await until(async () => (await pool.query<{ pid: number }>(waits)).rows[0]);
    const answers = Array.from({ length: calls }, () => write(admin));
    if (isKilled) await (victim as Academy).kill();
    else await pool.query("select pg_terminate_backend($1)", [waiting.pid]);
    await lock.query("commit");
    expect(await Promise.all(lost)).not.toContain(true);
    return await Promise.all(answers);
  } finally {
    lock.release();
    if (isKilled) await victim.start();
  }
}

const counted = (answers: readonly { readonly status: number }[]) =>
  answers.filter(({ status }) => status === 200).length;

async function audited(action: string, subject: string): Promise<number> {
  const text = "select from audit_log where action = $1 and subject = $2";
  return (await pool.query(text, [action, subject])).rowCount ?? 0;
}

test("of a draft whose node dies while it is published, all is on the pages or nothing, and once [Z43]", async () => {
  for (let round = 0; round < rounds; round++) {
    const titles = ["lesson-1-1", "lesson-2-1"].map((id) => ({ id, title: `Round ${round} of ${id}` }));
    for (const { id, title } of titles) await draft(admin, "lessons", id, { title });
    const onPages = async (at: Visitor) => {
      const lessons = (await at.call(getCatalogue)).body.flatMap((module) => module.lessons);
      return titles.map(({ id, title }) => lessons.find((one) => one.id === id)?.title === title);
    };
    const publish = (id: string) => (by: Visitor) =>
      by.call(publishContent, { body: { only: [{ kind: "lesson", id }] }, headers });
    expect(counted(await killAmid(publish("lesson-1-1")))).toBe(1);
    for (const node of nodes) expect(await onPages(node.visitor())).toEqual([true, false]);
    expect((await admin.call(getContent)).body.drafts).toBe(1);
    expect((await publish("lesson-2-1")(admin.at(victim))).status).toBe(200);
    expect(await onPages(admin)).toEqual([true, true]);
    for (const { id } of titles) expect(await audited("publish lesson", id)).toBe(round + 1);
  }
});

test("codes that are asked for again after their node died are all there, and once [P49]", async () => {
  const now = await first.now();
  const dates = { startsAt: new Date(now).toISOString(), endsAt: new Date(now + 86_400_000).toISOString() };
  const terms = { kind: "percent", value: 10, plans: ["basic"], firstPurchaseOnly: false };
  const body = { ...terms, ...dates, prefix: "", count: 50 };
  for (let round = 0; round < rounds; round++) {
    const params = { id: randomUUID() };
    const answers = await killAmid((by) => by.call(createCodes, { params, body, headers }));
    expect(counted(answers)).toBe(calls);
    const { codes } = answers[0]?.body ?? { codes: [] };
    for (const answer of answers) expect(answer.body.codes).toEqual(codes);
    const made = await pool.query("select code from coupons where batch_id = $1 order by 1", [params.id]);
    expect(made.rows.map(({ code }) => code)).toEqual([...codes].sort());
    expect(await audited("create single-use codes", codes[0] ?? "")).toBe(1);
  }
});

test("seeing as a student begins and ends once, also when a node dies meanwhile [Z56]", async () => {
  for (let round = 0; round < rounds; round++) {
    await admin.signInAgain();
    const userId = await (await first.visitor().signUp()).id();
    const seen = async () =>
      Promise.all(nodes.map(async (node) => (await admin.at(node).call(getCurrentUser)).body.id === userId));
    expect(counted(await killAmid((by) => by.call(seeAsStudent, { body: { userId }, headers })))).toBe(1);
    expect(await seen()).toEqual([true, true]);
    expect(await audited("see as student", userId)).toBe(1);
    expect(counted(await killAmid((by) => by.call(stopSeeing, { headers })))).toBe(calls);
    expect(await seen()).toEqual([false, false]);
    await first.advance("16m");
    expect(await audited("stop seeing as student", userId)).toBe(1);
  }
});
