import { hash } from "node:crypto";
import { correspondence, unwanted } from "#content/history/messages.ts";
import { firstNames, lastNames, mailDomains } from "#content/history/people.ts";
import { after, DAY, HOUR, SECOND } from "#server/base/clock.ts";
import { idFor } from "#server/db/id.ts";
import type { History } from "./rows.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { Student } from "./student.ts";

type ContactRow = History["contacts"][number];

export interface Inbox {
  readonly contacts: ContactRow[];
  readonly replies: History["replies"][number][];
  readonly audit: History["audit"][number][];
}

const messages = 84;
const fresh = 6;

interface Year {
  readonly students: readonly Student[];
  readonly administrators: readonly string[];
  readonly from: Date;
  readonly now: Date;
}

/** The messages of a year with their replies; the last few wait for one. */
export function fillInbox(random: SeededRandom, year: Year): Inbox {
  const inbox: Inbox = { contacts: [], replies: [], audit: [] };
  for (let number = 1; number <= messages; number++) addMessage(inbox, random, number, year);
  return inbox;
}

function addMessage(inbox: Inbox, random: SeededRandom, number: number, year: Year): void {
  const { students, administrators, now } = year;
  const id = idFor("contact", now.toISOString(), String(number));
  const isFresh = number > messages - fresh;
  const createdAt = writtenAt(random, number, year);
  const words = correspondence[(number * 11) % correspondence.length];
  const actor = random.pick(administrators);
  const note = (action: string, createdAt: Date, change: { before?: unknown; after?: unknown }, why?: string) => {
    const { before = null, after = null } = change;
    const auditId = idFor(id, action, createdAt.toISOString());
    inbox.audit.push({
      id: auditId,
      actor,
      token: null,
      action,
      subject: id,
      before,
      after,
      reason: why ?? null,
      createdAt,
    });
  };
  const readAt = after(createdAt, random.between(0.5, 20) * HOUR);
  if (number % 14 === 0 && !isFresh) {
    note("delete message", readAt, { before: { receivedAt: createdAt, state: "new" } }, "advertising");
    return;
  }
  const writer = random.happens(0.65) ? findWriter(random, students, createdAt) : null;
  const isUnwanted = number % 27 === 0;
  const message = isUnwanted ? random.pick(unwanted) : (words?.message ?? "");
  const clientHash = hash("sha256", `sender of ${id}`, "base64url");
  const sender = writer ?? stranger(random);
  const contact: ContactRow = {
    ...{ id, ...sender, message, clientHash, createdAt },
    ...{ isSuspected: isUnwanted, state: "new" },
  };
  inbox.contacts.push(contact);
  if (isFresh || readAt >= now) return;
  if (isUnwanted || number > messages - fresh - 3 || number % 19 === 0) {
    contact.state = "open";
    note("mark message", readAt, { before: { state: "new" }, after: { state: "open" } });
    return;
  }
  contact.state = "answered";
  const replyId = idFor(id, "reply");
  const sentAt = after(readAt, random.between(1, 4) * SECOND);
  const text = words?.answer ?? "";
  inbox.replies.push({ id: replyId, contactId: id, authorId: actor, text, writtenAt: readAt, sentAt });
  note("reply to message", readAt, { after: { replyId } });
}

function writtenAt(random: SeededRandom, number: number, { from, now }: Year): Date {
  if (number > messages - fresh) return after(now, -(messages - number + random.between(0.2, 0.9)) * 9 * HOUR);
  const days = (now.getTime() - from.getTime()) / DAY;
  return after(from, ((number / (messages - fresh)) ** 0.7 * (days - 6) + random.between(0.2, 2.5)) * DAY);
}

function findWriter(
  random: SeededRandom,
  students: readonly Student[],
  then: Date,
): { name: string; email: string } | null {
  const there = students.filter(({ user }) => user.createdAt < then);
  if (there.length === 0) return null;
  const { firstName, lastName, email } = random.pick(there).user;
  return { name: `${firstName} ${lastName}`, email };
}

function stranger(random: SeededRandom): { name: string; email: string } {
  const [firstName, lastName] = [random.pick(firstNames), random.pick(lastNames)];
  return {
    name: `${firstName} ${lastName}`,
    email: `${firstName}.${random.whole(100, 999)}@${random.pick(mailDomains)}`.toLowerCase(),
  };
}
