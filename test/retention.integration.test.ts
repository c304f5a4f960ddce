import { expect } from "vitest";
import { listContacts, replyToContact } from "#contract/admin/contacts.ts";
import { sendContactMessage } from "#contract/contact.ts";
import { exportData } from "#contract/profile.ts";
import { openDb } from "#server/db/db.ts";
import { applyAllRetention } from "#server/operations/retention.ts";
import { academyOfFile } from "#test/fixtures.ts";

const { test } = await academyOfFile();

test("expired rows are deleted and the books stay [G04]", async ({ academy, administrator }) => {
  const { pool } = academy;
  const kept = async () => {
    const { rows } = await pool.query<{ name: string; rows: number }>(`
        select 'sessions' as name, count(*)::int as rows from sessions
        union all select 'webhooks', count(*)::int from webhooks
        union all select 'limits', count(*)::int from limits
        union all select 'old emails', count(*)::int from sent_emails where kind = 'of-long-ago'
        union all select 'old runs', count(*)::int from reconciliation_runs where checked = 4711
        union all select 'old jobs', count(*)::int from jobs where name = 'of-long-ago'
        union all select 'old links', count(*)::int from card_links where token_hash = 'of-long-ago'
        union all select 'answered', count(*)::int from contacts where state = 'answered'
        union all select 'unanswered', count(*)::int from contacts where state <> 'answered'
        union all select 'audit', count(*)::int from audit_log
        union all select 'attempts', count(*)::int from payment_attempts`);
    return Object.fromEntries(rows.map(({ name, rows: count }) => [name, count]));
  };
  await administrator.send("GET", exportData.path);
  const write = (email: string) =>
    academy.visitor().call(sendContactMessage, { body: { name: "Ines Park", email, message: "Is it for beginners?" } });
  await write("answered@example.test");
  await write("waiting@example.test");
  const { body: messages } = await administrator.call(listContacts);
  const contactId = messages.find(({ email }) => email === "answered@example.test")?.id ?? "";
  await administrator.call(replyToContact, { body: { contactId, text: "Yes, it is." } });
  const [charge] = await academy.ledger();
  await academy.notify(charge?.transId, "net.authorize.payment.authcapture.created");
  const ago = (days: number) => new Date(now - days * 24 * 3_600_000);
  const now = await academy.now();
  const [user] = (await pool.query<{ id: string }>("select id from users limit 1")).rows;
  const [purchase] = (await pool.query<{ id: string }>("select id from purchases limit 1")).rows;
  for (const days of [1000, 1100])
    await pool.query(
      "insert into sent_emails (id, user_id, kind, subject, sent_at) values ($1, $2, 'of-long-ago', '', $3)",
      [`sent-${days}`, user?.id, ago(days)],
    );
  for (const days of [200, 400])
    await pool.query(
      "insert into reconciliation_runs (id, started_at, finished_at, checked) values ($1, $2, $2, 4711)",
      [`run-${days}`, ago(days)],
    );
  await pool.query(
    `insert into jobs (id, name, data, run_at, attempts, failed_at, created_at)
       values ('failed', 'of-long-ago', '{}', $1, 12, $1, $1)`,
    [ago(1)],
  );
  await pool.query(
    "insert into card_links (token_hash, purchase_id, expires_at, created_at) values ('of-long-ago', $1, $2, $2)",
    [purchase?.id, ago(-1)],
  );
  const before = await kept();
  expect(before).toMatchObject({ webhooks: 1, answered: 1, unanswered: 1 });
  expect(before.sessions).toBeGreaterThan(0);
  expect(before.limits).toBeGreaterThan(0);

  // The daily job.
  await academy.advance("1d");
  expect(await kept()).toMatchObject({ webhooks: 1, answered: 1 });
  expect(await kept()).toMatchObject({ "old emails": 1, "old runs": 1 });
  // What it does, without the renewals of the months between.
  const after = (days: number) => applyAllRetention(openDb(pool as Parameters<typeof openDb>[0]), ago(-days));
  await after(89);
  expect(await kept()).toMatchObject({ webhooks: 1, sessions: 0, answered: 1, "old jobs": 0, "old links": 0 });
  await after(91);
  expect(await kept()).toMatchObject({ webhooks: 0, answered: 1 });
  await after(731);
  const left = await kept();
  expect(left).toMatchObject({ answered: 0, unanswered: 0 });
  expect(left.audit).toBeGreaterThanOrEqual(before.audit ?? 0);
  expect(left.attempts).toBeGreaterThanOrEqual(before.attempts ?? 0);
});

test("an account that never confirmed its address and owns nothing is deleted after 30 days [G04]", async ({
  academy,
}) => {
  const [idle, recent] = [await academy.visitor().signUpAtIssuer(), await academy.visitor().signUpAtIssuer()];
  const [owns, confirmed] = [await academy.visitor().signUpAtIssuer(), await academy.visitor().signUpAtIssuer()];
  // The academy does not know yet.
  await academy.pool.query("update issuer.accounts set email_verified_at = now() where email = $1", [confirmed.email]);
  await owns.buy("premium");
  const emails = [idle, recent, owns, confirmed].map(({ email }) => email);
  const old = "now() - interval '40 days'";
  await academy.pool.query(`update users set created_at = ${old} where email = any($1)`, [emails]);
  const signedIn = `update identities set last_sign_in_at = ${old} where user_id in (select id from users where email = any($1))`;
  await academy.pool.query(signedIn, [[idle.email, owns.email, confirmed.email]]);
  await academy.advance("1h");
  const left = async (table: string) => {
    const { rows } = await academy.pool.query(`select email from ${table} where email = any($1)`, [emails]);
    return rows.map(({ email }) => email).sort();
  };
  for (const table of ["users", "issuer.accounts"])
    expect(await left(table)).toEqual([recent.email, owns.email, confirmed.email].sort());
  expect((await academy.mails(idle.email)).map(({ subject }) => subject)).not.toContain("Your account was deleted");
});
