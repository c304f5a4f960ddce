import { hash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { getCourseAccess } from "#contract/access.ts";
import type { Module } from "#contract/catalogue.ts";
import { sendContactMessage } from "#contract/contact.ts";
import { getCurrentUser, sendConfirmationMail } from "#contract/identity/identity.ts";
import { updateProfile } from "#contract/profile.ts";
import { listProgress, sendWatchNotes } from "#contract/progress.ts";
import { acceptPayment, listUserPurchases, type Purchase } from "#contract/purchases/purchases.ts";
import { cancelOwnSubscription, getOwnSubscription, resumeOwnSubscription } from "#contract/purchases/subscriptions.ts";
import { downloadResource, listResources } from "#contract/resources.ts";
import type { Tier } from "#contract/tiers.ts";
import type { Arrival } from "./installation.ts";
import { Person, type Requests } from "./requests.ts";

/** A purchase that a student wants to make, however often the button is pressed. */
interface Intent {
  readonly tier: Tier;
  /** Set when the server has confirmed the payment. */
  purchaseId: string | null;
}

/** A written value. `doubtful` has the values whose requests had no reply. */
interface Written<Value> {
  acknowledged: Value | null;
  readonly doubtful: Value[];
}

/** A student, with all acknowledged writes. */
export interface Student {
  readonly person: Person;
  isBusy: boolean;
  isConfirmed: boolean;
  /** Refunded: such a student buys nothing more, and the subscription may have ended. */
  isRefunded: boolean;
  readonly intents: Intent[];
  /** Seconds by lesson. */
  readonly watched: Map<string, number>;
  readonly lastName: Written<string>;
  readonly renews: Written<boolean>;
  /** The number of requests for each. Both send a mail, which is not repeated within 30 days. */
  readonly asked: { cancelled: number; resumed: number };
}

export interface World {
  readonly url: string;
  readonly requests: Requests;
  readonly students: Student[];
  /** Messages of the contact form by their text, and whether they were acknowledged. */
  readonly messages: Map<string, boolean>;
  /** SHA-256 of each uploaded file by its resource. */
  readonly uploads: Map<string, string>;
  /** Observed violations. */
  readonly wrongs: string[];
  readonly mails: () => Promise<readonly Arrival[]>;
  /** From 0 to 1. */
  readonly random: () => number;
  isOver: boolean;
}

type StudentAction = (world: World, student: Student) => Promise<void>;

const badZip = "46282";
let made = 0;

/** The students' actions, with weights. */
export const studentActions: readonly (readonly [weight: number, action: StudentAction])[] = [
  [8, watch],
  [6, readPages],
  [4, buy],
  [2, upgrade],
  [2, cancelOrResume],
  [3, changeProfile],
  [3, download],
  [2, signInAgain],
  [3, confirmAddress],
];

export async function visit({ url, requests }: World): Promise<void> {
  const visitor = new Person(url, requests);
  for (const path of ["/", "/api/catalogue", "/api/course-pricing", "/contact"]) {
    await (await visitor.send("GET", path)).arrayBuffer();
  }
}

export async function writeToTeam({ url, requests, messages }: World): Promise<void> {
  const message = `question ${++made}`;
  messages.set(message, false);
  const body = { name: "Ines Park", email: "ines@example.test", message };
  const { status } = await new Person(url, requests).call(sendContactMessage, { body });
  if (status === 200) messages.set(message, true);
}

export async function signUp({ url, requests, students }: World): Promise<void> {
  const person = await new Person(url, requests).signUp();
  students.push({
    person,
    isBusy: false,
    isConfirmed: false,
    isRefunded: false,
    intents: [],
    watched: new Map(),
    lastName: { acknowledged: null, doubtful: [] },
    renews: { acknowledged: null, doubtful: [] },
    asked: { cancelled: 0, resumed: 0 },
  });
}

async function signInAgain(_world: World, { person }: Student): Promise<void> {
  await person.signInAgain();
}

/** Opens the link of the mail when it has arrived. */
async function confirmAddress({ mails }: World, student: Student): Promise<void> {
  const { person } = student;
  if (student.isConfirmed) return;
  const mail = (await mails()).findLast(
    ({ to, subject }) => to === person.email && subject === "Confirm your email address",
  );
  const link = /http\S+token=\S+/.exec(mail?.text ?? "")?.[0];
  if (!link) return;
  const { pathname, searchParams } = new URL(link);
  const page = await person.navigate(link);
  // The link expired, because the clock moves fast.
  if (page.status === 410) return void (await person.call(sendConfirmationMail));
  const { url } = await person.navigate(pathname, { token: searchParams.get("token") ?? "" });
  if (url.pathname.endsWith("/done")) student.isConfirmed = true;
  await person.signInAgain();
}

async function readPages(_world: World, { person }: Student): Promise<void> {
  for (const endpoint of [getCurrentUser, getCourseAccess, listProgress, listUserPurchases, listResources]) {
    await (await person.send(endpoint.method, endpoint.path)).arrayBuffer();
  }
}

async function watch({ random }: World, student: Student): Promise<void> {
  const { person, watched } = student;
  const catalogue = await person.send("GET", "/api/catalogue");
  if (!catalogue.ok) return;
  const modules = (await catalogue.json()) as Module[];
  const lessons = modules.flatMap(({ lessons }) => lessons).filter((one) => one.isUnlocked && one.duration > 0);
  const lesson = lessons[Math.floor(random() * lessons.length)];
  if (!lesson) return;
  const from = Math.floor(random() * lesson.duration);
  for (let second = from; second < Math.min(from + 12, lesson.duration); second += 3) {
    const note = { lessonId: lesson.id, watched: [[second, second + 3]], position: second + 3 };
    const { status, body } = await person.call(sendWatchNotes, { body: { notes: [note] } });
    if (status !== 200) continue;
    for (const { lessonId, watchTime } of body.records) watched.set(lessonId, watchTime);
  }
}

async function changeProfile(_world: World, { person, lastName }: Student): Promise<void> {
  const name = `Vendor ${++made}`;
  lastName.doubtful.push(name);
  const body = { firstName: "Jo", lastName: name, phone: "", location: "", bio: "" };
  const { status } = await person.call(updateProfile, { body });
  settle(lastName, name, status);
}

async function download({ uploads, random, wrongs }: World, { person }: Student): Promise<void> {
  const { status: listed, body: resources } = await person.call(listResources);
  if (listed !== 200) return;
  const open = resources.filter(({ fileUrl, id }) => fileUrl && uploads.has(id));
  const one = open[Math.floor(random() * open.length)];
  if (!one) return;
  const { status, body } = await person.call(downloadResource, { params: { resourceId: one.id } });
  if (status === 200 && hashOf(body as Uint8Array) !== uploads.get(one.id))
    wrongs.push(`resource ${one.id} came otherwise`);
}

async function buy(world: World, student: Student): Promise<void> {
  if (student.intents.length > 0) return;
  const tier = (["basic", "basic", "premium", "vip"] as const)[Math.floor(world.random() * 4)] ?? "basic";
  await pay(world, student, tier);
}

async function upgrade(world: World, student: Student): Promise<void> {
  const owned = student.intents.at(-1);
  if (!owned?.purchaseId || student.isRefunded) return;
  const next = ({ basic: "premium", premium: "vip", vip: null } as const)[owned.tier];
  if (next) await pay(world, student, next);
}

/**
 * Buys like people: sometimes with a declined card first, a double click, or in two tabs. Without a reply, checks the
 * list of purchases before pressing again.
 */
async function pay(world: World, student: Student, tier: Tier): Promise<void> {
  const { person } = student;
  const { random } = world;
  const intent: Intent = { tier, purchaseId: null };
  student.intents.push(intent);
  const way = random();
  for (let tried = 0; tried < 6 && !world.isOver; tried++) {
    const answers = await payOnce(person, tier, way, tried).catch(() => null);
    const paid = new Set((answers ?? []).flatMap(({ status, body }) => (status === 200 ? [body.purchaseId] : [])));
    if (paid.size > 1) world.wrongs.push(`${person.email} paid twice for ${tier}: ${[...paid]}`);
    intent.purchaseId = [...paid][0] ?? (await findPaid(world, person, tier));
    if (intent.purchaseId) return;
  }
}

async function payOnce(person: Person, tier: Tier, way: number, tried: number) {
  const isDeclined = way < 0.15 && tried === 0;
  const card = isDeclined ? { zip: badZip } : {};
  await beSignedIn(person);
  const body = await person.quotedPaymentFor(tier, card);
  const press = (payment: object) => person.call(acceptPayment, { body: payment }).catch(() => noAnswer);
  if (way < 0.35) return Promise.all([press(body), press(body)]);
  if (way < 0.5) return Promise.all([press(body), press({ ...body, ...(await person.tokenizeCard(card)) })]);
  return [await press(body)];
}

const noAnswer = { status: 0, body: { purchaseId: "" } } as const;

/** Waits while a payment is being confirmed. */
async function findPaid(world: World, person: Person, tier: Tier): Promise<string | null> {
  for (let asked = 0; asked < 40 && !world.isOver; asked++) {
    const purchases = await beSignedIn(person)
      .then(() => person.call(listUserPurchases))
      .catch(() => null);
    if (purchases?.status === 200) {
      const ofTier = purchases.body.filter((purchase: Purchase) => purchase.tier === tier);
      const paid = ofTier.find(({ status }) => status === "completed");
      if (paid) return paid.id;
      if (!ofTier.some(({ status }) => status === "pending")) return null;
    }
    await wait(1000);
  }
  return null;
}

async function cancelOrResume({ random }: World, student: Student): Promise<void> {
  const { person, renews, asked } = student;
  const { status, body } = await person.call(getOwnSubscription);
  if (status !== 200 || !body.subscription) return;
  const { mayCancel, mayResume } = body.subscription;
  if (mayCancel && random() < 0.3) {
    renews.doubtful.push(false);
    asked.cancelled += 1;
    settle(renews, false, (await person.call(cancelOwnSubscription, { body: {} })).status);
  } else if (mayResume) {
    renews.doubtful.push(true);
    asked.resumed += 1;
    settle(renews, true, (await person.call(resumeOwnSubscription, { body: {} })).status);
  }
}

/** Call after the reply. A request without one stays doubtful. */
function settle<Value>(written: Written<Value>, value: Value, status: number): void {
  if (status >= 500) return;
  written.doubtful.splice(written.doubtful.lastIndexOf(value), 1);
  if (status === 200) written.acknowledged = value;
}

/** The session may have expired while the clock moved. */
export async function beSignedIn(person: Person): Promise<void> {
  const { status } = await person.call(getCurrentUser);
  if (status === 401) await person.signInAgain();
}

export const hashOf = (content: Uint8Array) => hash("sha256", content);
