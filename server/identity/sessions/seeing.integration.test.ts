import { expect } from "vitest";
import { listAudit } from "#contract/admin/audit.ts";
import { listUsers, seeAsStudent, suspendAccount } from "#contract/admin/users.ts";
import { getCoaching } from "#contract/coaching/coaching.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { getCurrentUser, logoutUrl, stopSeeing, viewerHeader } from "#contract/identity/identity.ts";
import { listSessions } from "#contract/identity/sessions.ts";
import { updateProfile } from "#contract/profile.ts";
import { listEndpoints } from "#test/endpoints.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";
import { leaveOnlyJobs } from "#test/regular-jobs.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, administrator, test } = await academyOfFile();
await leaveOnlyJobs(academy);
const userId = await academy
  .visitor()
  .signUp()
  .then((student) => student.id());
const endpoints: readonly Endpoint[] = await listEndpoints();

const see = (by: Visitor, id: string) => by.call(seeAsStudent, { body: { userId: id } });
const isSeen = async (by: Visitor) => (await by.call(getCurrentUser)).body.seenForSeconds !== null;

/** What the audit log has about seeing this student, the oldest first. */
async function auditOf(id: string) {
  const { rows } = await academy.pool.query(
    "select actor, action, after ->> 'because' as because from audit_log where subject = $1 order by created_at, action",
    [id],
  );
  return rows.filter(({ action }) => action.includes("student"));
}

const listed = (paths: string) => paths.trim().split(/\s+/);
const closed = listed(`
  /api/authorize-net/config /api/coaching/bookings/{id} /api/coaching/bookings/{id}.ics /api/download/{resourceId}
  /api/user/export /api/user/notes /api/user/receipts/{id}/pdf /api/user/sessions
`);
/** Everything else that a student's page reads. */
const open = listed(`
  /api/academy /api/auth/user /api/catalogue /api/catalogue/search /api/certificates/{code}
  /api/certificates/{code}/pdf /api/certificates/{code}/picture /api/claims /api/coaching /api/coaching/slots
  /api/communities /api/copy /api/course-access /api/course-pricing /api/lessons/{lessonId}/body
  /api/lessons/{lessonId}/check /api/lessons/{lessonId}/playback /api/lessons/{lessonId}/questions
  /api/lessons/{lessonId}/questions/similar /api/live/{id}/recording /api/modules/{moduleId}/intro/playback
  /api/offer /api/profile-images/{name} /api/purchases /api/questions /api/questions/answer-time
  /api/questions/search /api/questions/{id} /api/resources /api/user/announcements /api/user/certificate
  /api/user/checks /api/user/completed-elsewhere /api/user/invitation /api/user/lesson-changes
  /api/user/opening-requests /api/user/payments /api/user/player /api/user/progress /api/user/purchases /api/user/receipts/{id} /api/user/subscription
`);

test("each endpoint is open or closed to an administrator who sees the academy as a student [Z55]", async () => {
  const reads = endpoints.filter(({ method, permission }) => method === "GET" && !permission).map(({ path }) => path);
  expect(reads.sort()).toEqual([...closed, ...open].sort());
  const adminId = await administrator.id();
  expect((await see(administrator, userId)).status).toBe(200);
  const kinds = new Set<string>();
  for (const { method, path, permission } of endpoints) {
    if (path === stopSeeing.path) continue;
    const filled = path.replace(/\{\w+\}/g, "none");
    const response = await administrator.send(method, filled, method === "GET" ? undefined : "{}");
    const isRefused = response.status === 403 && (await response.text()).includes("Stop first");
    expect(isRefused, `${method} ${path}`).toBe(method !== "GET" || closed.includes(path));
    if (permission) expect(response.status, `${method} ${path}`).toBe(403);
    const kind = [method, permission, closed.includes(path)].join(" ");
    if ((method === "GET" && open.includes(path)) || kinds.has(kind)) continue;
    kinds.add(kind);
    // A page of the administrator's own keeps what it could not send.
    const own = await administrator.send(method, filled, method === "GET" ? undefined : "{}", {
      [viewerHeader]: adminId,
    });
    expect(own.status, `${method} ${path}`).toBe(401);
    expect(await own.text(), `${method} ${path}`).toContain("signed-in-as-another");
  }
  expect((await administrator.send("POST", "/contact", undefined, form)).status).toBe(403);
  expect((await administrator.call(stopSeeing)).status).toBe(200);
});
const form = { "content-type": "application/x-www-form-urlencoded" };

test("an administrator sees the academy as a student, who notices nothing, until they stop", async ({ student }) => {
  const id = await student.id();
  const adminId = await administrator.id();
  const rowsOf = () => academy.pool.query("select to_jsonb(u) as row from users u where id = $1", [id]);
  const before = [(await rowsOf()).rows, (await student.call(listSessions)).body];
  await see(administrator, id);
  const seen = (await administrator.call(getCurrentUser)).body;
  expect(seen).toMatchObject({ id, email: student.email, role: null, isAdmin: false, accountUrl: null });
  expect(seen.seenForSeconds).toBeGreaterThan(14 * 60);
  // Pages of before: the administrator's own, which act in their name.
  const old = { headers: { [viewerHeader]: adminId } };
  expect((await administrator.call(getCurrentUser, old)).body.code).toBe("signed-in-as-another");
  expect([(await rowsOf()).rows, (await student.call(listSessions)).body]).toEqual(before);
  expect((await student.call(getCurrentUser)).body.seenForSeconds).toBeNull();
  const { headers } = await administrator.call(stopSeeing, { headers: { origin: "https://evil.example" } });
  expect([headers.get("content-type"), await isSeen(administrator)]).toEqual([
    expect.stringContaining("problem"),
    true,
  ]);
  for (const _ of ["once", "twice"]) await administrator.call(stopSeeing);
  expect((await administrator.call(getCurrentUser)).body).toMatchObject({ id: adminId, seenForSeconds: null });
  expect((await administrator.call(listAudit, { query: { subject: id } })).body.total).toBe(2);
  expect(await auditOf(id)).toEqual([
    { actor: adminId, action: "see as student", because: null },
    { actor: adminId, action: "stop seeing as student", because: "stopped" },
  ]);
});

test("seeing ends after 15 minutes and cannot be prolonged [Z56]", async ({ student }) => {
  const id = await student.id();
  const by = await inRole(academy, "administrator");
  await see(by, id);
  await academy.advance("10m");
  expect((await see(by, id)).status).toBe(403);
  expect((await by.call(getCurrentUser)).body.seenForSeconds).toBeLessThanOrEqual(300);
  await academy.advance("5m");
  expect((await by.call(listUsers)).status).toBe(200);
  expect((await auditOf(id)).map(({ because }) => because)).toEqual([null, "15 minutes were over"]);
  await academy.advance("1h");
  expect((await see(by, id)).body.code).toBe("sign-in-again");
});

test("of calls that begin seeing at once, one does, and it has one start in the audit log [Z56]", async ({
  student,
}) => {
  const id = await student.id();
  const by = await inRole(academy, "administrator");
  const began = await Promise.all(Array.from({ length: 5 }, () => see(by, id)));
  expect(began.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await isSeen(by)).toBe(true);
  await Promise.all(Array.from({ length: 5 }, () => by.call(stopSeeing)));
  expect((await auditOf(id)).map(({ because }) => because)).toEqual([null, "stopped"]);
});

test("seeing ends with the administrator's session, role or second sign-in [Z56]", async ({ student }) => {
  const id = await student.id();
  const by = await inRole(academy, "administrator");
  await see(by, id);
  const copy = by.at(academy);
  await by.send("GET", logoutUrl);
  expect((await copy.call(getCurrentUser)).status).toBe(401);
  expect((await auditOf(id)).at(-1)?.because).toBe("signed out");
  await by.signInAgain();
  await see(by, id);
  await academy.pool.query("update users set role = null where email = $1", [by.email]);
  expect((await by.call(getCurrentUser)).body).toMatchObject({ email: by.email, seenForSeconds: null });
  await academy.pool.query("delete from sessions where sess ->> 'seeing' is not null");
  await academy.advance("15m");
  expect((await auditOf(id)).at(-1)?.because).toBe("the sign-in had ended");
});

test("nobody sees the academy as the team, or as suspended or deleted accounts [Z55]", async ({ student }) => {
  const by = await inRole(academy, "administrator");
  const status = async (other: Visitor) => (await see(by, await other.id())).status;
  expect(await status(await inRole(academy, "support"))).toBe(403);
  expect(await status(by)).toBe(403);
  expect((await see(by, "none")).status).toBe(404);
  const coach = await inRole(academy, null);
  await academy.pool.query(
    `insert into coaches (user_id, display_name, time_zone, created_at, updated_at)
      select id, 'C', 'UTC', now(), now() from users where email = $1`,
    [coach.email],
  );
  expect(await status(coach)).toBe(403);
  const id = await student.id();
  await see(by, id);
  await administrator.signInAgain();
  await administrator.call(suspendAccount, { body: { userId: id, reason: "R" } });
  expect(await isSeen(by)).toBe(false);
  expect((await see(by, id)).status).toBe(403);
});

test("what a student prepared for a session stays between them and the coach [Z55]", async () => {
  const student = await academy.visitor().signInAsDemo("vip@academy.test");
  await academy.pool.query(
    "update bookings set prep = 'My own words', summary = case when is_over then 'My own words too' end where user_id = $1",
    [await student.id()],
  );
  const by = await inRole(academy, "administrator");
  const prepared = async (who: Visitor) => JSON.stringify((await who.call(getCoaching)).body).includes("My own words");
  expect(await prepared(student)).toBe(true);
  await see(by, await student.id());
  expect((await by.call(getCoaching)).body.upcoming).not.toBeNull();
  expect(await prepared(by)).toBe(false);
  expect((await by.call(updateProfile, { body: {} })).status).toBe(403);
});
