import { expect } from "vitest";
import { restoreCertificate, withdrawCertificate } from "#contract/admin/certificates.ts";
import type { LessonContent } from "#contract/admin/content.ts";
import { recordDispute, refundPurchase } from "#contract/admin/purchases.ts";
import { suspendAccount } from "#contract/admin/users.ts";
import { getCatalogue } from "#contract/catalogue.ts";
import {
  correctCertificateName,
  getCertificate,
  getOwnCertificate,
  issueCertificate,
  maxCorrections,
} from "#contract/certificates.ts";
import { answerQuestion, getCheck, type LessonCheck, retakeCheck, showAnswer } from "#contract/checks.ts";
import { deleteUser } from "#contract/profile.ts";
import { saveProgress } from "#contract/progress.ts";
import * as drafts from "#test/drafts.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";
import { textsOfPdf } from "#test/pdf-text.ts";
import { leaveOnlyJobs } from "#test/regular-jobs.ts";
import { exportedFile } from "#test/unzip.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, administrator: admin, test } = await academyOfFile();
await leaveOnlyJobs(academy, "mail-withdrawn-certificates");

// Module 1 alone, whose second lesson has a check and whose third one is a text.
await drafts.changeSettings(admin, { certificateModules: 1 });
const question = { id: "q", kind: "text", text: "Q", answer: "Yeast", explanation: "E", at: null } as const;
await publish("lesson-1-2", { check: { questions: [question] } });
await publish("lesson-1-3", { kind: "text", videoId: "", duration: 60, body: "Read." });
const ofModule1 = (await admin.call(getCatalogue)).body.find(({ id }) => id === "module-1")?.lessons ?? [];
const counted = ofModule1.flatMap(({ id, comingSoon }) => (comingSoon ? [] : [id]));
const videos = counted.filter((id) => id !== "lesson-1-3");

async function publish(id: string, change: Partial<LessonContent>): Promise<void> {
  await admin.signInAgain();
  await drafts.publishWith(admin, "lessons", id, change);
}

const own = async (student: Visitor) => (await student.call(getOwnCertificate)).body;
const issue = (student: Visitor, name = "Ada Lovelace") => student.call(issueCertificate, { body: { name } });
const save = (student: Visitor, lessonId: string, body: object) =>
  student.call(saveProgress, { params: { lessonId }, body });
const verify = async (code: string) => (await academy.visitor().call(getCertificate, { params: { code } })).body;
const pageOf = (code: string) => academy.visitor().send("GET", `/verify/${code}`);

async function watchAll(...students: Visitor[]): Promise<void> {
  for (const student of students) {
    for (const id of videos) await save(student, id, { watched: [], position: 0 });
  }
  await academy.advance("1h");
  for (const student of students) {
    for (const id of videos) await save(student, id, { watched: [[0, 86_400]], position: 0 });
    await save(student, "lesson-1-3", { isCompleted: true });
  }
}

async function answer(student: Visitor): Promise<void> {
  const params = { lessonId: "lesson-1-2", questionId: "q" };
  const { version } = (await student.call(getCheck, { params })).body as LessonCheck;
  const { body } = await student.call(answerQuestion, { params, body: { version, answer: "yeast" } });
  expect(body.result?.isRight).toBe(true);
}

async function certified(name?: string) {
  const student = await academy.member("vip");
  await watchAll(student);
  return { student, code: await earn(student, name) };
}

/** Once everything is watched. */
async function earn(student: Visitor, name?: string): Promise<string> {
  await answer(student);
  return (await issue(student, name)).body.certificate?.code ?? "";
}

test("it takes what was watched and read and the checks, and a refusal names what is missing [Z34]", async () => {
  const student = await academy.member("vip");
  for (const id of counted) await save(student, id, { isCompleted: true });
  const missing = await own(student);
  expect(missing).toMatchObject({ state: "not-earned", certificate: null });
  expect(missing.missing.filter(({ what }) => what === "watch").map(({ lessonId }) => lessonId)).toEqual(videos);
  const refused = await issue(student);
  expect([refused.status, refused.body.message]).toEqual([
    409,
    expect.stringContaining(`Still missing: watch “${ofModule1[0]?.title}”`),
  ]);
  const other = await academy.member("vip");
  await watchAll(student, other);
  expect((await own(student)).missing).toEqual([{ lessonId: "lesson-1-2", what: "check" }]);
  await student.call(showAnswer, { params: { lessonId: "lesson-1-2", questionId: "q" } });
  await answer(student);
  expect((await own(student)).missing).toEqual([{ lessonId: "lesson-1-2", what: "check" }]);
  const again = await student.call(retakeCheck, { params: { lessonId: "lesson-1-2" } });
  expect(again.body).toMatchObject({ passed: true, questions: [{ result: null }] });
  await answer(student);
  expect((await own(student)).state).toBe("earned");

  await answer(other);
  expect(await own(other)).toEqual({ state: "earned", missing: [], certificate: null });
  // A longer video instead does not take the watching away.
  await academy.pool.query("update lessons set duration_seconds = 10 * duration_seconds where id = 'lesson-1-1'");
  expect((await own(other)).state).toBe("earned");
  await academy.pool.query("update lessons set duration_seconds = duration_seconds / 10 where id = 'lesson-1-1'");
});

test("five clicks issue one certificate, with every fact in reply, page and PDF, and one email [Z34]", async () => {
  const student = await academy.member("vip");
  await watchAll(student);
  await answer(student);
  const answers = await Promise.all(Array.from({ length: 5 }, () => issue(student, "  Ada   Lovelace ")));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.certificate?.code}`)).size).toBe(1);
  const { state, certificate } = await own(student);
  expect([state, certificate?.name]).toEqual(["issued", "Ada Lovelace"]);
  const code = certificate?.code ?? "";
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{16}$/);
  expect((await issue(student, "Grace Hopper")).status).toBe(409);
  expect(await academy.mailTo(student, "certificate is ready")).toBeDefined();

  const facts = await verify(code);
  expect(facts).toMatchObject({
    state: "valid",
    name: "Ada Lovelace",
    academyName: "Academy",
    modules: [{ position: 1, lessons: counted.length }],
    lessons: counted.length,
    checks: 1,
    secondsWatched: expect.any(Number),
    url: `${academy.url}/verify/${code}`,
  });
  const typed = code.replaceAll("0", "o").replaceAll("1", "l").replace(/.{4}/g, "$& ").toLowerCase();
  expect(await verify(encodeURIComponent(typed))).toEqual(facts);
  const asked = await academy.visitor().send("GET", `/verify?code=${encodeURIComponent(typed)}`);
  expect([asked.status, asked.headers.get("location")]).toEqual([303, `/verify/${code}`]);
  const html = await (await pageOf(code)).text();
  const pdf = await student.send("GET", `/api/certificates/${code}/pdf`);
  const printed = textsOfPdf(Buffer.from(await pdf.arrayBuffer()));
  const inGroups = code.replace(/(.{4})(?=.)/g, "$1-");
  for (const fact of [
    "Ada Lovelace",
    "completed module 1 of Academy",
    `${counted.length} completed`,
    "1 passed",
    inGroups,
  ]) {
    expect(html).toContain(fact);
    expect(printed).toContain(fact);
  }
  expect(html).toMatch(/noindex[\s\S]*og:image[\s\S]*Valid/);
  expect(html).not.toContain("<script");
  const picture = await student.send("GET", `/api/certificates/${code}/picture`);
  const png = Buffer.from(await picture.arrayBuffer());
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  for (const { headers } of [pdf, picture]) expect(headers.get("x-robots-tag")).toBe("noindex");
});

test("nothing that changes later takes it away: lessons, checks, settings, names, the end of access", async () => {
  const { student, code } = await certified();
  const before = await verify(code);
  await drafts.changeSettings(admin, { certificateModules: 3, name: "Crumb School", timeZone: "Asia/Tokyo" });
  await publish("lesson-1-2", { title: "Renamed", check: { questions: [{ ...question, answer: "Salt" }] } });
  await academy.pool.query("delete from course_progress where user_id = $1", [await student.id()]);
  await academy.advance("2h", student);
  await admin.signInAgain();
  await admin.call(suspendAccount, { body: { userId: await student.id(), reason: "Late" } });
  expect(await verify(code)).toEqual(before);
  expect((await own(student)).state).toBe("issued");
  await drafts.changeSettings(admin, { certificateModules: 1, name: "Academy", timeZone: "UTC" });
  await publish("lesson-1-2", { check: { questions: [question] } });
});

test("a refund of all, a dispute and an administrator withdraw it; a part does not [Z35, Z38]", async () => {
  const bought = [await academy.purchase("vip"), await academy.purchase("vip")];
  const { student } = await academy.purchase("basic");
  const upgrade = await student.buyQuoted("vip");
  bought.push({ student, purchaseId: upgrade.body.purchaseId ?? "", transactionId: "" });
  await watchAll(...bought.map(({ student }) => student));
  const all: ((typeof bought)[number] & { code: string })[] = [];
  for (const one of bought) all.push({ ...one, code: await earn(one.student) });
  const [refunded, withdrawn, disputed] = all;
  if (!refunded || !withdrawn || !disputed) throw new Error("three are certified");
  await academy.advance("1d", admin);
  const stateOf = async ({ code }: { code: string }) => (await verify(code)).state;
  const refund = (amount?: number) =>
    admin.call(refundPurchase, { body: { purchaseId: refunded.purchaseId, amount, reason: "test" } });
  expect((await refund(10)).status).toBe(200);
  await academy.advance("5m");
  expect(await stateOf(refunded)).toBe("valid");
  expect((await refund()).status).toBe(200);
  await academy.advance("5m", admin);
  expect(await verify(refunded.code)).toMatchObject({ state: "withdrawn", withdrawnAt: expect.any(String) });
  expect((await own(refunded.student)).state).toBe("withdrawn");
  expect((await issue(refunded.student)).status).toBe(409);
  expect((await academy.visitor().send("GET", `/api/certificates/${refunded.code}/pdf`)).status).toBe(409);
  expect(await (await pageOf(refunded.code)).text()).toMatch(
    /Withdrawn on \w+ \d+, \d{4}\. It’s no longer valid\.[\s\S]*Not valid/,
  );

  const body = { purchaseId: disputed.purchaseId, reason: "letter of the bank" };
  expect((await admin.call(recordDispute, { body })).status).toBe(200);
  expect(await stateOf(disputed)).toBe("withdrawn");
  const told = "Your certificate was withdrawn";
  await academy.advance("1h", admin);
  for (const { student } of [refunded, disputed]) {
    expect((await academy.mailTo(student, told)).text).toContain("payment was returned");
  }
  await academy.pool.query("update refunds set state = 'refused' where purchase_id = $1", [disputed.purchaseId]);
  expect(await stateOf(disputed)).toBe("valid");

  await academy.pool.query(`insert into webhook_endpoints (id, url, events, created_at)
    values ('certificates', 'https://hooks.example.invalid/', '{certificate.issued}', now())`);
  for (const { code, student } of [withdrawn, refunded]) {
    const params = { userId: await student.id() };
    const act = (endpoint: typeof withdrawCertificate) => admin.call(endpoint, { params, body: { reason: "copied" } });
    if (code === withdrawn.code) {
      expect((await act(withdrawCertificate)).status).toBe(200);
      expect((await academy.mailTo(student, told)).text).toContain("Reason: copied");
    }
    expect((await act(withdrawCertificate)).status).toBe(409);
    expect((await verify(code)).state).toBe("withdrawn");
    expect((await act(restoreCertificate)).status).toBe(200);
    expect((await verify(code)).state).toBe("valid");
    const again = await academy.pool.query("select 1 from webhook_deliveries where body like $1", [`%${code}%`]);
    expect(again.rowCount).toBe(1);
  }
  await academy.pool.query("delete from webhook_endpoints where id = 'certificates'");
  // Later runs of the regular job tell nobody twice.
  await academy.advance("3h");
  for (const { student } of [refunded, disputed, withdrawn]) {
    expect((await academy.mails(student.email)).filter(({ subject }) => subject === told)).toHaveLength(1);
  }
  const { rows } = await academy.pool.query("select action from audit_log where subject = $1 order by id", [
    await withdrawn.student.id(),
  ]);
  expect(rows.map(({ action }) => action).toSorted()).toEqual(["restore certificate", "withdraw certificate"]);
});

test("the name is corrected twice, and its page lists those of before", async () => {
  const { student, code } = await certified();
  const correct = (name: string) => student.call(correctCertificateName, { body: { name } });
  for (const [name, left] of [
    ["Ада Кинг", 1],
    ["Ада Кинг", 1],
    ["محمد عبد الرحمن", 0],
  ] as const) {
    expect((await correct(name)).body.certificate?.corrections).toBe(left);
  }
  expect((await correct("Ada L.")).body.message).toContain("already corrected the name twice");
  const { name, pastNames } = await verify(code);
  expect([name, ...pastNames.map((past) => past.name)]).toEqual(["محمد عبد الرحمن", "Ada Lovelace", "Ада Кинг"]);
  expect(pastNames).toHaveLength(maxCorrections);
  expect(await (await pageOf(code)).text()).toMatch(/محمد[\s\S]*Until [\s\S]*Ada Lovelace/);
});

test.for([
  ["x".repeat(200), "Use 100 characters or fewer"],
  ["Ada\u200b Lovelace", "invisible characters"],
  ["\u202eadA", "invisible characters"],
  ["Ada 🧁", "Use letters only"],
  ["<script>alert(1)</script>", "Use letters only"],
  ["12345", "Enter your name in letters"],
  ["A\u0301\u0301\u0301\u0301\u0301da", "too many accents"],
  ["ᏣᎳᎩ", "We have no font"],
] as const)(
  "a name that cannot be printed is refused before a certificate is issued: %s",
  async ([name, sentence], { student }) => {
    const { status, body } = await issue(student, name);
    expect([status, body.errors?.name?.join()]).toEqual([400, expect.stringContaining(sentence)]);
  },
);

test("unknown codes are not found, the team has none, and 30 look-ups a minute are answered [Z36]", async () => {
  const refused = await issue(await inRole(academy, "support"));
  expect([refused.status, refused.body.message]).toEqual([
    409,
    expect.stringContaining("Certificates are for students"),
  ]);
  await academy.advance("2m");
  for (const code of ["0".repeat(16), "none", "U".repeat(16)]) expect((await pageOf(code)).status).toBe(404);
  const form = (query: string) => academy.visitor().send("GET", `/verify${query}`);
  expect((await form("")).status).toBe(200);
  const wrong = await form(`?code=${encodeURIComponent('"><b>')}`);
  expect([wrong.status, await wrong.text()]).toEqual([404, expect.stringContaining('value="&quot;&gt;&lt;b&gt;"')]);
  const answers = await Promise.all(Array.from({ length: 30 }, () => pageOf("0".repeat(16))));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
  await academy.advance("2m");
});

test("it is in the export, and with the account only the hash of its code is left [Z36]", async () => {
  const { student, code } = await certified("Zoë Ångström");
  await student.signInAgain();
  const exported = JSON.parse(await exportedFile(student, "certificate.json"));
  expect(exported).toMatchObject({ code, name: "Zoë Ångström" });
  expect((await student.call(deleteUser)).status).toBe(200);
  expect((await pageOf(code)).status).toBe(410);
  const { rows } = await academy.pool.query("select * from erased_certificates");
  expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${code}|Ångström`));
});
