import { expect } from "vitest";
import { listAudit } from "#contract/admin/audit.ts";
import {
  countContacts,
  deleteContact,
  getContactDetail,
  listContacts,
  markContact,
  markContacts,
  replyToContact,
  undoMarks,
} from "#contract/admin/contacts.ts";
import { getStats } from "#contract/admin/statistics.ts";
import { sendContactMessage } from "#contract/contact.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, administrator: admin, test } = await academyOfFile();

const list = async (query: Record<string, string> = {}) => (await admin.call(listContacts, { query })).body;
const detailOf = async (contactId: string) => (await admin.call(getContactDetail, { params: { contactId } })).body;

/** Writes through the public form; returns the message's id. */
async function write(message: string, email = "nora@example.test", name = "Nora Quill"): Promise<string> {
  const sent = await academy.visitor().call(sendContactMessage, { body: { name, email, message } });
  expect(sent.status).toBe(200);
  const [contact] = await list({ limit: "1" });
  return contact?.id ?? "";
}

test("a message arrives as new, is opened, answered by email from here, and the answer is kept", async () => {
  const contactId = await write("Do you ship to Leipzig?");
  const written = { name: "Nora Quill", email: "nora@example.test", message: "Do you ship to Leipzig?" };
  expect((await list())[0]).toMatchObject({ id: contactId, ...written, state: "new", replies: 0, userId: null });
  expect((await admin.call(getStats)).body).toMatchObject({ totalContacts: 1 });
  await admin.call(markContact, { body: { contactId, state: "open" } });
  expect((await list({ state: "open" })).map(({ id }) => id)).toEqual([contactId]);

  const text = "We do not ship.\n\nWe teach.";
  expect((await admin.call(replyToContact, { body: { contactId, text } })).body.message).toBe("Reply sent");
  const mail = await academy.mailTo(written, /^Our reply to your message$/);
  for (const part of ["We do not ship.", "We teach.", "Do you ship to Leipzig?"]) expect(mail.text).toContain(part);
  const sent = await until(async () => {
    const [reply] = (await detailOf(contactId)).replies;
    return reply?.sentAt && reply;
  });
  expect(sent).toMatchObject({ text, author: "Ruth Okafor" });
  expect((await list({ state: "answered" }))[0]).toMatchObject({ id: contactId, replies: 1 });
});

test("a message is linked to the account with its verified address, and to no other", async () => {
  const known = await write("When is the next class?", "Premium@academy.test");
  expect((await detailOf(known)).account).toMatchObject({ email: "premium@academy.test", purchasedTier: "premium" });
  const unverified = await academy.visitor().signUp();
  const unknown = await write("Who am I?", unverified.email);
  expect((await detailOf(unknown)).account).toBeNull();
});

test("search, paging and counts of the inbox", async () => {
  const ids: string[] = [];
  for (let at = 0; at < 3; at++)
    ids.unshift(await write(`Question ${at} about 50% & <b>labels</b>`, "pager@example.test"));
  expect((await list({ search: "pager <b>labels" })).map(({ id }) => id)).toEqual(ids);
  expect((await list({ search: "pager", limit: "2" })).map(({ id }) => id)).toEqual(ids.slice(0, 2));
  expect((await list({ search: "pager", after: ids[1] ?? "" })).map(({ id }) => id)).toEqual(ids.slice(2));
  expect((await admin.call(countContacts, { query: { search: "pager", state: "new" } })).body).toEqual({ total: 3 });
  expect(await list({ search: "50_ &" })).toEqual([]);
  expect((await detailOf(ids[0] ?? "")).others.map(({ id }) => id)).toEqual(ids.slice(1));
});

test("neither a name nor an answer adds a header or markup to the mail [C03 C04]", async () => {
  const contactId = await write("hello", "careful@example.test", "x\r\nBcc: victim@example.test");
  await admin.call(replyToContact, {
    body: { contactId, text: "a\r\nBcc: victim@example.test\r\n\r\n<img src=x onerror=1>" },
  });
  const mail = await academy.mailTo({ email: "careful@example.test" }, "");
  expect(mail.html).not.toContain("<img");
  expect((await academy.mails()).filter(({ to }) => to.includes("victim"))).toEqual([]);
});

test("of two administrators who answer one message the second is told, and nothing of theirs is mailed", async () => {
  const email = "twice@example.test";
  const contactId = await write("Which plan?", email);
  const colleague = await academy.visitor().signInAsDemo("helpdesk@academy.test");
  const { version } = await detailOf(contactId);
  // Somebody who opens it answers nothing.
  await colleague.call(markContact, { body: { contactId, state: "open" } });
  expect((await detailOf(contactId)).version).toBe(version);
  const answer = (visitor: Visitor, text: string, known: string) =>
    visitor.call(replyToContact, { query: { version: known }, body: { contactId, text } });
  const texts = [answer(admin, "The annual one.", version), answer(colleague, "The monthly one.", version)];
  const both = await Promise.all(texts);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(both.find(({ status }) => status === 409)).toMatchObject({
    body: { code: "conflict", message: expect.stringContaining("Somebody has answered") },
  });
  const once = await detailOf(contactId);
  expect(once.replies).toHaveLength(1);
  await academy.mailTo({ email }, "");
  expect(await academy.mails(email)).toHaveLength(1);
  expect((await answer(colleague, "Or the monthly one.", once.version)).status).toBe(200);

  const called = await write("Call me?", email);
  const before = await detailOf(called);
  await colleague.call(markContact, { body: { contactId: called, state: "answered" } });
  const late = { query: { version: before.version }, body: { contactId: called, text: "When?" } };
  expect((await admin.call(replyToContact, late)).status).toBe(409);
});

test("a deleted message is gone with its answers, and the log keeps no word of it", async () => {
  const contactId = await write("Forget me, I am Zebulon", "zebulon@example.test", "Zebulon");
  await admin.call(replyToContact, { body: { contactId, text: "We will, Zebulon" } });
  const deleted = await admin.call(deleteContact, { body: { contactId, reason: "asked for it" } });
  expect(deleted.body.message).toBe("Message deleted");
  expect((await admin.call(getContactDetail, { params: { contactId } })).status).toBe(404);
  for (const endpoint of [deleteContact, replyToContact, markContact]) {
    const answer = await admin.call(endpoint, { body: { contactId, text: "x", state: "open" } });
    expect([400, 404]).toContain(answer.status);
  }
  const history = (await admin.call(listAudit, { query: { subject: contactId } })).body.rows;
  const before = { state: "answered", receivedAt: expect.any(String) };
  expect(history).toMatchObject([
    { action: "delete message", subjectKind: "contact", before },
    { action: "reply to message", subjectKind: "contact" },
  ]);
  expect(JSON.stringify(history)).not.toContain("Zebulon");
});

test("anybody of the team undoes marks once, except for a message with which something was done since", async () => {
  // Only so many messages are taken from one browser.
  await academy.advance("1h");
  const [one, other, third] = [await write("one"), await write("other"), await write("third")];
  await admin.call(markContact, { body: { contactId: other, state: "open" } });
  const marked = await admin.call(markContacts, { body: { contactIds: [one, other, third], state: "answered" } });
  const { marks } = marked.body;
  expect(marks).toHaveLength(3);
  await admin.call(replyToContact, { body: { contactId: third, text: "Answered indeed" } });
  const colleague = await academy.visitor().signInAsDemo("helpdesk@academy.test");
  const undone = await colleague.call(undoMarks, { body: { marks } });
  expect(undone.body.message).toBe("Undone for 2 messages. 1 message changed since");
  const stateOf = async (id: string) => (await detailOf(id)).contact.state;
  expect([await stateOf(one), await stateOf(other), await stateOf(third)]).toEqual(["new", "open", "answered"]);
  expect((await admin.call(undoMarks, { body: { marks } })).status).toBe(409);
  expect((await admin.call(listAudit, { query: { subject: other, limit: "1" } })).body.rows).toMatchObject([
    { action: "undo mark of message", subjectKind: "contact", before: { state: "answered" }, after: { state: "open" } },
  ]);

  const single = (await admin.call(markContact, { body: { contactId: one, state: "answered" } })).body.marks;
  const both = await Promise.all([1, 2].map(() => admin.call(undoMarks, { body: { marks: single } })));
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const another = await admin.call(listAudit, { query: { action: "undo mark", limit: "1" } });
  const entry = another.body.rows[0]?.id ?? "";
  expect((await admin.call(undoMarks, { body: { marks: [entry] } })).status).toBe(409);
});

test("an empty and a too long answer are refused", async () => {
  const contactId = await write("limits?", "limits@example.test");
  for (const text of ["", "  ", "x".repeat(5001), ["x"], null]) {
    expect((await admin.call(replyToContact, { body: { contactId, text } })).status).toBe(400);
  }
  expect((await admin.call(markContact, { body: { contactId, state: "closed" } })).status).toBe(400);
  expect((await detailOf(contactId)).contact.state).toBe("new");
});
