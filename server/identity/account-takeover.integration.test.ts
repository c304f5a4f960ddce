import { expect, test } from "vitest";
import { listUsers } from "#contract/admin/users.ts";
import { getCurrentUser, sendConfirmationMail } from "#contract/identity/identity.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { forFile } from "#test/fixtures.ts";
import { whileLocked } from "#test/locks.ts";
import { openSandboxProcess } from "#test/stand-ins/sandbox-process.ts";
import { until } from "#test/until.ts";
import { actionOf, hiddenFieldsOf, type Visitor } from "#test/visitor.ts";

const boss = "boss@example.test";
const password = "plywood-lantern-42";
const secrets = { ADMIN_EMAILS: boss, SESSION_SECRET: "a secret that both of the nodes were started with" };

// Either node may send an email, so both deliver to one mailbox.
const sandbox = await forFile(openSandboxProcess());
const env = { ...secrets, SANDBOX_URL: sandbox.url };
const first = await forFile(openAcademyInProcess(env));
const second = await forFile(openAcademyInProcess(env, first.database));

const actionsOf = (html: string) => [...html.matchAll(/<form[^>]*action="([^"]+)"/g)].map(([, action = ""]) => action);

/** Opens the mailed link, in a new browser unless one is given. */
async function openMail(to: string, subject: string, browser = first.visitor()) {
  const mail = await first.mailTo({ email: to }, subject);
  const page = await browser.navigate(/\/issuer\/\S+token=\S+/.exec(mail.text)?.[0] ?? "");
  return { browser, page, fields: hiddenFieldsOf(page.html), actions: actionsOf(page.html) };
}

async function resetPassword(email: string, chosen: string): Promise<Visitor> {
  const browser = first.visitor();
  const ask = await browser.navigate("/issuer/reset-password/ask");
  await browser.navigate(actionOf(ask.html), { email });
  const { fields, actions } = await openMail(email, "Choose a new password", browser);
  const saved = await browser.navigate(actions[0] ?? "", { ...fields, password: chosen });
  expect(saved.html).toContain("Password saved");
  return browser;
}

const signIn = (browser: Visitor, email: string, typed = password) => browser.typePassword(typed, { email });

/** The answers of both nodes to the browser's cookies. */
function statuses(browser: Visitor): Promise<number[]> {
  return Promise.all([first, second].map(async (node) => (await browser.copyAt(node).call(getCurrentUser)).status));
}

test("who signs up with an administrator's address gets no session, before and after the owner resets the password [A25]", async () => {
  const stranger = first.visitor();
  expect((await stranger.createAccount({ email: boss })).html).toContain("Confirm your email address before");
  expect(await statuses(stranger)).toEqual([401, 401]);
  expect((await signIn(stranger, boss)).html).toContain("Confirm your email address before");

  const owner = await resetPassword(boss, "nine quiet lamps");
  expect((await signIn(owner, boss, "nine quiet lamps")).url.pathname).toBe("/admin");
  expect((await owner.call(getCurrentUser)).body).toMatchObject({ email: boss, emailVerified: true, isAdmin: true });
  expect((await owner.call(listUsers)).status).toBe(200);
  expect((await signIn(stranger, boss)).html).toContain("right. Please try again");
  expect(await statuses(stranger)).toEqual([401, 401]);
  expect((await stranger.call(listUsers)).status).toBe(401);
});

test("a stolen cookie of the academy or of the issuer opens nothing after a reset, on both nodes [A25]", async () => {
  const person = await first.visitor().signUpAtIssuer();
  const thief = person.at(first);
  const elsewhere = second.visitor();
  await signIn(elsewhere, person.email);
  for (const browser of [thief, elsewhere]) expect(await statuses(browser)).toEqual([200, 200]);
  await resetPassword(person.email, "nine quiet lamps");
  for (const browser of [thief, person, elsewhere]) {
    expect(await statuses(browser)).toEqual([401, 401]);
    expect((await browser.navigate("/api/login")).html).toContain("Password");
    expect(await statuses(browser)).toEqual([401, 401]);
  }
});

test("confirming a stranger's sign-up gives the owner of the address sole access [A25]", async () => {
  const stranger = await first.visitor().signUpAtIssuer();
  const { browser, fields, page } = await openMail(stranger.email, "Confirm your email address");
  const pressed = await browser.navigate("/issuer/confirm-address", fields);
  expect(pressed).toMatchObject({ status: 422 });
  expect(await statuses(stranger)).toEqual([200, 200]);
  const choose = await browser.navigate(actionsOf(page.html)[1] ?? "", fields);
  const chosen = { ...hiddenFieldsOf(choose.html), password: "nine quiet lamps" };
  expect((await browser.navigate(actionOf(choose.html), chosen)).html).toContain("Password saved");
  expect(await statuses(stranger)).toEqual([401, 401]);
  expect((await signIn(stranger, stranger.email)).html).toContain("right. Please try again");
});

test("the browser that confirms or changes the password stays signed in, and every other one is signed out [A25]", async () => {
  const person = await first.visitor().signUpAtIssuer();
  const other = first.visitor();
  await signIn(other, person.email);
  const { fields, actions } = await openMail(person.email, "Confirm your email address", person);
  expect((await person.navigate(actions[0] ?? "", fields)).html).toContain("Email address confirmed");
  expect(await statuses(person)).toEqual([200, 200]);
  expect(await statuses(other)).toEqual([401, 401]);
  expect((await person.call(getCurrentUser)).body.emailVerified).toBe(true);

  await signIn(other, person.email);
  const { accountUrl } = (await person.call(getCurrentUser)).body;
  const account = await person.navigate(accountUrl ?? "");
  expect(account.html).toContain("Change password");
  const change = { password, newPassword: "nine quiet lamps" };
  expect((await person.navigate("/issuer/account/password", change)).html).toContain("Password changed");
  expect(await statuses(person)).toEqual([200, 200]);
  expect(await statuses(other)).toEqual([401, 401]);
});

/** Somebody whom the issuer is just sending back with a code. */
async function signingIn() {
  const person = await first.visitor().signUpAtIssuer();
  const start = await person.send("GET", "/api/login");
  const callback = (await person.send("GET", start.headers.get("location") ?? "")).headers.get("location") ?? "";
  expect(callback).toContain("code=");
  return { person, callback };
}

test("a sign-in that is under way while the password is reset opens no session [A25]", async () => {
  const { person, callback } = await signingIn();
  await resetPassword(person.email, "nine quiet lamps");
  expect((await person.send("GET", callback)).status).toBe(400);
  expect(await statuses(person)).toEqual([401, 401]);
});

test("a sign-in that is being recorded while the sessions end opens none that outlasts them [A25]", async () => {
  const { person, callback } = await signingIn();
  const signedIn: Promise<unknown>[] = [];
  const { pool } = first;
  await whileLocked(pool, "select from users where email = $1 for update", [person.email], async ({ waiting }) => {
    signedIn.push(person.send("GET", callback));
    await waiting(1);
    await endSessions(person);
    const isTold = until(async () => (await pool.query("select from issuer.logouts")).rowCount === 0);
    await Promise.race([isTold, waiting(2)]);
  });
  await Promise.all(signedIn);
  await until(async () => (await pool.query("select from issuer.logouts")).rowCount === 0);
  expect(await statuses(person)).toEqual([401, 401]);
});

/** Leaves what the transaction of a reset leaves, for a node to tell the academy. */
function endSessions({ email }: Visitor) {
  return first.pool.query(
    `insert into issuer.logouts (subject, ended_at)
     select subject, date_trunc('second', last_sign_in_at) from issuer.accounts where email = $1`,
    [email],
  );
}

test("a reset ends the sessions also when the node dies before it told the academy [A25]", async () => {
  const person = await first.visitor().signUpAtIssuer();
  await endSessions(person);
  await until(async () => (await statuses(person)).every((status) => status === 401) || undefined);
});

test("the confirmation link can be sent again, a few times", async () => {
  const person = await first.visitor().signUpAtIssuer();
  const sent = await person.call(sendConfirmationMail);
  expect(sent).toMatchObject({ status: 200, body: { sentTo: person.email } });
  await until(async () => {
    const mails = await first.mails(person.email);
    return mails.filter(({ subject }) => /Confirm/.test(subject)).length === 2;
  });
  const answers = [];
  for (let time = 0; time < 4; time += 1) answers.push((await person.call(sendConfirmationMail)).status);
  expect(answers).toEqual([200, 200, 200, 429]);
});
