import { randomBytes } from "node:crypto";
import { createAnnouncement, getAudience, sendAnnouncement } from "#contract/admin/announcements.ts";
import { addUserNote, writeToUser } from "#contract/admin/people.ts";
import { previewRefund, refundPurchase } from "#contract/admin/purchases.ts";
import { listUsers } from "#contract/admin/users.ts";
import { type Resource, updateResource } from "#contract/resources.ts";
import { uploadForm, zipOf } from "../uploads/uploads.ts";
import type { Person } from "./requests.ts";
import { hashOf, type Student, type World } from "./students.ts";

/** A requested refund, by one click or two. */
export interface AskedRefund {
  readonly purchaseId: string;
  /** US dollars. Null: all. */
  readonly amount: number | null;
  isAcknowledged: boolean;
}

/** Writes that the server acknowledged to the administrator. */
export interface Administrator {
  readonly person: Person;
  readonly refunds: AskedRefund[];
  /** Keyed by text, with the user that they concern. */
  readonly notes: Map<string, string>;
  /** Keyed by subject, with the recipient. */
  readonly written: Map<string, string>;
  /** Titles by resource. Null: unknown, because a change had no reply. */
  readonly titles: Map<string, string | null>;
  readonly announcements: Map<string, string>;
}

type AdministratorAction = (world: World, administrator: Administrator) => Promise<void>;

let made = 0;

export const administratorActions: readonly (readonly [weight: number, action: AdministratorAction])[] = [
  [3, refund],
  [3, writeNote],
  [2, writeMail],
  [3, uploadFile],
  [2, renameFile],
  [1, announce],
  [4, readLists],
];

/** Refunds and mass mails need a recent sign-in, and the clock moves fast here. */
export async function signInFresh({ person }: Administrator): Promise<void> {
  await person.signInAsDemo("admin@academy.test");
}

async function refund(world: World, administrator: Administrator): Promise<void> {
  const { person, refunds } = administrator;
  const buyers = world.students.filter(
    ({ isBusy, isRefunded, intents }) => !isBusy && !isRefunded && intents.at(-1)?.purchaseId,
  );
  // Refunds only some purchases.
  if (buyers.length < 8) return;
  const buyer = pick(world, buyers);
  const purchaseId = buyer?.intents.at(-1)?.purchaseId;
  if (!buyer || !purchaseId) return;
  buyer.isBusy = true;
  try {
    await signInFresh(administrator);
    const preview = await person.call(previewRefund, { params: { purchaseId } });
    if (preview.status !== 200) return;
    const amount = world.random() < 0.3 ? 5 : null;
    const asked: AskedRefund = { purchaseId, amount, isAcknowledged: false };
    refunds.push(asked);
    buyer.isRefunded = true;
    const body = { purchaseId, ...(amount !== null && { amount }), reason: "mixed traffic" };
    const clicks = amount === null && world.random() < 0.5 ? 2 : 1;
    const answers = await Promise.all(
      Array.from({ length: clicks }, () => person.call(refundPurchase, { body }).catch(() => null)),
    );
    asked.isAcknowledged = answers.some((answer) => answer?.status === 200);
  } finally {
    buyer.isBusy = false;
  }
}

/** Null: there was no reply. */
async function findUserId(person: Person, { person: { email } }: Student): Promise<string | null> {
  const { status, body } = await person.call(listUsers, { query: { search: email } });
  return status === 200 ? (body[0]?.id ?? null) : null;
}

async function writeNote(world: World, { person, notes }: Administrator): Promise<void> {
  const about = pick(world, world.students);
  const userId = about && (await findUserId(person, about));
  if (!userId) return;
  const text = `note ${++made}`;
  const { status } = await person.call(addUserNote, { params: { userId }, body: { text } });
  if (status === 200) notes.set(text, userId);
}

async function writeMail(world: World, { person, written }: Administrator): Promise<void> {
  const to = pick(world, world.students);
  const userId = to && (await findUserId(person, to));
  if (!userId) return;
  const subject = `About your course ${++made}`;
  const { status } = await person.call(writeToUser, { params: { userId }, body: { subject, text: "Well done." } });
  if (status === 200) written.set(subject, to.person.email);
}

async function uploadFile({ uploads, random }: World, { person, titles }: Administrator): Promise<void> {
  const content = zipOf({ "notes.bin": randomBytes(1000 + Math.floor(random() * 200_000)) });
  const title = `File ${++made}`;
  const form = uploadForm([{ name: `file-${made}.zip`, content }], { title });
  const response = await person.send("POST", "/api/upload-resource", form);
  if (!response.ok) return;
  const { resources } = (await response.json()) as { resources: Resource[] };
  for (const { id } of resources) {
    uploads.set(id, hashOf(content));
    titles.set(id, title);
  }
}

async function renameFile(world: World, { person, titles }: Administrator): Promise<void> {
  const id = pick(world, [...titles.keys()]);
  if (!id) return;
  const title = `File ${++made}`;
  titles.set(id, null);
  const body = { moduleId: "module-1", lessonId: null, title, description: null, requiredTier: "basic" };
  const { status } = await person.call(updateResource, { params: { id }, body });
  if (status === 200) titles.set(id, title);
}

async function announce(_world: World, administrator: Administrator): Promise<void> {
  const { person, announcements } = administrator;
  await signInFresh(administrator);
  const subject = `News ${++made}`;
  const body = { subject, text: "A new lesson is here.", button: null, audience: "everybody" };
  const draft = await person.call(createAnnouncement, { body });
  const audience = await person.call(getAudience, { query: { audience: "everybody" } });
  if (draft.status !== 200 || audience.status !== 200 || !audience.body.total) return;
  const { id } = draft.body;
  const recipients = audience.body.total + 20;
  const { status } = await person.call(sendAnnouncement, { params: { id }, body: { recipients } });
  if (status === 200) announcements.set(id, subject);
}

async function readLists(_world: World, { person }: Administrator): Promise<void> {
  for (const path of ["stats", "users", "purchases", "contacts", "money", "reconciliation", "announcements"]) {
    await (await person.send("GET", `/api/admin/${path}`)).arrayBuffer();
  }
}

function pick<One>({ random }: World, from: readonly One[]): One | undefined {
  return from[Math.floor(random() * from.length)];
}
