import { afterAll, beforeAll, expect, test } from "vitest";
import { listContacts } from "#contract/admin/contacts.ts";
import { contestBooking, getBooking } from "#contract/coaching/coaching.ts";
import { type AcademyInProcess, openAcademyInProcess } from "#test/academy-in-process.ts";
import { bookAhead, lifetimeStudent } from "#test/coaching.ts";

let academy: AcademyInProcess;
beforeAll(async () => {
  academy = await openAcademyInProcess();
});
afterAll(() => academy[Symbol.asyncDispose]());

test("a student says once, within 7 days, that what was marked did not happen [K10]", async () => {
  const student = await lifetimeStudent(academy);
  const stranger = await lifetimeStudent(academy);
  const { id, startsAt } = await bookAhead(student, academy, 2);
  const params = { id };
  const contest = (visitor = student) => visitor.call(contestBooking, { params, body: { text: "We both were there" } });
  expect(await contest()).toMatchObject({ status: 409, body: { code: "conflict" } });

  // Nobody joined, so a day after its end the session counts as missed by the coach.
  const hours = Math.ceil((Date.parse(startsAt) - (await academy.now())) / 3_600_000);
  await academy.advance(`${hours + 26}h`);
  await student.signInAgain();
  await stranger.signInAgain();
  expect((await student.call(getBooking, { params })).body).toMatchObject({
    state: "missed-by-coach",
    mayContest: true,
    contestedAt: null,
  });
  expect((await contest(stranger)).status).toBe(404);
  expect((await student.call(contestBooking, { params, body: { text: " " } })).status).toBe(400);
  const both = await Promise.all([contest(), contest()]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await student.call(getBooking, { params })).body).toMatchObject({
    mayContest: false,
    contestedAt: expect.any(String),
  });
  const admin = await academy.visitor().signInAsDemo("admin@academy.test");
  const messages = (await admin.call(listContacts, { query: { search: student.email } })).body;
  expect(messages).toMatchObject([{ email: student.email, message: expect.stringContaining("We both were there") }]);
  expect(messages[0]?.message).toContain(id);
});

test("after 7 days a mark cannot be contested [K10]", async () => {
  const student = await lifetimeStudent(academy);
  const { id, startsAt } = await bookAhead(student, academy, 2);
  const hours = Math.ceil((Date.parse(startsAt) - (await academy.now())) / 3_600_000);
  await academy.advance(`${hours + 26}h`);
  await academy.advance("7d");
  await student.signInAgain();
  const params = { id };
  expect((await student.call(getBooking, { params })).body.mayContest).toBe(false);
  const answer = await student.call(contestBooking, { params, body: { text: "It was held" } });
  expect(answer).toMatchObject({ status: 409, body: { code: "too-late" } });
});

test("contesting is limited to thirty times an hour [K10]", async () => {
  const student = await lifetimeStudent(academy);
  const contest = () => student.call(contestBooking, { params: { id: "none" }, body: { text: "It was held" } });
  for (let at = 0; at < 30; at++) expect((await contest()).status).toBe(404);
  expect((await contest()).status).toBe(429);
});
