import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { invite } from "#contract/admin/invitations.ts";
import { openCalendar } from "#contract/coaching/coaching.ts";
import { acceptInvitation } from "#contract/invitations.ts";
import { createQuote } from "#contract/purchases/quotes.ts";
import { confirmAddress } from "./coaching.ts";
import { makeCoupon } from "./coupons.ts";
import { listEndpoints } from "./endpoints.ts";
import { forFile, test } from "./fixtures.ts";
import { expectPage, openIssuer, stranger } from "./issuer-under-test.ts";
import type { Visitor } from "./visitor.ts";

const issuer = await forFile(openIssuer());

/**
 * What the first proof of the address does to what a stranger did with the account before:
 * - refused: the call does nothing before the proof
 * - removed: the proof ends it; the file has the test
 * - stays: there is nothing to undo, and why
 */
type Effect = { readonly refused: Refused } | { readonly removed: string } | { readonly stays: string };
/** A call that is refused before the proof and succeeds after it, or the file that tests it. */
type Refused = ((person: Visitor) => Promise<{ readonly status: number }>) | string;

const shown = { stays: "the owner sees it and can change it; it opens nothing" };
const progress = { stays: "the owner's own course page shows it, and nothing else reads it" };
const watched = { stays: "it says what was watched in the account; the owner sees it and can correct the name" };
const asked = { stays: "it is a text or a mark under a lesson, which the owner sees, exports and deletes" };
const paid = { stays: "whoever paid gave it to the account; the owner can cancel it" };
const mailed = { stays: "only who reads the address has the token" };
const ends = { stays: "it only ends something of the account" };
const session = { removed: "server/identity/account-takeover.integration.test.ts" };
const issuerTests = "issuer/account-takeover.integration.test.ts";
const factor = { refused: "issuer/second-factor/second-factor.integration.test.ts" };

/** Every call without a role that changes something. A missing one fails the test below. */
const table: Readonly<Record<string, Effect>> = {
  "DELETE /api/lessons/{lessonId}/opening-request": ends,
  "DELETE /api/live/{id}/seat": ends,
  "DELETE /api/user": { stays: "it deletes the account, and the address is free again" },
  "DELETE /api/user/notes/{id}": ends,
  "DELETE /api/user/profile-image": ends,
  "DELETE /api/user/sessions/{id}": ends,
  "DELETE /api/coaching/calendar": ends,
  "DELETE /api/auth/seeing": { stays: "only the session of an administrator sees the academy as a student" },
  "POST /api/authorize-net/accept-payment": paid,
  // A quote without a code lasts fifteen minutes.
  "POST /api/checkout/quote": {
    refused: (person) => person.call(createQuote, { body: { tier: "premium", code: "UNPROVED" } }),
  },
  "POST /api/coaching/bookings": paid,
  "POST /api/coaching/bookings/{id}/cancel": ends,
  "POST /api/coaching/bookings/{id}/contest": paid,
  "POST /api/coaching/bookings/{id}/join": paid,
  "POST /api/coaching/bookings/{id}/move": paid,
  "POST /api/coaching/calendar": { refused: (person) => person.call(openCalendar, { body: {} }) },
  "DELETE /api/answers/{id}": asked,
  "DELETE /api/questions/{id}": asked,
  "POST /api/answers/{id}/helpful": asked,
  "POST /api/answers/{id}/report": asked,
  "POST /api/lessons/{lessonId}/questions": asked,
  "POST /api/questions/{id}/accept": asked,
  "POST /api/questions/{id}/answers": asked,
  "POST /api/questions/{id}/helpful": asked,
  "POST /api/questions/{id}/report": asked,
  "PUT /api/answers/{id}": asked,
  "PUT /api/questions/{id}": asked,
  "POST /api/contact": { stays: "anybody may write to the team with any address" },
  "POST /api/live/{id}/join": paid,
  "POST /api/payment-method/link": mailed,
  "POST /api/payment-method/link/card": mailed,
  "POST /api/proxy-check": { stays: "it needs the token of the check" },
  "POST /api/lessons/{lessonId}/check/{questionId}/show": progress,
  "POST /api/lessons/{lessonId}/check/retake": progress,
  "PUT /api/lessons/{lessonId}/check/{questionId}": progress,
  "POST /api/user/certificate": watched,
  "POST /api/user/certificate/correct-name": watched,
  "POST /api/user/confirmation-mail": mailed,
  "POST /api/user/invitation/accept": { refused: (person) => person.call(acceptInvitation, { body: {} }) },
  "POST /api/user/payment-method": paid,
  "POST /api/user/progress": progress,
  "POST /api/user/sessions/end-others": ends,
  "POST /api/user/subscription/cancel": ends,
  "POST /api/user/subscription/resume": paid,
  "POST /api/user/upload-profile-image": shown,
  "PUT /api/coaching/time-zone": shown,
  "PUT /api/lessons/{lessonId}/opening-request": {
    stays: "one email to the account's own address, which it can withdraw",
  },
  "PUT /api/live/{id}/seat": paid,
  "PUT /api/user/announcements": { stays: "announcements go only to confirmed addresses, and each can turn them off" },
  "PUT /api/user/lesson-changes/{lessonId}": progress,
  "PUT /api/user/notes/{id}": progress,
  "PUT /api/user/player": shown,
  "PUT /api/user/profile": shown,
  "PUT /api/user/progress/{lessonId}": progress,

  "POST /issuer/interaction/:uid": session,
  "POST /issuer/interaction/:uid/code": factor,
  "POST /issuer/interaction/:uid/create-account": { removed: issuerTests },
  "POST /issuer/interaction/:uid/reset-password": mailed,
  "POST /issuer/account/email": { removed: "test/unproved-accounts.integration.test.ts" },
  "POST /issuer/account/password": { removed: issuerTests },
  "POST /issuer/account/second-factor/begin": factor,
  "POST /issuer/account/second-factor/confirm": factor,
  "POST /issuer/account/second-factor/off": factor,
  "POST /issuer/change-address": { stays: "it is itself a proof, of the new address" },
  "POST /issuer/confirm-address": { stays: "it is the proof, and needs the account's browser or password" },
  "POST /issuer/confirm-address/again": mailed,
  "POST /issuer/confirm-address/new-password": mailed,
  "POST /issuer/reset-password": { stays: "it is the proof" },
  "POST /issuer/reset-password/ask": mailed,
};

test("the table has every changing call that an unconfirmed account may make [A25]", async () => {
  const calls = (await listEndpoints())
    .filter(({ method, permission }) => method !== "GET" && !permission)
    .map(({ method, path }) => `${method} ${path}`);
  // The academy alone calls what is under /issuer/accounts, with its own secret.
  const forms = issuer.pages.filter((path) => !path.startsWith("/issuer/accounts/")).map((path) => `POST ${path}`);
  expect([...calls, ...forms].toSorted()).toEqual(Object.keys(table).toSorted());
  const files = Object.values(table).flatMap((effect) => {
    const proof = "removed" in effect ? effect.removed : "refused" in effect ? effect.refused : "";
    return typeof proof === "string" && proof !== "" ? [proof] : [];
  });
  for (const file of new Set(files)) expect(readFileSync(file, "utf8"), file).toContain("[A25]");
});

test("what an unconfirmed account is refused opens with the confirmation of its address [A25]", async ({
  academy,
  student,
  administrator,
}) => {
  await makeCoupon(administrator, "UNPROVED", await academy.now());
  const invited = await administrator.call(invite, { body: { email: student.email, tier: "basic" } });
  expect(invited.status).toBe(200);
  const refused = Object.entries(table).flatMap(([name, effect]) =>
    "refused" in effect && typeof effect.refused === "function" ? [{ name, call: effect.refused }] : [],
  );
  for (const { name, call } of refused) expect([404, 409], name).toContain((await call(student)).status);
  await confirmAddress(academy, student);
  for (const { name, call } of refused) expect((await call(student)).status, name).toBe(200);
});

test("a change of the address that a stranger asked for ends with the owner's reset [A25]", async () => {
  const { browser, person } = await issuer.signUp();
  const { email } = stranger();
  await browser.submit("/issuer/account/email", { email, password: person.password });
  const link = await issuer.linkTo(email, "Confirm your new email address");
  const owner = issuer.browser();
  await owner.submit("/issuer/reset-password/ask", { email: person.email });
  const token = await issuer.tokenTo(person.email, "Choose a new password");
  expectPage(await owner.submit("/issuer/reset-password", { token, password: "nine quiet lamps" }), 200, "saved");
  expectPage(await browser.open(link), 410, "no longer works");
});
