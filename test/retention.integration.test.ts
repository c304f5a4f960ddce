import { expect, test } from "vitest";
import { listContacts, replyToContact } from "#contract/admin/contacts.ts";
import { sendContactMessage } from "#contract/contact.ts";
import { exportData } from "#contract/profile.ts";
import { openPool } from "#server/db/db.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";

test("what is kept for a time goes when its time is over, and the books stay [G04]", async () => {
  await using academy = await openAcademyInProcess();
  const pool = openPool(academy.database.connection, () => {});
  try {
    const kept = async () => {
      const { rows } = await pool.query<{ name: string; rows: number }>(`
        select 'sessions' as name, count(*)::int as rows from sessions
        union all select 'webhooks', count(*)::int from gateway_notifications
        union all select 'limits', count(*)::int from limits
        union all select 'answered', count(*)::int from contacts where state = 'answered'
        union all select 'unanswered', count(*)::int from contacts where state <> 'answered'
        union all select 'audit', count(*)::int from audit_log
        union all select 'attempts', count(*)::int from payment_attempts`);
      return Object.fromEntries(rows.map(({ name, rows: count }) => [name, count]));
    };
    const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
    await administrator.send("GET", exportData.path);
    const write = (email: string) =>
      academy
        .visitor()
        .call(sendContactMessage, { body: { name: "Ines Park", email, message: "Is it for beginners?" } });
    await write("answered@example.test");
    await write("waiting@example.test");
    const { body: messages } = await administrator.call(listContacts);
    const contactId = messages.find(({ email }) => email === "answered@example.test")?.id ?? "";
    await administrator.call(replyToContact, { body: { contactId, text: "Yes, it is." } });
    const [charge] = await academy.ledger();
    const sent = await fetch(`${academy.url}/sandbox/api/gateway/webhook`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ transId: charge?.transId, event: "net.authorize.payment.authcapture.created" }),
    });
    expect(sent.ok).toBe(true);
    const before = await kept();
    expect(before).toMatchObject({ webhooks: 1, answered: 1, unanswered: 1 });
    expect(before.sessions).toBeGreaterThan(0);
    expect(before.limits).toBeGreaterThan(0);

    await academy.advance("89d");
    expect(await kept()).toMatchObject({ webhooks: 1, sessions: 0, answered: 1 });
    await academy.advance("2d");
    expect(await kept()).toMatchObject({ webhooks: 0, answered: 1 });
    await academy.advance("640d");
    const after = await kept();
    expect(after).toMatchObject({ answered: 0, unanswered: 1 });
    expect(after.audit).toBeGreaterThanOrEqual(before.audit ?? 0);
    expect(after.attempts).toBeGreaterThanOrEqual(before.attempts ?? 0);
  } finally {
    await pool.end();
  }
});
