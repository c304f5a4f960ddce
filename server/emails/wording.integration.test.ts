import { expect } from "vitest";
import { listAudit } from "#contract/admin/audit.ts";
import { discardDrafts, draftEmail, getContent, previewEmail, publishContent } from "#contract/admin/content.ts";
import { suspendAccount } from "#contract/admin/users.ts";
import type { EmailTexts } from "#contract/email-texts.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, administrator: admin, test } = await academyOfFile();

async function emailOf(id: string) {
  const found = (await admin.call(getContent)).body.emails.find((one) => one.id === id);
  if (!found) throw new Error(`there is no email ${id}`);
  return found;
}
async function write(id: string, changes: EmailTexts, by: Visitor = admin) {
  const { draft, published, version } = await emailOf(id);
  const body = { ...(draft ?? published), ...changes };
  return by.call(draftEmail, { params: { id }, query: { version }, body });
}
const publish = (id: string, by = admin) => by.call(publishContent, { body: { only: [{ kind: "email", id }] } });
const preview = (id: string, texts: EmailTexts, shown: string | null = null) =>
  admin.call(previewEmail, { params: { id }, body: { texts, shown } });

const hostile = `<img src=x onerror=alert(1)> =1+1 "quotes" $&`;

test("the next email has the published words, and people's words in it stay text [N20]", async () => {
  const student = await academy.visitor().signUp();
  const drafted = await write("suspended", {
    subject: `Please write to us ${hostile}`,
    suspended: `Your account is suspended. ${hostile}`,
    reason: "Why: {reason}",
  });
  expect(drafted.status).toBe(200);
  const first = await academy.visitor().signUp();
  await admin.call(suspendAccount, { body: { userId: await first.id(), reason: "A draft" } });
  expect((await academy.mailTo(first, "suspended")).text).toContain("Reason: A draft");

  expect((await publish("suspended")).body.message).toBe("Published: 1");
  await admin.call(suspendAccount, { body: { userId: await student.id(), reason: "{reason} <b>&</b>" } });
  const { subject, text, html } = await academy.mailTo(student, "Please write");
  expect(subject).toBe(`Please write to us ${hostile}`);
  expect(text).toContain("Why: {reason} <b>&</b>");
  expect(text).not.toContain("We've suspended your account");
  for (const markup of ["<img src=x", "<b>"]) expect(html).not.toContain(markup);
  expect(html).toContain("&lt;img src=x onerror=alert(1)&gt; =1+1 ");

  const [published, draft] = (await admin.call(listAudit, { query: { subject: "suspended" } })).body.rows;
  expect(published).toMatchObject({
    action: "publish email",
    subjectKind: "email",
    subjectName: "Account suspended",
    before: { reason: "Reason: {reason}" },
    after: { reason: "Why: {reason}" },
  });
  expect(draft).toMatchObject({ action: "draft email" });
});

test("a text without its facts is refused by its field, and so are other texts [N20]", async () => {
  // `email-texts.test.ts` has the other faults.
  expect((await write("renewed", { charged: "Thanks for {plan}.", heading: "Paid by {card}" })).body.errors).toEqual({
    charged: ["Add {amount}. We fill it in for each student."],
    heading: ["Remove {card}. This text can’t use it."],
  });
  expect((await write("renewed", { other: "More" })).status).toBe(400);
  const { version } = await emailOf("renewed");
  const only = { params: { id: "renewed" }, query: { version }, body: { heading: "Paid" } };
  expect((await admin.call(draftEmail, only)).body.errors).toHaveProperty("charged");
  for (const id of ["role-changed", "constructor"]) {
    expect((await admin.call(draftEmail, { ...only, params: { id } })).status).toBe(404);
    expect((await preview(id, {})).status).toBe(404);
  }
  expect(await emailOf("renewed")).toMatchObject({ draft: null });
});

test("of two administrators who edit one email, the later one learns of the earlier one's draft", async () => {
  const other = await inRole(academy, "administrator");
  const { published, version } = await emailOf("expired");
  const draft = (by: Visitor, heading: string) =>
    by.call(draftEmail, { params: { id: "expired" }, query: { version }, body: { ...published, heading } });
  expect((await draft(other, "See you again")).status).toBe(200);
  expect(await draft(admin, "Goodbye")).toMatchObject({ status: 409, body: { code: "conflict" } });
  expect(await emailOf("expired")).toMatchObject({ draft: { heading: "See you again" } });
  const only = [{ kind: "email" as const, id: "expired", version }];
  expect((await admin.call(publishContent, { body: { only } })).status).toBe(409);
  expect((await admin.call(discardDrafts, { body: {} })).status).toBe(200);
  expect(await emailOf("expired")).toMatchObject({ draft: null, published });
});

test("the original texts can be published again, and what is stored is what differs", async () => {
  const stored = async () =>
    (await academy.pool.query("select value from settings where name = 'email:held'")).rows.map(({ value }) => value);
  await write("held", { held: "Please write to us." });
  await publish("held");
  expect(await stored()).toEqual([{ held: "Please write to us." }]);
  const { originals, published } = await emailOf("held");
  expect(published).toEqual({ ...originals, held: "Please write to us." });
  await write("held", originals);
  await publish("held");
  expect(await stored()).toEqual([]);
  expect(await emailOf("held")).toMatchObject({ published: originals, draft: null });
});

test("a published text that no longer fits is not used, and is shown as such", async () => {
  const value = { ended: "It ended on {day}.", progress: "Come back any time." };
  await academy.pool.query("insert into settings values ('email:expired', $1, now())", [value]);
  const { published, originals, outdated } = await emailOf("expired");
  expect(published).toEqual({ ...originals, progress: value.progress });
  expect(outdated).toEqual({ ended: value.ended });
  await write("expired", { heading: "See you" });
  await publish("expired");
  expect(await emailOf("expired")).toMatchObject({ published: { ...published, heading: "See you" }, outdated: {} });
});

test("a published text that no longer fits can be replaced by the original", async () => {
  await academy.pool.query("insert into settings values ('email:resumed', $1, now())", [
    { subject: "{name} continues" },
  ]);
  const { published, outdated } = await emailOf("resumed");
  expect(outdated).toEqual({ subject: "{name} continues" });
  await write("resumed", {});
  expect(await emailOf("resumed")).toMatchObject({ draft: published, outdated });
  expect((await publish("resumed")).status).toBe(200);
  expect(await emailOf("resumed")).toMatchObject({ draft: null, published, outdated: {} });
});

test("a draft from an earlier release changes what was reworded, and shows what no longer fits", async () => {
  const draft = async () =>
    (await academy.pool.query("select content from content_drafts where id = 'on-hold'")).rows[0]?.content;
  await write("on-hold", { heading: "We need your card" });
  expect(await draft()).toEqual({ heading: "We need your card" });
  const content = { heading: "We need your card", back: "Pay {price}.", gone: "Bye." };
  await academy.pool.query("update content_drafts set content = $1 where id = 'on-hold'", [content]);
  const { draft: shown, originals, outdated } = await emailOf("on-hold");
  expect(shown).toEqual({ ...originals, heading: content.heading });
  expect(outdated).toEqual({ back: content.back, gone: content.gone });
  await publish("on-hold");
  const [published] = (await admin.call(listAudit, { query: { subject: "on-hold" } })).body.rows;
  expect(published).toMatchObject({
    action: "publish email",
    before: { heading: "Your account is on hold" },
    after: { heading: "We need your card" },
  });
  expect(Object.keys(published?.after ?? {})).toEqual(["heading"]);
  expect(await emailOf("on-hold")).toMatchObject({ draft: null, outdated: {} });
});

test("a preview is the email with the text that is asked for, as text", async () => {
  const { originals } = await emailOf("declined");
  const usual = (await preview("declined", originals)).body;
  expect(usual.subject).toBe("Your payment of $49.00 for Monthly Access didn't go through");
  for (const part of ["Hello Casey,", "Update your card", "Next attempt"]) expect(usual.html).toContain(part);
  expect(usual.html).not.toContain("charge this card again");
  const { html } = (await preview("declined", { ...originals, never: `${hostile} {amount}` }, "never")).body;
  expect(html).toContain("&lt;img src=x onerror=alert(1)&gt; =1+1 &quot;quotes&quot; $&amp; $49.00");
  expect(html).not.toContain("<img");
});

test("publishing an email's texts needs a recent sign-in [N19]", async () => {
  const other = await inRole(academy, "administrator");
  await write("cancelled", { heading: "Pay at evil.example" });
  await academy.advance("16m");
  expect(await publish("cancelled", other)).toMatchObject({ status: 403, body: { code: "sign-in-again" } });
  expect((await emailOf("cancelled")).published?.heading).toBe("Your plan is cancelled");
  await other.signInAgain();
  expect((await publish("cancelled", other)).status).toBe(200);
});
