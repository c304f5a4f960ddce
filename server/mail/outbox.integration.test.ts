import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { sendContactMessage } from "#contract/contact.ts";
import { openPool } from "#server/db/db.ts";
import { openAcademy } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { mailServer } from "#test/stand-ins/mail-server.ts";
import { until } from "#test/until.ts";

const message = { name: "Nora", email: "nora@example.test", message: "Do you ship?" };

test("a mail accepted just before a kill is sent again under the same Message-ID", async () => {
  await using server = await mailServer();
  await server.start();
  server.fallSilentAbout(message.message);
  await using academy = await openAcademy({ SMTP_URL: server.url });
  expect((await academy.visitor().call(sendContactMessage, { body: message })).status).toBe(200);
  const isOurs = ({ text }: { text: string }) => text.includes(message.message);
  const first = await until(async () => server.arrivals.find(isOurs));
  await academy.kill();
  server.fallSilentAbout(null);
  await academy.start();
  await academy.advance("3m");
  const arrivals = server.arrivals.filter(isOurs);
  expect(arrivals.length).toBeGreaterThan(1);
  expect(new Set(arrivals.map(({ messageId }) => messageId))).toEqual(new Set([first.messageId]));
  expect(first.messageId).toMatch(/^<[0-9a-z]{20}@localhost>$/);
});

test("an outage of the mail server loses no mail of the issuer, and no row contains a working link", async () => {
  await using server = await mailServer();
  await using academy = await openAcademy({ SMTP_URL: server.url });
  const student = await academy.visitor().signUp();
  const pool = openPool(academy.database.connection, () => {});
  const { rows } = await pool.query("select data from jobs where name = 'mail-of-issuer'").finally(() => pool.end());
  expect(rows).toEqual([{ data: { kind: "confirm-address", to: student.email } }]);
  await academy.kill();
  await academy.start();
  await academy.advance("1d");

  await server.start();
  await academy.advance("2h");
  const mail = await until(async () => server.arrivals.find(({ to }) => to === student.email));
  const [link = ""] = /http\S+token=\S+/.exec(mail.text) ?? [];
  expect((await student.navigate(link)).html).toContain("Confirm my address");
});

test("fifty calls to a silent gateway delay no mail", async () => {
  const gateway = createServer(() => {});
  await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve));
  await using server = await mailServer();
  await server.start();
  await using academy = await openAcademyInProcess({
    SMTP_URL: server.url,
    AUTHORIZE_NET_ENVIRONMENT: "sandbox",
    AUTHORIZE_NET_API_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/`,
    AUTHORIZE_NET_API_LOGIN_ID: "login",
    AUTHORIZE_NET_TRANSACTION_KEY: "key",
    AUTHORIZE_NET_CLIENT_KEY: "client",
    AUTHORIZE_NET_SIGNATURE_KEY: "ab".repeat(64),
  });
  const pool = openPool(academy.database.connection, () => {});
  await pool.query(
    `insert into jobs (id, name, data, run_at, attempts, created_at)
     select 'silent-' || n, 'forget-card', json_build_object('customerProfileId', n::text, 'paymentProfileId', n::text),
       now() - interval '1 hour', 0, now() from generate_series(1, 50) n`,
  );
  const countWaiting = async () =>
    (await pool.query("select count(*)::int as n from jobs where name = 'forget-card' and claimed_until is not null"))
      .rows[0].n;
  await until(async () => (await countWaiting()) >= 4);
  await academy.visitor().call(sendContactMessage, { body: message });
  await until(async () => server.arrivals.some(({ text }) => text.includes(message.message)));
  await pool.end();
  gateway.closeAllConnections();
  gateway.close();
});
