import Fastify from "fastify";
import { pino } from "pino";
import { expect } from "vitest";
import { mountIssuer } from "#issuer/issuer.ts";
import { MailOrder } from "#issuer/mails.ts";
import type { Clock } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import { openDb, openPool } from "#server/db/db.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { handleJob, startJobs } from "#server/jobs/runner.ts";
import type { Message } from "#server/mail/mail.ts";
import { injectFetch } from "#server/openid/in-process-fetch.ts";
import type { Logout } from "#server/openid/openid.ts";
import { openIdClient } from "#server/openid/relying-party.ts";
import { cheapHashes } from "./cheap-hashes.ts";
import { cloneDatabase } from "./postgres.ts";
import { reader } from "./sample-emails.ts";
import { type Screen, scriptedBrowser } from "./stand-ins/scripted-browser.ts";

export const publicUrl = "http://academy.test:4150";
export const callback = `${publicUrl}/api/auth/callback`;
export const reserved = "owner@academy.test";
export const demo = {
  subject: "demo-basic",
  email: "basic@academy.test",
  firstName: "Marisol",
  lastName: "Vega",
  password: "academy-demo",
  emailVerified: true,
} as const;

const mailJob = defineJob("mail-of-issuer", MailOrder, { lane: "mail" });

export type IssuerUnderTest = Awaited<ReturnType<typeof openIssuer>>;

/** An issuer with a real database, a relying party, a mailbox and a movable clock. */
export async function openIssuer(origin = publicUrl) {
  const database = await cloneDatabase();
  const pool = openPool(database.connection, () => {});
  let ahead = 0;
  const clock: Clock = { now: () => new Date(Date.now() + ahead), onMove: () => {} };
  const mails: Message[] = [];
  const mail = {
    send: async (message: Message) => void mails.push(message),
    canWriteTo: async (address: string) => !/^[^@]*é/.test(address),
    close: async () => {},
  };
  const logouts: Logout[] = [];
  let clientFailures = 0;
  const app = Fastify({ trustProxy: true });
  const pages: string[] = [];
  app.addHook("onRoute", ({ method, url }) => void (method === "POST" && pages.push(url)));
  const db = openDb(pool);
  const client = { id: "academy", secret: "a-client-secret-of-some-length-0123456789" };
  const issuer = await mountIssuer(app, {
    url: `${origin}/issuer`,
    db,
    mail,
    enqueueMail: (tx, order) => scheduleJob(tx, mailJob, { data: order, runAt: clock.now(), now: clock.now() }),
    clock,
    secrets: ["k".repeat(48)],
    onFailedSignIn: () => {},
    client: {
      ...client,
      redirectUris: [`${origin}/api/auth/callback`],
      postLogoutRedirectUris: [`${origin}/`],
      backchannelLogoutUri: `${origin}/api/auth/backchannel-logout`,
    },
    send: async (_address, request) => {
      const token = new URLSearchParams(String(request?.body)).get("logout_token") ?? "";
      if (clientFailures > 0) return new Response(null, { status: clientFailures-- && 503 });
      logouts.push(await openId.readLogout(token));
      return new Response(null, { status: 204 });
    },
    hasBegun: () => true,
    reservedEmails: [reserved],
    profileUrl: `${origin}/profile`,
    signInUrl: (path) => path,
    contactUrl: `${origin}/contact`,
    findAcademy: async () => reader.academy,
    homeUrl: `${origin}/`,
    stylesheet: "/assets/issuer.css",
    demoAccounts: [demo],
  });
  // The job runner needs only these three.
  const edges = { db, clock, log: pino({ level: "silent" }) } as Partial<Context> as Context;
  const jobs = startJobs(edges, [handleJob(mailJob, (_ctx, order, id) => issuer.sendMail(order, id))]);
  await app.ready();
  const hashCheaply = (email: string, hash: string) =>
    pool.query("update issuer.accounts set password_hash = $2 where email = $1", [email, hash]);
  await hashCheaply(demo.email, cheapHashes[demo.password]);
  const openId = openIdClient({
    issuer: `${origin}/issuer`,
    clientId: client.id,
    clientSecret: client.secret,
    publicUrl: origin,
    fetch: injectFetch(app),
    sharesClock: true,
    clock,
  });
  const browser = () => scriptedBrowser(app, origin, `${origin}/api/auth/callback`);
  return {
    app,
    /** The addresses of its forms, and of the calls of its client. */
    pages: pages as readonly string[],
    clock,
    openId,
    mails: sentMails,
    /** The logouts that the relying party received. */
    logouts,
    /** Makes the relying party refuse the next logout tokens. */
    failLogouts(count: number) {
      clientFailures = count;
    },
    pool,
    /** Makes an attempt, and has each limit that counted it count it this many times. */
    async repeat(times: number, attempt: () => Promise<unknown>) {
      const countUses = async () => {
        const { rows } = await pool.query<{ key: string; uses: number }>("select key, uses from limits");
        return new Map(rows.map(({ key, uses }) => [key, uses]));
      };
      const before = await countUses();
      await attempt();
      const counted = [...(await countUses())].filter(([key, uses]) => uses > (before.get(key) ?? 0));
      const keys = counted.map(([key]) => key);
      await pool.query("update limits set uses = uses + $1 where key = any($2)", [times - 1, keys]);
    },
    browser,
    advance(milliseconds: number) {
      ahead += milliseconds;
    },
    atSignIn: openSignIn,
    /** Signs in on the page by what is typed there. */
    async signIn(typed: Record<string, string>, headers?: Record<string, string>) {
      const { action, ...at } = await openSignIn();
      return { ...at, screen: await at.browser.submit(action, typed, headers) };
    },
    /** Creates an account on the page. The browser is then signed in at the issuer. */
    async signUp(person = stranger()) {
      const { action, ...at } = await openSignIn();
      const address = { "x-forwarded-for": randomAddress() };
      const screen = await at.browser.submit(`${action}/create-account`, person, address);
      // Where the address was taken, its account may be signing in.
      if (screen.url.href.startsWith(callback)) await hashCheaply(person.email, cheapHashes["seven kettles sing"]);
      return { ...at, screen, person };
    },
    linkTo,
    /** What the newest mail with this subject proves. */
    tokenTo: async (email: string, subject: string) => tokenOf(await linkTo(email, subject)),
    /** The subjects of a person's mails. */
    async subjectsTo(email: string) {
      return (await sentMails()).filter(({ to }) => to === email).map(({ subject }) => subject);
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await jobs.stop();
      await pool.end();
      await database.drop();
    },
  };

  /** All enqueued mails, after they have been sent. */
  async function sentMails(): Promise<readonly Message[]> {
    await jobs.runDue();
    return mails;
  }

  /** The link of the newest mail with this subject. */
  async function linkTo(email: string, subject: string): Promise<string> {
    const mail = (await sentMails()).findLast((one) => one.to === email.toLowerCase() && one.subject === subject);
    const [link] = /http\S+token=\S+/.exec(mail?.text ?? "") ?? [];
    if (!link) throw new Error(`no mail "${subject}" for ${email}`);
    return link;
  }

  /** A browser that has been sent to sign in: on the sign-in page, or back at once where it is remembered. */
  async function openSignIn(at = browser(), how?: Parameters<typeof openId.start>[1]) {
    const { url, pending } = await openId.start("/dashboard", how);
    const screen = await at.open(url);
    return { browser: at, pending, screen, action: screen.url.pathname };
  }
}

export const tokenOf = (link: string) => new URL(link, publicUrl).searchParams.get("token") ?? "";

export function stranger() {
  const email = `person-${crypto.randomUUID().slice(0, 8)}@example.com`;
  return { email, firstName: "Ada", lastName: "Moreau", password: "seven kettles sing" };
}

export function randomAddress(): string {
  const part = () => 1 + Math.floor(Math.random() * 250);
  return `10.${part()}.${part()}.${part()}`;
}

export function expectPage(screen: Screen, status: number, words: string): void {
  expect(screen.html).toContain(words);
  expect(screen.status).toBe(status);
}
