import { expect } from "vitest";
import type { Endpoint } from "#contract/endpoint.ts";
import { needsFreshSignIn } from "#contract/fresh-sign-in.ts";
import { listEndpoints } from "#test/endpoints.ts";
import { exportAll } from "#test/export-list.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";
import type { Visitor } from "#test/visitor.ts";

/** The team's roles, the least powerful first. `admin` is an owner by ADMIN_EMAILS, `owner` by the account's role. */
const team = ["support", "administrator", "owner", "admin"] as const;
const roles = ["visitor", "new", "basic", "premium", "vip", "held", "suspended", "coach", ...team] as const;
type Role = (typeof roles)[number];
type Expected = number | Partial<Record<Role, number>>;

const signedIn = { visitor: 401 };
const everyone = {};
const notThere = 404;
const noTeam = { support: 403, administrator: 403, owner: 403, admin: 403 };
const refusedToStudents = { visitor: 401, new: 403, basic: 403, premium: 403, vip: 403, held: 403, suspended: 403 };
const coaches = { ...refusedToStudents, ...noTeam };
const lifetime = { visitor: 401, new: 403, basic: 403, premium: 403, held: 403, suspended: 403, coach: 403, ...noTeam };
/** The team sees all of the course, but takes no seats, and its progress is not counted. */
const seesModule1 = { visitor: 401, new: 403, held: 403, suspended: 403 };
const withModule1 = { ...seesModule1, coach: 403, ...noTeam };
const seesGroups = { ...seesModule1, basic: 403 };
const withGroups = { ...withModule1, basic: 403 };

/** Allowed for this role and those above it, with this status. */
function from(least: (typeof team)[number], status = 200): Expected {
  const answers = team.map((role) => [role, team.indexOf(role) < team.indexOf(least) ? 403 : status]);
  return { ...refusedToStudents, coach: 403, ...Object.fromEntries(answers) };
}

/** Allowed for all of the team and for coaches. */
function answersQuestions(status = 200): Expected {
  return { ...(from("support", status) as object), coach: status };
}

const needFresh = new Set<Expected>();

/** Allowed after a fresh sign-in alone. */
function fresh(expected: Expected): Expected {
  needFresh.add(expected);
  return expected;
}

/** 401 for visitors, this status for everybody else. */
function allRefused(status: number): Partial<Record<Role, number>> {
  return Object.fromEntries(roles.map((role) => [role, role === "visitor" ? 401 : status]));
}

const nobody = { userId: "none" };
const reason = { reason: "none" };
const hold = { selection: { ids: ["none"] }, operation: { kind: "hold" } };
/** A lesson of module 1, which is open, whose check nobody has published. */
const withoutCheck = {
  params: { lessonId: "lesson-1-5", questionId: "none" },
  expect: { ...allRefused(404), ...seesModule1 },
};

/**
 * The expected statuses of every endpoint. A missing endpoint fails the test below. Parameters are "none", and a body
 * is empty, unless given.
 */
const table: Readonly<Record<string, { expect: Expected; params?: Record<string, string>; body?: unknown }>> = {
  "GET /api/auth/user": { expect: signedIn },
  "GET /api/academy": { expect: everyone },
  "GET /api/communities": { expect: everyone },
  "GET /api/copy": { expect: everyone },
  "GET /api/course-pricing": { expect: everyone },
  "POST /api/contact": { body: { name: "N", email: "n@example.test", message: "M" }, expect: everyone },
  "POST /api/proxy-check": { body: { token: "none" }, expect: notThere },
  "GET /api/offer": { expect: everyone },
  "GET /api/claims": { expect: everyone },
  "GET /api/catalogue": { expect: everyone },
  "GET /api/catalogue/search": { expect: everyone },
  "GET /api/authorize-net/config": { expect: everyone },
  "PUT /api/user/profile": {
    body: { firstName: "Ada", lastName: "Shelf", phone: "", location: "", bio: "" },
    expect: signedIn,
  },
  "POST /api/user/upload-profile-image": { expect: allRefused(415) },
  "DELETE /api/user/profile-image": { expect: signedIn },
  "GET /api/profile-images/{name}": { expect: allRefused(404) },
  "GET /api/user/sessions": { expect: signedIn },
  "DELETE /api/user/sessions/{id}": { expect: allRefused(404) },
  "POST /api/user/sessions/end-others": { expect: signedIn },
  "POST /api/user/confirmation-mail": { expect: signedIn },
  // The plan of another tier, so that no quote is made.
  "POST /api/checkout/quote": { body: { tier: "vip", priceId: "basic_monthly" }, expect: allRefused(409) },
  "GET /api/user/payments": { expect: signedIn },
  "GET /api/user/receipts/{id}": { expect: allRefused(404) },
  "GET /api/user/receipts/{id}/pdf": { expect: allRefused(404) },
  "GET /api/user/export": { expect: signedIn },
  // Invalid input, so that nobody is deleted.
  "DELETE /api/user": { body: { none: true }, expect: allRefused(400) },
  "GET /api/resources": { expect: { visitor: 401, held: 403, suspended: 403 } },
  "GET /api/download/{resourceId}": { expect: { ...allRefused(404), held: 403, suspended: 403 } },
  "POST /api/admin/legal-texts/{part}/review": { params: { part: "terms" }, expect: fresh(from("administrator")) },
  // Without a video id.
  "GET /api/admin/videos/check": { expect: from("administrator", 400) },
  "GET /api/admin/videos/problems": { expect: from("administrator") },
  "GET /api/admin/videos/preview": { expect: from("administrator", 400) },
  "GET /api/admin/videos": { expect: from("administrator") },
  "GET /api/admin/videos/{id}": { expect: from("administrator", 404) },
  "DELETE /api/admin/videos/{id}": { expect: from("administrator", 404) },
  "POST /api/admin/videos/{id}/retry": { expect: from("administrator", 404) },
  "PUT /api/admin/videos/{id}/sha256": { body: { sha256: "0".repeat(64) }, expect: from("administrator", 404) },
  "GET /api/admin/checklist": { expect: from("administrator") },
  "POST /api/admin/settings/picture": { expect: from("owner", 415) },
  "POST /api/admin/content/picture": { expect: from("administrator", 415) },
  "POST /api/admin/content/try-question": {
    body: { question: { id: "q", kind: "text", text: "T", answer: "A", explanation: "E", at: null } },
    expect: from("administrator"),
  },
  "POST /api/admin/content/preview-text": { body: { text: "*T*" }, expect: from("administrator") },
  "GET /api/upload-resource": { expect: from("administrator") },
  "POST /api/upload-resource": { expect: fresh(from("administrator", 415)) },
  "PUT /api/resources/{id}": {
    body: { moduleId: "module-1", lessonId: null, title: "T", description: null, requiredTier: "basic" },
    expect: fresh(from("administrator", 404)),
  },
  "POST /api/resources/{id}/move": { body: { before: "none" }, expect: from("administrator", 404) },
  "DELETE /api/resources/{id}": { expect: fresh(from("administrator", 404)) },
  "GET /api/coaching": { expect: signedIn },
  "GET /api/coaching/slots": { expect: lifetime },
  "POST /api/coaching/bookings": { expect: allRefused(400) },
  "GET /api/coaching/bookings/{id}": { expect: allRefused(404) },
  "GET /api/coaching/bookings/{id}.ics": { expect: allRefused(404) },
  "POST /api/coaching/bookings/{id}/move": { expect: allRefused(400) },
  "POST /api/coaching/bookings/{id}/cancel": { expect: allRefused(404) },
  "POST /api/coaching/bookings/{id}/join": { expect: { ...lifetime, vip: 404 } },
  "POST /api/coaching/bookings/{id}/contest": { body: { text: "It was held" }, expect: allRefused(404) },
  "PUT /api/coaching/time-zone": { body: { timeZone: "Europe/Berlin" }, expect: signedIn },
  "POST /api/coaching/calendar": { expect: signedIn },
  "DELETE /api/coaching/calendar": { expect: signedIn },
  "PUT /api/live/{id}/seat": { expect: { ...withGroups, premium: 404, vip: 404 } },
  "DELETE /api/live/{id}/seat": { expect: allRefused(404) },
  "POST /api/live/{id}/join": { expect: { ...withGroups, premium: 404, vip: 404 } },
  "GET /api/live/{id}/recording": { expect: { ...allRefused(404), ...seesGroups } },
  "GET /api/coach": { expect: coaches },
  "PUT /api/coach/settings": { expect: { ...coaches, coach: 400 } },
  "GET /api/coach/bookings/{id}": { expect: { ...coaches, coach: 404 } },
  "POST /api/coach/bookings/{id}/join": { expect: { ...coaches, coach: 404 } },
  "POST /api/coach/bookings/{id}/cancel": { expect: { ...coaches, coach: 404 } },
  "POST /api/coach/bookings/{id}/mark": { body: { as: "held" }, expect: { ...coaches, coach: 404 } },
  "PUT /api/coach/bookings/{id}/summary": { body: { summary: "S" }, expect: { ...coaches, coach: 404 } },
  "POST /api/coach/live/{id}/join": { expect: { ...coaches, coach: 404 } },
  "GET /api/admin/coaching": { expect: from("support") },
  "GET /api/admin/coaching/ahead": { expect: from("support") },
  "GET /api/admin/coaching/students/{id}": { expect: from("support", 404) },
  "POST /api/admin/coaching/coaches": { expect: fresh(from("administrator", 400)) },
  "PUT /api/admin/coaching/coaches/{id}": { expect: fresh(from("administrator", 400)) },
  "POST /api/admin/coaching/live": { expect: fresh(from("administrator", 400)) },
  "PUT /api/admin/coaching/live/{id}": { expect: fresh(from("administrator", 400)) },
  "POST /api/admin/coaching/live/{id}/cancel": { body: reason, expect: fresh(from("administrator", 404)) },
  "POST /api/admin/coaching/live/{id}/recording": {
    body: { videoId: "youtube:dQw4w9WgXcQ", seconds: 60, reason: "none" },
    expect: fresh(from("administrator", 404)),
  },
  "GET /api/admin/coaching/bookings": { expect: from("support") },
  "POST /api/admin/coaching/bookings": { expect: from("support", 400) },
  "POST /api/admin/coaching/bookings/{id}/move": { expect: from("support", 400) },
  "POST /api/admin/coaching/bookings/{id}/cancel": { body: reason, expect: from("support", 404) },
  "POST /api/admin/coaching/bookings/{id}/return": { body: reason, expect: from("support", 404) },
  "GET /api/course-access": { expect: signedIn },
  "GET /api/user/purchases": { expect: signedIn },
  "GET /api/purchases": { expect: signedIn },
  "GET /api/user/progress": { expect: signedIn },
  "GET /api/user/completed-elsewhere": { expect: signedIn },
  "GET /api/lessons/{lessonId}/body": { params: { lessonId: "lesson-1-2" }, expect: seesModule1 },
  "GET /api/lessons/{lessonId}/playback": { params: { lessonId: "lesson-1-2" }, expect: seesModule1 },
  "GET /api/modules/{moduleId}/intro/playback": {
    params: { moduleId: "module-1" },
    // Without a tier.
    expect: { ...allRefused(404), ...seesModule1 },
  },
  "POST /api/user/progress": { body: { notes: [{ lessonId: "lesson-1-2", position: 1 }] }, expect: withModule1 },
  "PUT /api/user/progress/{lessonId}": {
    // Free for everybody.
    params: { lessonId: "lesson-1-1" },
    body: { position: 1 },
    expect: { visitor: 401, coach: 403, ...noTeam },
  },
  "GET /api/user/subscription": { expect: signedIn },
  // Invalid for both: roles are checked first, and no subscription changes.
  "POST /api/user/subscription/cancel": { body: { none: true }, expect: allRefused(400) },
  "POST /api/user/subscription/resume": { body: { none: true }, expect: allRefused(400) },
  "POST /api/user/payment-method": { expect: allRefused(400) },
  "POST /api/payment-method/link": { body: { token: "x".repeat(43) }, expect: notThere },
  "POST /api/payment-method/link/card": {
    body: {
      token: "x".repeat(43),
      opaqueDataDescriptor: "none",
      opaqueDataValue: "none",
      customerName: "Nobody",
    },
    expect: notThere,
  },
  "GET /api/admin/reconciliation": { expect: from("administrator") },
  "POST /api/admin/reconciliation/run": { expect: from("administrator") },
  "POST /api/admin/reconciliation/repair": {
    body: { discrepancyId: "none" },
    expect: fresh(from("administrator", 404)),
  },
  "GET /api/admin/renewals": { expect: from("administrator") },
  "POST /api/admin/renewals/resume": { expect: fresh(from("administrator", 409)) },
  // Without words.
  "GET /api/admin/search": { expect: from("support", 400) },
  "GET /api/admin/morning": { expect: from("support") },
  "GET /api/admin/stats": { expect: from("administrator") },
  "GET /api/admin/waiting": { expect: from("support") },
  "GET /api/admin/users": { expect: from("support") },
  "GET /api/admin/users/count": { expect: from("support") },
  "GET /api/admin/purchases": { expect: from("support") },
  "GET /api/admin/purchases/count": { expect: from("support") },
  "GET /api/admin/contacts": { expect: from("support") },
  "GET /api/admin/contacts/count": { expect: from("support") },
  "GET /api/admin/money": { expect: from("administrator") },
  "GET /api/admin/figures/sign-ups": { expect: from("administrator") },
  "GET /api/admin/figures/funnel": { expect: from("administrator") },
  "GET /api/admin/figures/retention": { expect: from("administrator") },
  "GET /api/admin/figures/value": { expect: from("administrator") },
  "GET /api/admin/learning": { expect: from("administrator") },
  "GET /api/admin/learning/checks": { expect: from("administrator") },
  "GET /api/admin/audit": { expect: from("administrator") },
  "GET /api/admin/content": { expect: from("administrator") },
  "GET /api/admin/tokens": { expect: from("owner") },
  "POST /api/admin/tokens": { expect: fresh(from("owner", 400)) },
  "DELETE /api/admin/tokens/{id}": { expect: fresh(from("owner", 404)) },
  "POST /api/admin/grants": { expect: fresh(from("administrator", 400)) },
  "GET /api/admin/sequences": { expect: from("administrator") },
  "PUT /api/admin/sequences": { expect: fresh(from("owner", 400)) },
  "GET /api/admin/webhooks": { expect: from("owner") },
  "POST /api/admin/webhooks": { expect: fresh(from("owner", 400)) },
  "PUT /api/admin/webhooks/{id}": { expect: fresh(from("owner", 400)) },
  "DELETE /api/admin/webhooks/{id}": { expect: fresh(from("owner", 404)) },
  "POST /api/admin/webhooks/{id}/test": { expect: fresh(from("owner", 404)) },
  "POST /api/admin/webhooks/{id}/rotate": { expect: fresh(from("owner", 404)) },
  "GET /api/admin/webhooks/{id}/deliveries": { expect: from("owner") },
  "POST /api/admin/webhooks/{id}/deliveries/{deliveryId}/resend": { expect: fresh(from("owner", 404)) },
  // A form without a file, whose type is refused first.
  "POST /api/admin/imports": { expect: from("administrator", 415) },
  "GET /api/admin/imports": { expect: from("administrator") },
  "GET /api/admin/imports/{id}": { expect: from("administrator", 404) },
  "GET /api/admin/imports/{id}/rows": { expect: from("administrator", 404) },
  "GET /api/admin/imports/{id}/invitation": { expect: from("administrator", 404) },
  "POST /api/admin/imports/{id}/start": { expect: fresh(from("administrator", 404)) },
  "POST /api/admin/imports/{id}/stop": { expect: from("administrator", 404) },
  "POST /api/admin/imports/{id}/invite": { expect: fresh(from("administrator", 404)) },
  "DELETE /api/admin/imports/{id}": { expect: fresh(from("administrator", 404)) },
  "GET /api/admin/lesson-changes": { expect: from("administrator") },
  "PUT /api/admin/lesson-changes/{id}": {
    body: { from: null, to: null, note: "N" },
    expect: from("administrator", 404),
  },
  "DELETE /api/admin/lesson-changes/{id}": { expect: from("administrator", 404) },
  "GET /api/admin/lesson-reviews": { expect: from("administrator") },
  "PUT /api/admin/lesson-reviews/{lessonId}": { params: { lessonId: "none" }, expect: from("administrator", 404) },
  "GET /api/admin/coupons": { expect: from("administrator") },
  "POST /api/admin/coupons/create": { expect: fresh(from("administrator", 400)) },
  "PUT /api/admin/coupon-codes/{id}": { expect: fresh(from("administrator", 400)) },
  "PUT /api/admin/coupons/{code}": { params: { code: "NONE" }, expect: fresh(from("administrator", 400)) },
  "POST /api/admin/coupons/{code}/end": { params: { code: "NONE" }, expect: from("administrator", 404) },
  "POST /api/admin/coupons/{code}/resume": { params: { code: "NONE" }, expect: fresh(from("administrator", 404)) },
  "GET /api/admin/users/{userId}/correspondence": { expect: from("support", 404) },
  "POST /api/admin/users/{userId}/mails": { body: { subject: "S", text: "T" }, expect: from("support", 404) },
  "POST /api/admin/users/{userId}/notes": { body: { text: "T" }, expect: from("support", 404) },
  "DELETE /api/admin/users/{userId}/notes/{noteId}": { expect: from("support", 404) },
  "GET /api/user/invitation": { expect: signedIn },
  "POST /api/user/invitation/accept": { expect: allRefused(404) },
  "GET /api/admin/invitations": { expect: from("administrator") },
  // Somebody with an account, so that no mail is sent.
  "POST /api/admin/invitations": {
    body: { email: "vip@academy.test", tier: null },
    expect: fresh(from("administrator", 409)),
  },
  "DELETE /api/admin/invitations/{id}": { expect: from("administrator", 404) },
  "GET /api/user/checks": { expect: signedIn },
  "GET /api/lessons/{lessonId}/check": withoutCheck,
  "PUT /api/lessons/{lessonId}/check/{questionId}": { ...withoutCheck, body: { version: "none", answer: "none" } },
  "POST /api/lessons/{lessonId}/check/retake": withoutCheck,
  "POST /api/lessons/{lessonId}/check/{questionId}/show": withoutCheck,
  "GET /api/user/certificate": { expect: signedIn },
  // Without a name.
  "POST /api/user/certificate": { expect: allRefused(400) },
  "POST /api/user/certificate/correct-name": { expect: allRefused(400) },
  "GET /api/certificates/{code}": { expect: notThere },
  "GET /api/certificates/{code}/pdf": { expect: notThere },
  "GET /api/certificates/{code}/picture": { expect: notThere },
  "POST /api/admin/users/{userId}/certificate/withdraw": { body: reason, expect: fresh(from("administrator", 404)) },
  "POST /api/admin/users/{userId}/certificate/restore": { body: reason, expect: fresh(from("administrator", 404)) },
  "GET /api/lessons/{lessonId}/questions": { params: { lessonId: "lesson-1-2" }, expect: signedIn },
  "POST /api/lessons/{lessonId}/questions": {
    params: { lessonId: "lesson-1-2" },
    body: { title: "How warm is it?", text: "", at: null },
    expect: seesModule1,
  },
  "GET /api/lessons/{lessonId}/questions/similar": { params: { lessonId: "lesson-1-2" }, expect: seesModule1 },
  "GET /api/questions": { expect: signedIn },
  "GET /api/questions/answer-time": { expect: signedIn },
  "GET /api/questions/{id}": { expect: allRefused(404) },
  "PUT /api/questions/{id}": { body: { title: "How warm is it?", text: "" }, expect: allRefused(404) },
  "DELETE /api/questions/{id}": { expect: signedIn },
  "POST /api/questions/{id}/accept": { body: { answerId: null }, expect: allRefused(404) },
  "POST /api/questions/{id}/answers": { body: { text: "Warm." }, expect: allRefused(404) },
  "POST /api/questions/{id}/helpful": { expect: allRefused(404) },
  "POST /api/questions/{id}/report": { expect: allRefused(404) },
  "PUT /api/answers/{id}": { body: { text: "Warm." }, expect: allRefused(404) },
  "DELETE /api/answers/{id}": { expect: signedIn },
  "POST /api/answers/{id}/helpful": { expect: allRefused(404) },
  "POST /api/answers/{id}/report": { expect: allRefused(404) },
  "GET /api/user/opening-requests": { expect: signedIn },
  // It is open.
  "PUT /api/lessons/{lessonId}/opening-request": {
    params: { lessonId: "lesson-1-2" },
    expect: { ...allRefused(409), new: 403, held: 403, suspended: 403 },
  },
  "DELETE /api/lessons/{lessonId}/opening-request": { params: { lessonId: "lesson-1-2" }, expect: signedIn },
  "GET /api/user/notes": { expect: signedIn },
  // The first one who may watch the lesson takes the id.
  "PUT /api/user/notes/{id}": {
    body: { lessonId: "lesson-1-2", at: 1, text: "N", replaces: null },
    expect: { ...allRefused(404), new: 403, basic: 200 },
  },
  "DELETE /api/user/notes/{id}": { expect: signedIn },
  "GET /api/user/lesson-changes": { expect: signedIn },
  "PUT /api/user/lesson-changes/{lessonId}": {
    params: { lessonId: "lesson-1-2" },
    body: { changeId: "none" },
    expect: allRefused(404),
  },
  "GET /api/user/player": { expect: signedIn },
  "PUT /api/user/player": { body: { playsNext: true }, expect: signedIn },
  "GET /api/user/announcements": { expect: signedIn },
  "PUT /api/user/announcements": { body: { wanted: true }, expect: signedIn },
  "GET /api/admin/bulk-actions": { expect: from("administrator") },
  "POST /api/admin/bulk-actions/preview": { body: hold, expect: from("administrator") },
  // Of an older preview, so that nobody is changed.
  "PUT /api/admin/bulk-actions/{id}": {
    body: { ...hold, preview: "2026-01-01T00:00:00.000Z" },
    expect: fresh(from("administrator", 409)),
  },
  "GET /api/admin/bulk-actions/{id}": { expect: from("administrator", 404) },
  "GET /api/admin/bulk-actions/{id}/people": { expect: from("administrator", 404) },
  "POST /api/admin/bulk-actions/{id}/pause": { expect: from("administrator", 404) },
  "POST /api/admin/bulk-actions/{id}/resume": { expect: fresh(from("administrator", 404)) },
  "POST /api/admin/bulk-actions/{id}/stop": { expect: from("administrator", 404) },
  "GET /api/admin/bulk-actions/{id}/undo": { expect: from("administrator", 404) },
  "POST /api/admin/bulk-actions/{id}/undo": { expect: fresh(from("administrator", 404)) },
  "POST /api/admin/audience": { body: { selection: { ids: ["none"] } }, expect: from("administrator", 409) },
  "POST /api/admin/mark-contacts": { body: { contactIds: ["none"], state: "open" }, expect: from("support") },
  "POST /api/admin/undo-marks": { body: { marks: ["none"] }, expect: from("support", 409) },
  "GET /api/questions/search": { expect: signedIn },
  "GET /api/admin/questions": { expect: answersQuestions() },
  "GET /api/admin/questions/count": { expect: answersQuestions() },
  "GET /api/admin/questions/{id}": { expect: answersQuestions(404) },
  "POST /api/admin/questions/{id}/hide": { body: reason, expect: answersQuestions(404) },
  "POST /api/admin/questions/{id}/close": { body: { isClosed: true }, expect: answersQuestions(404) },
  "POST /api/admin/questions/{id}/duplicate": { body: { of: null }, expect: answersQuestions(404) },
  "POST /api/admin/questions/{id}/dismiss-reports": { expect: answersQuestions(404) },
  "GET /api/admin/announcements": { expect: from("administrator") },
  // Invalid input or an unknown id, so that nothing is written or sent.
  "GET /api/admin/announcements/{id}": { expect: from("administrator", 404) },
  "POST /api/admin/announcements": { expect: from("administrator", 400) },
  "PUT /api/admin/announcements/{id}": { expect: from("administrator", 400) },
  "DELETE /api/admin/announcements/{id}": { expect: from("administrator", 404) },
  // Without an audience.
  "GET /api/admin/audience": { expect: from("administrator", 400) },
  "POST /api/admin/announcements/{id}/test": { expect: from("administrator", 404) },
  "POST /api/admin/announcements/{id}/send": { body: { recipients: 1 }, expect: fresh(from("administrator", 404)) },
  "POST /api/admin/announcements/{id}/cancel": { expect: from("administrator", 404) },
  "POST /api/admin/announcements/{id}/pause": { expect: from("administrator", 404) },
  "POST /api/admin/announcements/{id}/resume": { expect: fresh(from("administrator", 404)) },
  "POST /api/admin/announcements/{id}/stop": { expect: from("administrator", 404) },
  "GET /api/admin/team": { expect: from("administrator") },
  // Without a query, or with invalid input, so that nobody gets a role.
  "GET /api/admin/team/change": { expect: from("owner", 400) },
  "PUT /api/admin/team/{userId}": { expect: fresh(from("owner", 400)) },
  "POST /api/admin/team/invitations": {
    body: { email: "vip@academy.test", role: "owner", reason: "none" },
    expect: fresh(from("owner", 409)),
  },
  "POST /api/admin/team/confirm": {
    body: { restoredAt: "2026-01-01T00:00:00.000Z" },
    expect: fresh({ ...refusedToStudents, coach: 403, support: 403, administrator: 403, owner: 403, admin: 409 }),
  },
  "DELETE /api/admin/team/invitations/{id}": { expect: from("owner", 404) },
  // By a session that began without one.
  "PUT /api/admin/team/second-factor": { body: { isRequired: true }, expect: fresh(from("owner", 409)) },
  "GET /api/admin/claims": { expect: from("administrator") },
  // Invalid input, or no change, so that the pages stay the same.
  "POST /api/admin/claims/withdraw": { body: { only: ["none"] }, expect: fresh(from("administrator", 404)) },
  "POST /api/admin/claims/restore": { body: { only: ["none"] }, expect: fresh(from("administrator", 404)) },
  "POST /api/admin/claims/records": { expect: fresh(from("administrator", 400)) },
  "POST /api/admin/claims/exemptions": { expect: fresh(from("administrator", 400)) },
  "DELETE /api/admin/claims/records/{id}": { expect: fresh(from("administrator", 404)) },
  "GET /api/admin/users/{userId}": { expect: from("support", 404) },
  "GET /api/admin/receipts/{id}/pdf": { expect: from("support", 404) },
  "GET /api/admin/purchases/{purchaseId}": { expect: from("support", 404) },
  "GET /api/admin/purchases/{purchaseId}/refund": { expect: from("administrator", 404) },
  "GET /api/admin/contacts/{contactId}": { expect: from("support", 404) },
  "POST /api/admin/cancel-subscription": { body: { ...nobody, subscriptionId: "none" }, expect: from("support", 404) },
  "POST /api/admin/hold-account": { body: { ...nobody, subscriptionId: "none" }, expect: fresh(from("support", 404)) },
  "POST /api/admin/reactivate-account": { body: nobody, expect: fresh(from("support", 404)) },
  "POST /api/admin/cancel-user-subscription": { body: nobody, expect: from("support", 404) },
  "POST /api/admin/delete-user-account": { body: nobody, expect: fresh(from("administrator", 404)) },
  "POST /api/admin/see-as-student": { body: nobody, expect: fresh(from("administrator", 404)) },
  "DELETE /api/auth/seeing": { expect: signedIn },
  "POST /api/admin/end-user-sessions": { body: nobody, expect: fresh(from("support", 404)) },
  "POST /api/admin/update-user-tier": {
    body: { ...nobody, newTier: "vip" },
    expect: fresh(from("administrator", 404)),
  },
  "POST /api/admin/suspend-account": { body: { ...nobody, ...reason }, expect: fresh(from("support", 404)) },
  "POST /api/admin/record-dispute": {
    body: { purchaseId: "none", reason: "the bank says so" },
    expect: fresh(from("administrator", 404)),
  },
  "POST /api/admin/refund-purchase": { body: { purchaseId: "none" }, expect: fresh(from("administrator", 404)) },
  "POST /api/admin/reply-to-contact": { body: { contactId: "none", text: "none" }, expect: from("support", 404) },
  "POST /api/admin/mark-contact": { body: { contactId: "none", state: "open" }, expect: from("support", 404) },
  "POST /api/admin/delete-contact": { body: { contactId: "none" }, expect: fresh(from("administrator", 404)) },
  "PUT /api/admin/content/modules/{id}": { expect: from("administrator", 400) },
  "PUT /api/admin/content/lessons/{id}": { expect: from("administrator", 400) },
  "PUT /api/admin/content/plans/{id}": { expect: from("administrator", 400) },
  "PUT /api/admin/content/offer": { expect: from("administrator", 400) },
  "PUT /api/admin/content/settings": { expect: from("owner", 400) },
  "PUT /api/admin/content/copy": { expect: from("administrator", 400) },
  "PUT /api/admin/content/emails/{id}": { expect: from("administrator", 400) },
  "POST /api/admin/content/emails/{id}/preview": {
    body: { texts: {}, shown: null },
    expect: from("administrator", 404),
  },
  "GET /api/admin/configured": { expect: from("administrator") },
  "POST /api/admin/content/move": {
    body: { kind: "module", id: "none", before: "module-1" },
    expect: from("administrator", 404),
  },
  "POST /api/admin/content/publish": { expect: from("administrator") },
  "POST /api/admin/content/discard": { expect: from("administrator") },
  "GET /api/authorize-net/test-direct": { expect: from("administrator") },
  "POST /api/authorize-net/direct-payment": { expect: fresh(from("administrator", 400)) },
  // An empty body: roles are checked before validation.
  "POST /api/authorize-net/accept-payment": { expect: allRefused(400) },
};

const isGiven = (role: Role) => role === "administrator" || role === "owner";

const { academy, test } = await academyOfFile();
const people = new Map<Role, Visitor>();

function statusOf({ method, path }: Endpoint, role: Role): number {
  const expected = table[`${method} ${path}`]?.expect ?? 200;
  return typeof expected === "number" ? expected : (expected[role] ?? 200);
}

/**
 * For a permission all students are alike, and `vip` stands for them: `server/admin/authorization.integration.test.ts`
 * has the others. Whoever of the team has it, so have more powerful roles, as `permissions.test.ts` proves: the two at
 * its limit stand for the team.
 */
function askersOf(endpoint: Endpoint): readonly Role[] {
  if (endpoint.permission) {
    const least = team.findIndex((role) => statusOf(endpoint, role) !== 403);
    if (least > 0) return ["visitor", "vip", ...team.slice(least - 1, least + 1)];
    return ["visitor", "vip", "coach", least === 0 ? "support" : "admin"];
  }
  const signedIn = roles.filter((role) => role !== "visitor" && !isGiven(role));
  const isSame = new Set(signedIn.map((role) => statusOf(endpoint, role))).size === 1;
  return ["visitor", ...(isSame ? (["new", "suspended", "admin"] as const) : signedIn)];
}
/** One for all students, and one for administrators and more powerful roles. */
const kindsOfPeople = () =>
  (["visitor", "vip", "coach", "support", "administrator"] as const).map(
    (role) => [role, people.get(role) as Visitor] as const,
  );
const endpoints = await listEndpoints();

/** Calls an endpoint as the table says. */
function callAs(visitor: Visitor, endpoint: Endpoint) {
  const { params, body = endpoint.body && {} } = table[`${endpoint.method} ${endpoint.path}`] ?? {};
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, "none"]);
  return visitor.call(endpoint, { params: { ...Object.fromEntries(names), ...params }, body });
}

for (const role of roles) {
  const visitor = academy.visitor();
  const email = `${role === "support" ? "helpdesk" : role}@academy.test`;
  if (role === "visitor") people.set(role, visitor);
  else people.set(role, await (isGiven(role) ? inRole(academy, role) : visitor.signInAsDemo(email)));
}

test("every endpoint answers each role as the table says, and no cache stores the answer [H04 Z01]", async () => {
  expect(endpoints.map((endpoint) => `${endpoint.method} ${endpoint.path}`).sort()).toEqual(Object.keys(table).sort());
  for (const endpoint of endpoints) {
    for (const role of askersOf(endpoint)) {
      const answer = await callAs(people.get(role) as Visitor, endpoint);
      expect(answer.status, `${role} ${endpoint.method} ${endpoint.path}`).toBe(statusOf(endpoint, role));
      expect(answer.headers.get("cache-control")).toBe("no-store");
      if (answer.status >= 400) expect(answer.headers.get("content-type")).toContain("application/problem+json");
    }
  }
});

test("every endpoint that changes something refuses calls by other sites [A20]", async () => {
  const owner = people.get("admin") as Visitor;
  for (const { method, path } of endpoints.filter(({ method }) => method !== "GET")) {
    const answer = await owner.send(method, path.replaceAll(/\{\w+\}/g, "none"), "{}", {
      origin: "https://evil.example",
    });
    expect([answer.status, await answer.json()], `${method} ${path}`).toMatchObject([403, { code: "cross-origin" }]);
  }
});

test("files, previews and every other call of the team open to their roles alone [Z20]", async () => {
  const previews = ["/api/admin/preview/hero", "/api/admin/announcements/none/preview"];
  for (const [role, visitor] of kindsOfPeople()) {
    const answers = [
      ...(await exportAll(visitor)),
      ...(await Promise.all(previews.map((path) => visitor.send("GET", path)))),
    ];
    for (const { status, url } of answers) {
      if (role === "administrator") expect([200, 404], `${role} ${url}`).toContain(status);
      else expect(status, `${role} ${url}`).toBe(role === "visitor" ? 401 : 403);
    }
  }
  const unguarded = endpoints.filter(({ path, permission }) => /^\/api\/(admin|coach)\b/.test(path) && !permission);
  expect(unguarded.map(({ path }) => path)).toEqual([]);
});

test("uploads of videos open to their roles alone [Z20 Z61]", async () => {
  const tus = { "tus-resumable": "1.0.0", "upload-offset": "0", "upload-length": "0" };
  const calls = [
    ["POST", "/api/admin/videos", 400],
    ["HEAD", "/api/admin/videos/none", 404],
    ["PATCH", "/api/admin/videos/none", 404],
    ["DELETE", "/api/admin/videos/none", 404],
  ] as const;
  for (const [role, visitor] of kindsOfPeople()) {
    for (const [method, path, status] of calls) {
      const type = method === "PATCH" && { "content-type": "application/offset+octet-stream" };
      const answer = await visitor.send(method, path, undefined, { ...tus, ...type });
      const expected = role === "administrator" ? status : role === "visitor" ? 401 : 403;
      expect(answer.status, `${role} ${method}`).toBe(expected);
    }
  }
});

test("a role without the permission is told so, and people without a role are told nothing", async () => {
  const told = async (role: Role) => (await people.get(role)?.send("GET", "/api/admin/money"))?.json();
  expect(await told("support")).toMatchObject({
    code: "not-allowed",
    message: "Your role, support, may not see the academy's money.",
  });
  for (const role of ["new", "coach"] as const) {
    expect(await told(role)).toMatchObject({
      message: "You don't have administrator privileges to access this page.",
    });
  }
});

test("a required second factor closes every call of the team to sessions without one [A28]", async () => {
  await academy.pool.query("insert into operational_marks values ('team-second-factor', 'true', now())");
  try {
    const codeFor = async (role: Role, endpoint: Endpoint) => {
      const { status, body } = await callAs(people.get(role) as Visitor, endpoint);
      expect(status, `${role} ${endpoint.method} ${endpoint.path}`).toBe(403);
      return body.code;
    };
    for (const endpoint of endpoints.filter(({ permission }) => permission)) {
      const role = endpoint.permission === "sessions:hold" ? "coach" : "admin";
      expect(await codeFor(role, endpoint), endpoint.path).toBe("second-factor-required");
    }
    const [money, questions] = ["/api/admin/money", "/api/admin/questions"].map((path) =>
      endpoints.find((endpoint) => endpoint.path === path),
    ) as [Endpoint, Endpoint];
    for (const [role, endpoint, code] of [
      ["support", money, "second-factor-required"],
      ["coach", money, "not-allowed"],
      ["coach", questions, "second-factor-required"],
    ] as const) {
      expect(await codeFor(role, endpoint), `${role} ${endpoint.path}`).toBe(code);
    }
    const admin = people.get("admin") as Visitor;
    for (const { status, url } of await exportAll(admin)) expect(status, url).toBe(403);
    expect((await admin.send("GET", "/api/admin/preview/hero")).status).toBe(403);
    expect((await people.get("new")?.send("GET", "/api/admin/team"))?.status).toBe(403);
  } finally {
    await academy.pool.query("delete from operational_marks where name = 'team-second-factor'");
  }
});

test("every changing call of the team needs a fresh sign-in or has a reason why not [A27 N16 V02 W03]", async () => {
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  const guarded = endpoints.filter(needsFreshSignIn);
  const named = Object.keys(table).filter((name) => needFresh.has(table[name]?.expect ?? everyone));
  expect(guarded.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(named.sort());
  await academy.advance("16m");
  for (const endpoint of guarded) {
    expect(await callAs(administrator, endpoint), endpoint.path).toMatchObject({
      status: 403,
      body: { code: "sign-in-again" },
    });
  }
  for (const { status, url } of await exportAll(administrator)) expect(status, url).toBe(403);
  await administrator.signInAsDemo("admin@academy.test");
  for (const endpoint of guarded) {
    expect((await callAs(administrator, endpoint)).status, endpoint.path).toBe(statusOf(endpoint, "admin"));
  }
});

test("the API document lists every endpoint with its body, and nothing else of the API [F15]", async () => {
  const response = await academy.visitor().send("GET", "/api/openapi.json");
  const { openapi, paths } = (await response.json()) as {
    openapi: string;
    paths: Record<string, Record<string, { description?: string; requestBody?: { content: object } }>>;
  };
  expect(openapi).toMatch(/^3\.1/);
  const listed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(listed.sort()).toEqual(Object.keys(table).sort());
  expect(paths["/api/admin/refund-purchase"]?.post?.description).toMatch(
    /^For owner, administrator\. Needs a fresh sign-in/,
  );
  for (const { method, path, body, form } of endpoints) {
    const described = Object.keys(paths[path]?.[method.toLowerCase()]?.requestBody?.content ?? {});
    expect(described, `${method} ${path}`).toEqual(form ? ["multipart/form-data"] : body ? ["application/json"] : []);
  }
});

test("another spelling of an address gives no access [Z04]", async () => {
  for (const path of [
    "//api//user/purchases",
    "/API/user/purchases",
    "/api/user/purchases/",
    "/api/user/purchases.json",
  ]) {
    expect((await people.get("visitor")?.send("GET", academy.url + path))?.status, path).toBe(404);
  }
});

test.each([
  ["new", false, null, "active", null],
  ["basic", true, "basic", "active", "purchase"],
  ["premium", true, "premium", "active", "purchase"],
  ["vip", true, "vip", "active", "purchase"],
  ["held", false, null, "on_hold", null],
  ["suspended", false, "basic", "suspended", "purchase"],
  ...(["coach", ...team] as const).map((role) => [role, true, "vip", "active", "team"] as const),
] as const)("%s is in its own state", async (role, hasAccess, tier, accountStatus, source) => {
  const response = await people.get(role)?.send("GET", "/api/course-access");
  expect(await response?.json()).toMatchObject({ hasAccess, tier, accountStatus, source });
});

test("owners and administrators alone are administrators, as the specification has it", async () => {
  for (const [role, visitor] of people) {
    if (role === "visitor") continue;
    const user = (await (await visitor.send("GET", "/api/auth/user")).json()) as { isAdmin: boolean };
    expect(user.isAdmin, role).toBe(["admin", "owner", "administrator"].includes(role));
  }
});
