// node bench/administration.ts: how long administrators, and a student who books, wait in an academy with many years of
// data.
//
// Fills an academy like that of `npm start` by many-people.sql, then requests each list and chart over HTTP like the
// pages do, one at a time. A figure is the worst of seven replies, after one that does not count. At the end, backs up
// the running academy with half a gigabyte of files.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "#test/free-port.ts";
import { upload, zipOf } from "#test/uploads/uploads.ts";
import { Visitor } from "#test/visitor.ts";
import { askOnce, openDatabase } from "./database.ts";
import { type Running, startProgram } from "./programs.ts";
import { figure } from "./report.ts";

const goalMs = 300;
const rounds = 7;
/** Incompressible files. */
const stored = { files: 12, mbEach: 45 };
const backupGoalSeconds = 30;

/** The preview of an action on the 9,050 people with one name. */
const preview = (operation: object) => ({ selection: { filter: { search: "okafor" }, except: [] }, operation });

/** Requests with a body are POSTs. */
const questions: readonly (readonly [name: string, path: string, body?: object])[] = [
  ["stats", "/api/admin/stats"],
  ["morning", "/api/admin/morning"],
  ["search", "/api/admin/search?q=petrovi%C4%87%20ada"],
  ["search, a name", "/api/admin/search?q=okafor"],
  ["search, a receipt", "/api/admin/search?q=bench-90001-2"],
  ["users", "/api/admin/users"],
  ["users, a later page", "/api/admin/users?after=bench-user-70001"],
  ["users by name", "/api/admin/users?sort=name"],
  ["users by name, later", "/api/admin/users?sort=name&after=bench-user-70001"],
  ["users by email", "/api/admin/users?sort=email&after=bench-user-70001"],
  ["users by tier", "/api/admin/users?sort=tier&order=desc"],
  ["users by status", "/api/admin/users?sort=status&after=bench-user-70001"],
  ["users, search", "/api/admin/users?search=petrovi%C4%87%20ada"],
  ["users, search nobody", "/api/admin/users?search=nobody-at-all"],
  ["users, one address", "/api/admin/users?search=person70001%40"],
  ["users, filter", "/api/admin/users?tier=vip&status=suspended"],
  ["users, declined", "/api/admin/users?show=declined-this-month"],
  ["users, ending", "/api/admin/users?show=ends-soon"],
  ["users, count", "/api/admin/users/count"],
  ["users, count search", "/api/admin/users/count?search=okafor"],
  ["user", "/api/admin/users/bench-user-70001"],
  ["purchases", "/api/admin/purchases"],
  ["purchases, later", "/api/admin/purchases?after=bench-purchase-90001"],
  ["purchases by amount", "/api/admin/purchases?sort=amount&after=bench-purchase-90001"],
  ["purchases, search", "/api/admin/purchases?search=petrovi%C4%87%20ada"],
  ["purchases, nobody", "/api/admin/purchases?search=nobody-at-all"],
  ["purchases, number", "/api/admin/purchases?search=bench-90001-2"],
  ["purchases, declined", "/api/admin/purchases?subscription=declined"],
  ["purchases, due", "/api/admin/purchases?subscription=due"],
  ["purchases, count", "/api/admin/purchases/count?search=okafor"],
  ["purchase", "/api/admin/purchases/bench-purchase-90001"],
  ["messages", "/api/admin/contacts?state=new"],
  ["messages, search", "/api/admin/contacts?search=nobody-at-all"],
  ["messages, count", "/api/admin/contacts/count"],
  ["money by day", "/api/admin/money?by=day"],
  ["money by week", "/api/admin/money?by=week"],
  ["money by month", "/api/admin/money?by=month"],
  ["sign-ups by day", "/api/admin/figures/sign-ups?by=day"],
  ["sign-ups by month", "/api/admin/figures/sign-ups?by=month"],
  ["funnel by day", "/api/admin/figures/funnel?by=day"],
  ["funnel by month", "/api/admin/figures/funnel?by=month"],
  ["retention", "/api/admin/figures/retention"],
  ["lifetime value", "/api/admin/figures/value"],
  ["learning", "/api/admin/learning"],
  ["checks", "/api/admin/learning/checks"],
  ["audit", "/api/admin/audit"],
  ["audit, later", "/api/admin/audit?after=bench-audit-40001&action=refund"],
  ["coaching", "/api/admin/coaching"],
  ["audience, everybody", "/api/admin/audience?audience=everybody"],
  ["audience, a plan", "/api/admin/audience?audience=filter:tier%3Dpremium&after=bench-user-70001"],
  ["audience, declined", "/api/admin/audience?audience=filter:show%3Drenewal-declined"],
  ["audience, stopped", "/api/admin/audience?audience=filter:progress%3Dstopped-at%26lesson%3Dlesson-3-2"],
  [
    "audience, not begun",
    "/api/admin/audience?audience=filter:tier%3Dpremium%26progress%3Dnot-begun%26lesson%3Dlesson-1-1",
  ],
  ["announcements", "/api/admin/announcements"],
  ["bulk actions", "/api/admin/bulk-actions"],
  ["bulk action", "/api/admin/bulk-actions/bench-bulk-1"],
  ["bulk action, people", "/api/admin/bulk-actions/bench-bulk-1/people?outcome=done"],
  ["preview of a plan", "/api/admin/bulk-actions/preview", preview({ kind: "grant", tier: "premium" })],
  ["preview of holds", "/api/admin/bulk-actions/preview", preview({ kind: "hold" })],
  ["preview of suspensions", "/api/admin/bulk-actions/preview", preview({ kind: "suspend" })],
  ["preview of reactivations", "/api/admin/bulk-actions/preview", preview({ kind: "reactivate" })],
  ["preview of an undo", "/api/admin/bulk-actions/bench-bulk-1/undo"],
  ["preview of an undo, 2", "/api/admin/bulk-actions/bench-bulk-2/undo"],
  ["audience, selected", "/api/admin/audience", { selection: preview({}).selection }],
  ["coupons", "/api/admin/coupons"],
  ["invitations", "/api/admin/invitations"],
  ["team", "/api/admin/team"],
  ["claims", "/api/admin/claims"],
  ["checklist", "/api/admin/checklist"],
  ["reconciliation", "/api/admin/reconciliation"],
  ["renewals", "/api/admin/renewals"],
  ["coaching ahead", "/api/admin/coaching/ahead"],
  ["user, correspondence", "/api/admin/users/bench-user-70001/correspondence"],
  ["message", "/api/admin/contacts/bench-contact-10001"],
  ["questions", "/api/admin/questions"],
  ["questions, later", "/api/admin/questions?after=bench-question-9000"],
  ["questions, reported", "/api/admin/questions?show=reported"],
  ["questions, count", "/api/admin/questions/count"],
  ["what waits, beside the links", "/api/admin/waiting"],
  ["question", "/api/admin/questions/bench-question-5000"],
];

/** Requests by a student with Lifetime Access, whose coach has 10,000 bookings, among 10,000 questions. */
const studentsGoalMs = 100;
const studentsQuestions: typeof questions = [
  ["30 days of slots", "/api/coaching/slots"],
  ["own coaching", "/api/coaching"],
  ["all questions", "/api/questions"],
  ["all questions, new", "/api/questions?sort=new&after=bench-question-500"],
  ["lesson's questions", "/api/lessons/lesson-1-1/questions?sort=unanswered"],
  ["similar questions", "/api/lessons/lesson-1-1/questions/similar?title=Which%20label%20goes%20on%20a%20carton"],
  ["question search", "/api/questions/search?q=label%20carton"],
  ["answer time", "/api/questions/answer-time"],
  ["question", "/api/questions/bench-question-5000"],
];

const folder = await mkdtemp(join(tmpdir(), "academy-bench-"));
const dataDir = join(folder, "data");
const database = await openDatabase(dataDir);
const running: Running[] = [];
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => close().then(() => process.exit(1)));
try {
  await bench();
} finally {
  await close();
}

async function close(): Promise<void> {
  for (const program of running.splice(0)) await program.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
}

async function bench(): Promise<void> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const secret = randomBytes(32).toString("base64url");
  const env = {
    ...database.env,
    PORT: String(port),
    PUBLIC_URL: origin,
    DATA_DIR: dataDir,
    SESSION_SECRET: secret,
    DEMO_HISTORY: "none",
  };
  running.push(await startProgram(["scripts/start.mjs"], env));
  console.log("Filling an academy with 100,000 users…");
  await fill();
  // Runs the job that counts every ten minutes.
  const clock = { method: "POST", headers: { "content-type": "application/json" }, body: '{"advance":"11m"}' };
  const moved = await fetch(`${origin}/sandbox/api/clock`, clock);
  if (!moved.ok) throw new Error(`the clock answered ${moved.status}`);
  await time(await new Visitor(origin).signInAsDemo("admin@academy.test"), questions, goalMs);
  await time(await new Visitor(origin).signInAsDemo("vip@academy.test"), studentsQuestions, studentsGoalMs);
  await timeBackup(await new Visitor(origin).signInAsDemo("admin@academy.test"), env);
}

async function time(visitor: Visitor, asked: typeof questions, goal: number): Promise<void> {
  for (const [name, path, body] of asked) {
    const took: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const startedAt = performance.now();
      const response = await visitor.send(body ? "POST" : "GET", path, body && JSON.stringify(body));
      if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
      await response.text();
      if (round > 0) took.push(performance.now() - startedAt);
    }
    console.log(figure(name.padEnd(24), Math.max(...took), "ms", goal));
  }
}

async function timeBackup(administrator: Visitor, env: NodeJS.ProcessEnv): Promise<void> {
  for (let sent = 0; sent < stored.files; sent++) {
    const content = zipOf({ "noise.bin": randomBytes(stored.mbEach * 1e6) });
    await upload(administrator, [{ name: `noise-${sent}.zip`, content }]);
  }
  const [size] = await askOnce(database.connection, "select pg_database_size(current_database()) as bytes");
  const gigabytes = (Number(size?.bytes) + stored.files * stored.mbEach * 1e6) / 1e9;
  const startedAt = performance.now();
  const program = ["scripts/operate.ts", "backup", join(folder, "academy.tar")];
  await promisify(execFile)(process.execPath, program, { env: { ...process.env, ...env } });
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`\nA backup of ${gigabytes.toFixed(2)} GB, a third of it files: ${seconds.toFixed(1)} s.`);
  console.log(figure("backup, each GB", seconds / gigabytes, "s", backupGoalSeconds));
}

async function fill(): Promise<void> {
  await askOnce(database.connection, await readFile(new URL("./many-people.sql", import.meta.url), "utf8"));
  await askOnce(database.connection, "vacuum analyze");
}
