import { expect } from "vitest";
import { listAudit } from "#contract/admin/audit.ts";
import { listContacts, replyToContact } from "#contract/admin/contacts.ts";
import { addUserNote, deleteUserNote, getCorrespondence, writeToUser } from "#contract/admin/people.ts";
import { deleteUserAccount, getUserDetail } from "#contract/admin/users.ts";
import { sendContactMessage } from "#contract/contact.ts";
import { exportData } from "#contract/profile.ts";
import { test } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";
import { until } from "#test/until.ts";
import { unzip } from "#test/unzip.ts";

test("a mail and a note to a person are kept with them: the mail is theirs to take along, the note is not, and both are erased [C03 G02]", async ({
  academy,
  administrator: admin,
  student,
}) => {
  const userId = await student.id();
  const params = { userId };
  const forged = await admin.call(writeToUser, { params, body: { subject: "Hi\r\nBcc: a@example.test", text: "x" } });
  expect(forged).toMatchObject({ status: 400, body: { errors: { subject: ["Use a single line"] } } });
  const mail = { subject: "Your question", text: "The answer is yes.\n<b>Really</b>" };
  expect((await admin.call(writeToUser, { params, body: mail })).status).toBe(200);
  expect((await admin.call(addUserNote, { params, body: { text: "Asks good questions." } })).status).toBe(200);
  const sent = await academy.mailTo(student, mail.subject);
  expect(sent.text).toContain("The answer is yes.");
  expect(sent.html).toContain("&lt;b&gt;Really&lt;/b&gt;");
  const { body } = await until(async () => {
    const found = await admin.call(getCorrespondence, { params });
    return Boolean(found.body.mails[0]?.sentAt) && found;
  });
  expect(body).toMatchObject({ notes: [{ text: "Asks good questions.", author: "Ruth Okafor" }], mails: [mail] });
  const { emails } = (await admin.call(getUserDetail, { params })).body;
  expect(emails.map(({ subject }) => subject)).toContain(mail.subject);

  const archive = unzip((await student.call(exportData)).body as Buffer);
  expect(JSON.parse(archive.get("mails.json")?.toString() ?? "")).toMatchObject([mail]);
  const whole = [...archive.values()].map((file) => file.toString()).join();
  expect(whole).not.toMatch(/good questions|add note/);

  const second = await admin.call(addUserNote, { params, body: { text: "Another." } });
  expect(second.status).toBe(200);
  const [newest] = (await admin.call(getCorrespondence, { params })).body.notes;
  const ofNote = { ...params, noteId: newest?.id ?? "" };
  expect((await admin.call(deleteUserNote, { params: { ...ofNote, userId: "none" } })).status).toBe(404);
  expect((await admin.call(deleteUserNote, { params: ofNote })).status).toBe(200);
  const {
    body: { rows: audit },
  } = await admin.call(listAudit, { query: { subject: ofNote.noteId } });
  expect(audit.map(({ action }) => action)).toEqual(["delete note", "add note"]);

  expect((await admin.call(deleteUserAccount, { body: { userId } })).status).toBe(200);
  const { rows } = await academy.pool.query(
    `select (select count(*) from person_notes where user_id = $1)::int as notes,
      (select count(*) from person_mails where user_id = $1)::int as mails,
      (select count(*) from sent_emails where user_id = $1 and kind = 'written')::int as sent`,
    [userId],
  );
  expect(rows).toEqual([{ notes: 0, mails: 0, sent: 0 }]);
});

test("who writes to people, or answers messages, mails sixty times an hour at most [V02]", async ({
  academy,
  student,
}) => {
  const author = await inRole(academy, "support");
  const message = { name: "x", email: "stranger@example.test", message: "Made up to be answered" };
  await academy.visitor().call(sendContactMessage, { body: message });
  const contactId = (await author.call(listContacts, { query: { search: message.email } })).body[0]?.id ?? "";
  const params = { userId: await student.id() };
  const mail = () => author.call(writeToUser, { params, body: { subject: "Hello", text: "again" } });
  const answer = () => author.call(replyToContact, { body: { contactId, text: "again" } });
  for (const send of [mail, answer]) expect((await send()).status).toBe(200);
  await academy.pool.query("update limits set uses = uses + 56 where key = $1", [`person-mails ${await author.id()}`]);
  for (const send of [mail, answer]) expect((await send()).status).toBe(200);
  for (const send of [mail, answer]) expect((await send()).status).toBe(429);
});
