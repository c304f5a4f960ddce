import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterAll, expect, onTestFinished } from "vitest";
import { runReconciliation } from "#contract/admin/reconciliation.ts";
import { sendContactMessage } from "#contract/contact.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { scrape } from "#test/metrics.ts";
import { sendUnchecked } from "#test/raw-requests.ts";
import { until } from "#test/until.ts";

/** Not ASCII, as any passphrase may be. */
const token = "größer als zwanzig Zeichen";

/** Its mail server is silent. */
const { academy, test } = await academyOfFile({ METRICS_TOKEN: token, SMTP_URL: "smtp://127.0.0.1:1" });
/** One connection beside the academy's. */
const direct = await academy.pool.connect();
afterAll(() => direct.release());

/** The value of one series. Undefined when it is not there. */
async function figure(series: string): Promise<number | undefined> {
  const line = (await scrape(academy)).split("\n").find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

const deployed = (file: string) => readFile(fileURLToPath(new URL(`../../../deploy/${file}`, import.meta.url)), "utf8");

/** Ours, and what Prometheus and its blackbox exporter say of us. */
async function metricsKnown(): Promise<Set<string>> {
  const ours = [...(await scrape(academy)).matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name ?? "");
  return new Set([...ours, "up", "probe_ssl_earliest_cert_expiry"]);
}

/** The metrics that an expression names, where a histogram's series count as the histogram. */
function metricsIn(expression: string): string[] {
  const named = expression.match(/\b(academy|nodejs|process|probe|up)(_\w+)?\b(?!")/g) ?? [];
  return named.map((name) => name.replace(/_(sum|count|bucket)$/, ""));
}

const write = (message: string) =>
  academy.visitor().call(sendContactMessage, { body: { name: "Nora Quill", email: "nora@example.test", message } });

test("an idle academy raises no alert [I20]", async () => {
  for (const name of [
    ...["payments_unresolved", "payments_unknown", "discrepancies_open", "renewals_late", "jobs_failed"],
    ...["mails_waiting", ...["main", "payments", "reads"].map((pool) => `database_waiting{pool="${pool}"}`)],
    ...['http_answers_total{status="5xx"}', 'refused_total{limit="all"}'],
  ]) {
    // What the seed left to do is done soon.
    await until(async () => (await figure(`academy_${name}`)) === 0);
  }
});

test("mails that the mail server does not accept are counted [I20]", async () => {
  expect((await write("nobody reads mail")).status).toBe(200);
  await until(async () => (await figure("academy_mails_waiting")) === 1);
});

test("every alert and every panel of the dashboard is about metrics that exist, and says what of [I20]", async () => {
  await write("the first query of a kind");
  const known = await metricsKnown();
  const expectKnown = (expression: string, where: string) => {
    const named = metricsIn(expression);
    expect(named, where).not.toEqual([]);
    for (const name of named) expect(known, where).toContain(name);
  };
  const rules = (await deployed("alerts.yml")).split(/^ *- alert: /m).slice(1);
  expect(rules.length).toBeGreaterThan(9);
  for (const rule of rules) {
    expectKnown(/^ +expr: (.+)$/m.exec(rule)?.[1] ?? "", rule);
    expect(rule).toMatch(/^ +summary: [A-Z].+[.?]$/m);
  }
  const { panels } = JSON.parse(await deployed("dashboard.json")) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  expect(panels.length).toBeGreaterThan(9);
  for (const { title, targets } of panels) {
    expect(title).toMatch(/^[A-Z]/);
    expectKnown(targets.map(({ expr }) => expr).join(" "), title);
  }
});

test("the free space of the disk is told [I20]", async () => {
  expect(await figure("academy_data_free_bytes")).toBeGreaterThan(0);
});

test("a payment whose answer was lost is counted, and after five minutes in the alert's figure [I20]", async () => {
  const buyer = await academy.visitor().signUp();
  await academy.tellReference("unavailable");
  await academy.nextCharges("reset-after");
  expect((await buyer.buy("premium")).status).toBe(202);
  expect([await figure("academy_payments_unresolved"), await figure("academy_payments_unknown")]).toEqual([1, 0]);
  await direct.query(
    "update payment_attempts set sent_at = sent_at - interval '6 minutes' where state in ('sent', 'unknown')",
  );
  expect(await figure("academy_payments_unknown")).toBe(1);
  await academy.tellReference("told");
  await academy.advance("5m");
  await until(async () => (await figure("academy_payments_unknown")) === 0);
});

test("a difference from the gateway's books is counted until it is settled [I20]", async () => {
  const buyer = await academy.buyer("vip");
  // As if somebody had taken the purchase's charge out of our books.
  await direct.query(
    "update payment_attempts set amount = amount - 100 where user_id = (select id from users where email = $1)",
    [buyer.email],
  );
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  expect((await administrator.call(runReconciliation, { body: {} })).status).toBe(200);
  expect(await figure("academy_discrepancies_open")).toBeGreaterThan(0);
});

test("an untried renewal counts as late after an hour [I20]", async () => {
  await direct.query("delete from jobs where name in ('sweep-renewals', 'purge')");
  const late = await direct.query(
    `update subscriptions set next_charge_at = next_charge_at - interval '60 days'
      where next_charge_at is not null and user_id = (select id from users where email = 'basic@academy.test')`,
  );
  expect(late.rowCount).toBe(1);
  expect(await figure("academy_renewals_late")).toBe(1);
});

test("failed and overdue jobs are counted [I20]", async () => {
  await direct.query(
    `insert into jobs (id, name, data, run_at, attempts, claimed_until, created_at) values
      ('a-job-of-no-kind', 'no-such-job', '{}', now() - interval '1 second', 11, null, now()),
      ('a-job-left-behind', 'recount-learning', '{}', now() - interval '20 minutes', 1, now() + interval '1 day', now())`,
  );
  await until(async () => (await figure("academy_jobs_failed")) === 1);
  expect(await figure("academy_job_age_seconds")).toBeGreaterThanOrEqual(20 * 60);
});

test("server errors are counted [I20]", async () => {
  onTestFinished(async () => void (await direct.query("alter table contacts_away rename to contacts")));
  const before = (await figure('academy_http_answers_total{status="5xx"}')) ?? 0;
  await direct.query("alter table contacts rename to contacts_away");
  expect((await write("lost")).status).toBe(500);
  expect(await figure('academy_http_answers_total{status="5xx"}')).toBe(before + 1);
});

test("durations are counted by method and route, never by address [I20]", async () => {
  const taken = (route: string) => figure(`academy_http_request_duration_seconds_count{method="PUT",route="${route}"}`);
  const route = "/api/user/progress/:lessonId";
  const before = (await taken(route)) ?? 0;
  for (const address of ["/api/user/progress/lesson-1-1", "/api/user/progress/lesson-1-2", "/api/no-such-address"]) {
    expect((await academy.visitor().send("PUT", address, "{}")).status).toBeGreaterThanOrEqual(400);
  }
  await until(async () => (await taken(route)) === before + 2);
  const text = await scrape(academy);
  expect(text).toContain(`academy_http_request_duration_seconds_bucket{le="30",method="PUT",route="${route}"}`);
  expect(text).not.toMatch(/lesson-1-1|no-such-address/);
  const { html } = await academy.visitor().navigate("/");
  for (const [file] of html.matchAll(/\/assets\/[\w.-]+/g)) await academy.visitor().send("GET", file);
  await until(async () => (await scrape(academy)).includes('method="GET",route="files of the build"'));
  expect(await scrape(academy)).not.toContain("/assets/");
});

test("queries that wait for a connection are counted, and metrics of the database are left out meanwhile [I20]", async () => {
  const waits = (await figure('academy_database_wait_seconds_bucket{le="+Inf",pool="main"}')) ?? 0;
  onTestFinished(async () => void (await direct.query("rollback")));
  await direct.query("begin; lock table contacts in access exclusive mode");
  const messages = Array.from({ length: 40 }, (_, at) => write(`message ${at}`));
  const busy = await until(async () => {
    const text = await (await fetch(`${academy.url}/metrics`)).text();
    return Number(/^academy_database_waiting\{pool="main"\} (\d+)$/m.exec(text)?.[1]) > 0 && text;
  });
  expect(busy).not.toContain("academy_jobs_due");
  await direct.query("rollback");
  await Promise.all(messages);
  expect(await figure('academy_database_wait_seconds_bucket{le="+Inf",pool="main"}')).toBeGreaterThan(waits + 20);
  expect(await figure("academy_jobs_due")).toBeDefined();
});

/** The status for a token, in the bytes that are given. */
async function statusFor(authorization: Buffer): Promise<number> {
  const headers = { authorization: authorization.toString("latin1"), "x-forwarded-for": "203.0.113.9" };
  return (await sendUnchecked(`${academy.url}/metrics`, { headers })).status;
}

test("the metrics accept any token text, and answer 404 without it [I20]", async () => {
  expect(await statusFor(Buffer.from(`Bearer ${token}`))).toBe(200);
  // Of the same length in characters, in bytes, and in neither.
  for (const wrong of ["x".repeat(token.length), "ö".repeat(token.length), "ö", "", token.slice(1), `${token}x`]) {
    expect(await statusFor(Buffer.from(`Bearer ${wrong}`)), wrong).toBe(404);
  }
  expect(await statusFor(Buffer.from(`Bearer ${token}`, "latin1"))).toBe(404);
});

test("wrong passwords are counted, and logged without the address [I20]", async () => {
  const person = academy.visitor();
  await expect(person.signInAtIssuer("vip@academy.test", "not the password")).rejects.toThrow();
  expect(await figure("academy_sign_ins_failed_total")).toBe(1);
  const lines = academy.log.filter((line) => line.includes("wrong password")).map((line) => JSON.parse(line));
  expect(lines).toMatchObject([{ account: expect.any(String), client: expect.any(String) }]);
  expect(JSON.stringify(lines)).not.toContain("vip@academy.test");
});
