import { afterAll, beforeAll, expect, test } from "vitest";
import { cancelBooking, getCoaching, moveBooking } from "#contract/coaching/coaching.ts";
import { timeInZone } from "#contract/coaching/times.ts";
import type { Academy } from "#test/academy.ts";
import { bookAhead, freeTimes, lifetimeStudent, timeZone } from "#test/coaching.ts";
import { openTwoNodes, type TwoNodes } from "#test/two-nodes.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

let opened: TwoNodes;
beforeAll(async () => {
  opened = await openTwoNodes();
});
afterAll(() => opened[Symbol.asyncDispose]());

const each = 3;
const kills = 4;

async function listReminders(email?: string): Promise<string[]> {
  const mails = await opened.nodes[0].mails();
  return mails
    .filter(({ to, subject }) => subject.startsWith("Reminder: Coaching with") && (email === undefined || to === email))
    .map(({ text }) => text);
}

test("killed nodes still send each person both reminders of a session, and no others [K06]", async () => {
  const { nodes } = opened;
  const [first] = nodes;
  const kept: { student: Visitor; startsAt: string }[] = [];
  const cancelled: Visitor[] = [];
  for (let at = 0; at < each; at++) {
    const student = await lifetimeStudent(first);
    kept.push({ student, startsAt: (await bookAhead(student, first, 3)).startsAt });
    const moving = await lifetimeStudent(first);
    const { id, startsAt: before } = await bookAhead(moving, first, 3);
    const [later] = await freeTimes(moving, first, 6);
    expect((await moving.call(moveBooking, { params: { id }, body: later })).status).toBe(200);
    expect(later?.startsAt).not.toBe(before);
    kept.push({ student: moving, startsAt: later?.startsAt ?? "" });
    const leaving = await lifetimeStudent(first);
    const given = await bookAhead(leaving, first, 3);
    expect((await leaving.call(cancelBooking, { params: { id: given.id }, body: {} })).status).toBe(200);
    cancelled.push(leaving);
  }
  const seeded = await first.visitor().signInAsDemo("vip@academy.test");
  const id = (await seeded.call(getCoaching)).body.upcoming?.id ?? "";
  expect((await seeded.call(cancelBooking, { params: { id }, body: {} })).status).toBe(200);
  cancelled.push(seeded);
  const expected = kept.length * 4;

  // Moving the clock waits for due jobs, but this test kills the nodes that run them.
  const moved = first.advance("12d").catch(() => null);
  for (let kill = 1; kill <= kills; kill++) {
    await until(async () => (await listReminders()).length >= (expected * kill) / (kills + 2));
    const victim = nodes[kill % 2] as Academy;
    await victim.kill();
    await victim.start();
  }
  await moved;
  // Another node takes over a killed node's jobs after two minutes.
  for (const duration of ["3m", "10m", "1d"]) await first.advance(duration);
  await until(async () => (await listReminders()).length >= expected);
  await first.advance("1d");

  for (const { student, startsAt } of kept) {
    const texts = await listReminders(student.email);
    expect(texts).toHaveLength(2);
    const [words = ""] = timeInZone(startsAt, timeZone).split(" (");
    for (const text of texts) expect(text).toContain(words);
  }
  for (const { email } of cancelled) expect(await listReminders(email)).toEqual([]);
  expect(await listReminders("coach@academy.test")).toHaveLength(kept.length * 2);
});
