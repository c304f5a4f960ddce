import { rename } from "node:fs/promises";
import { join } from "node:path";
import { createServer } from "node:tls";
import { SMTPServer } from "smtp-server";
import { expect, onTestFinished } from "vitest";
import { DAY } from "#server/base/clock.ts";
import { readConfig } from "#server/context/config.ts";
import { openDb } from "#server/db/db.ts";
import { addressOf } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { academyOfFile, databaseOfTest } from "#test/fixtures.ts";
import { listening } from "#test/listening.ts";
import { environmentOf, findingOn, findingsOf, operate } from "#test/operate.ts";
import { createEmptyDatabase } from "#test/postgres.ts";
import { productionEnv } from "#test/production-env.ts";
import { openRefusingPooler } from "#test/stand-ins/refusing-pooler.ts";
import { makeSelfSignedCertificate } from "#test/stand-ins/self-signed-certificate.ts";
import { folderOfFile } from "#test/temporary-folder.ts";
import { backUp } from "../backup.ts";
import { readBacklog } from "../queries.ts";

const folder = folderOfFile();
const { academy, test } = await academyOfFile();
await academy.buyer("vip");

/** The environment of the academy under test, for an operator beside it. */
const environment = (change: Record<string, string> = {}) => ({ ...environmentOf(academy), ...change });

test("the doctor warns of coaching that is sold and cannot be given, and finds no problem in it", async () => {
  await academy.pool.query("update coaches set is_active = false");
  const { code, said } = await operate(["doctor"], environment());
  await academy.pool.query("update coaches set is_active = true");
  expect(said).toMatch(/^WARNING {2}Coaching: .*; 0 slots are open\. \d+ can’t get one\. Open more hours/m);
  expect(said).toMatch(/\nNo problems\. Warnings: 2\.$/);
  expect(code).toBe(0);
});

test("the doctor finds nothing wrong with a sound academy, and names the faults of another", async () => {
  const { code, said } = await operate(["doctor"], environment());
  // A demo claims, as specified, what nobody can back.
  expect(said).toMatch(
    /^WARNING {2}Claims: no proof yet of 500\+ students enrolled \(students\); .*at \/admin\/claims\.$/m,
  );
  expect(said).toMatch(/\nNo problems\. Warnings: 1\.$/);
  expect(said).toMatch(/^ok {7}Database: PostgreSQL [\d.]+, up to date$/m);
  expect(said).toMatch(/^ok {7}Team: no backup was restored/m);
  expect(said).toMatch(
    /Administrators: a password is all it takes to be admin@academy\.test, helpdesk@academy\.test: .*second-factor$/m,
  );
  expect(code).toBe(0);

  await academy.pool.query(`insert into jobs (id, name, data, run_at, created_at, failed_at)
    values ('0', 'send-email', '{}', now(), now(), now())`);
  const { rows } = await academy.pool.query("select storage_key from course_resources limit 1");
  const key: string = rows[0].storage_key;
  const path = join(academy.dataDir, "files", key);
  await rename(path, `${path}-away`);
  const ill = await findingsOf(environment({ SMTP_URL: "smtp://127.0.0.1:9" }), "20.19.0");
  await rename(`${path}-away`, path);
  await academy.pool.query("delete from jobs where id = '0'");
  expect(ill).toMatchObject({
    Node: expect.stringMatching(/^PROBLEM 20\.19\.0 is too old/),
    Jobs: expect.stringMatching(/^PROBLEM gave up: send-email/),
    Files: expect.stringMatching(new RegExp(`^PROBLEM missing of \\d+: ${key}`)),
    "Mail server": expect.stringMatching(/^PROBLEM .*Check SMTP_URL\.$/),
    Academy: "ok serves",
  });

  const unreachable = await findingsOf(
    environment({
      PORT: "9",
      DATABASE_URL: "postgres://nobody:wrong@127.0.0.1:9/none",
      OIDC_ISSUER: "http://127.0.0.1:9",
      OIDC_CLIENT_ID: "id",
      OIDC_CLIENT_SECRET: "secret",
      AUTHORIZE_NET_ENVIRONMENT: "sandbox",
      AUTHORIZE_NET_API_URL: "http://127.0.0.1:9/request.api",
      AUTHORIZE_NET_API_LOGIN_ID: "login",
      AUTHORIZE_NET_TRANSACTION_KEY: "key",
      AUTHORIZE_NET_CLIENT_KEY: "key",
      AUTHORIZE_NET_SIGNATURE_KEY: "0001".repeat(32),
      S3_ENDPOINT: "http://127.0.0.1:9",
      S3_BUCKET: "academy",
      S3_REGION: "us-east-1",
      S3_ACCESS_KEY_ID: "key",
      S3_SECRET_ACCESS_KEY: "secret",
    }),
  );
  expect(unreachable).toMatchObject({
    Academy: "ok does not run at HOST and PORT",
    Database: expect.stringMatching(/^PROBLEM .*Check DATABASE_URL\.$/),
    "Object store": expect.stringMatching(/^PROBLEM .* Check S3_ENDPOINT, S3_BUCKET and the keys\.$/),
    "Sign-in": expect.stringMatching(/^PROBLEM .*Check OIDC_ISSUER\.$/),
    "Card gateway": expect.stringMatching(
      /^PROBLEM The gateway is unavailable\. Nothing accepts .*\. Check that this machine reaches 127\.0\.0\.1:9\.$/,
    ),
  });
  expect(JSON.stringify(unreachable)).not.toContain("wrong");
  const away = readConfig(environment({ DATABASE_URL: "postgres://nobody:wrong@127.0.0.1:9/none" }));
  await expect(backUp(away, join(folder, "none.tar"), "1.2.3")).rejects.toThrow(/^The database cannot be used\. /);
  await using pooler = await openRefusingPooler();
  const pooled = await findingsOf(environment({ DATABASE_URL: pooler.url }));
  expect(pooled.Database).toMatch(/^PROBLEM The database cannot be used\. Its address leads to a connection pooler, /);
  const unset = await findingsOf({ MODE: "production" });
  expect(unset.Configuration).toMatch(/^PROBLEM .*SESSION_SECRET is missing.*SMTP_URL is missing/);
});

test("a job is late only once the academy has run for as long as jobs may wait", async () => {
  await academy.pool.query(`insert into jobs (id, name, data, run_at, created_at, claimed_until)
    values ('waits', 'send-email', '{}', now() - interval '2 days', now(), now() + interval '1 day')`);
  const db = openDb(academy.pool as Parameters<typeof openDb>[0]);
  const [atOnce, daily] = await Promise.all([0, DAY].map((limit) => readBacklog(db, new Date(), limit)));
  await academy.pool.query("delete from jobs where id = 'waits'");
  expect(atOnce?.lateJobs).toBeGreaterThan(0);
  expect(daily).toMatchObject({ overdueJobs: 1, lateJobs: 0 });
});

test("the doctor says of a certificate that nobody trusts what to do about it", async () => {
  const { key, pem } = makeSelfSignedCertificate();
  const server = createServer({ cert: pem, key: key.export({ type: "pkcs8", format: "pem" }) });
  const port = await listening(server, "localhost");
  onTestFinished(() => void server.close());
  const found = await findingOn("Mail server", environment({ SMTP_URL: `smtps://localhost:${port}` }));
  expect(found?.problem).toBe(true);
  expect(found?.detail).toMatch(
    /^Its certificate is not trusted \(self-signed certificate.*\)\. .* NODE_EXTRA_CA_CERTS, .*\.$/,
  );
});

test("the doctor names an address to which the mail server cannot write", async () => {
  const server = new SMTPServer({ authOptional: true, disabledCommands: ["AUTH", "STARTTLS"], hideSMTPUTF8: true });
  const SMTP_URL = `smtp://127.0.0.1:${await listening(server.server)}`;
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)));
  const found = await findingOn("Mail server", environment({ SMTP_URL, SUPPORT_EMAIL: "büro@academy.example" }));
  expect(found?.problem).toBe(true);
  expect(found?.detail).toMatch(/^It can't write to or from büro@academy\.example\. Use an address/);
});

test("the doctor asks for no backup before a production academy's first start, and for one after it", async () => {
  const { database } = await databaseOfTest(createEmptyDatabase());
  const env = { ...productionEnv, DATA_DIR: join(folder, "production"), DATABASE_URL: addressOf(database) };
  const onBackup = () => findingOn("Backup", env);
  const detail = "none was made on this machine";
  expect(await onBackup()).toMatchObject({ problem: false, detail });
  const started = await openAcademyInProcess(env, database);
  await started[Symbol.asyncDispose]();
  expect(await onBackup()).toMatchObject({ problem: true, detail: `${detail}: set BACKUP_EVERY.` });
});

test("the doctor says of an empty database that the next start fills it, and a backup refuses it", async () => {
  const { database } = await databaseOfTest(createEmptyDatabase());
  const nothing = { DATA_DIR: join(folder, "nothing"), DATABASE_URL: addressOf(database) };
  const found = await findingsOf(nothing);
  expect(found.Database).toMatch(/^ok PostgreSQL \S+, \d+ migrations wait for the next start$/);
  expect(found.Contents).toBe("ok are examined when the database is up to date");
  expect(found).not.toHaveProperty("Jobs");
  await expect(backUp(readConfig(nothing), join(folder, "nothing.tar"), "1.2.3")).rejects.toThrow(
    /^The database is as an older/,
  );
});
