import { hash, randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { after, DAY } from "#server/clock.ts";
import type { Context } from "#server/context.ts";
import type { Db } from "#server/db/db.ts";
import { idFor } from "#server/db/id.ts";
import { isReachable, userById } from "#server/identity/users.ts";
import { enqueueJob } from "#server/jobs/jobs.ts";
import { cardLinks, letters } from "../tables.ts";
import { composeLetter, type LetterFacts, type LetterKind, type LetterToWrite } from "./letters.ts";

const linkTime = 30 * DAY;

type LinkFacts = "cardLink" | "cardLinkExpiresAt";

/** A letter that is to be written. The link to the card page is made when it is sent: no job carries one. */
export type LetterOrder = {
  [Kind in LetterKind]: {
    readonly kind: Kind;
    readonly facts: Omit<LetterFacts<Kind>, LinkFacts>;
    readonly userId: string;
    /** Names what the letter is about: the same kind is written about it once. */
    readonly occasion: string;
  } & (LinkFacts extends keyof LetterFacts<Kind> ? { readonly cardPageOf: string } : unknown);
}[LetterKind];

/** Has a letter written once this transaction commits. */
export async function postLetter(tx: Db, order: LetterOrder, now: Date): Promise<void> {
  const id = idFor(order.kind, order.userId, order.occasion);
  await enqueueJob(tx, { name: "send-letter", data: { ...order, id }, key: id, runAt: now, now });
}

/**
 * The job that sends a letter. It is noted afterwards and not sent again; should this process die in between, the mail
 * that goes out twice carries the same Message-ID, by which mail systems know it for one.
 */
export async function sendLetter(
  ctx: Context,
  order: LetterToWrite & { id: string; userId: string; cardPageOf?: string },
): Promise<void> {
  const [sent] = await ctx.db.select().from(letters).where(eq(letters.id, order.id));
  const student = await userById(ctx.db, order.userId);
  if (sent || !isReachable(student)) return;
  const now = ctx.clock.now();
  const { publicUrl, supportEmail } = ctx.config;
  const link = order.cardPageOf ? await makeCardLink(ctx, order.cardPageOf, now) : {};
  const letter = { kind: order.kind, facts: { ...order.facts, ...link } } as LetterToWrite;
  const message = composeLetter({ firstName: student.firstName, publicUrl, supportEmail }, letter);
  await ctx.mail.send({ ...message, to: student.email }, order.id);
  await ctx.db
    .insert(letters)
    .values({ id: order.id, userId: student.id, kind: order.kind, subject: message.subject, sentAt: now })
    .onConflictDoNothing();
}

/** The link travels behind the #, which no server and no referrer gets to see. */
async function makeCardLink(ctx: Context, purchaseId: string, now: Date) {
  const token = randomBytes(32).toString("base64url");
  const expiresAt = after(now, linkTime);
  await ctx.db.insert(cardLinks).values({ tokenHash: hashOfToken(token), purchaseId, expiresAt, createdAt: now });
  return { cardLink: `${ctx.config.publicUrl}/payment-method#${token}`, cardLinkExpiresAt: expiresAt.toISOString() };
}

/** What is kept of a link's token. */
export function hashOfToken(token: string): string {
  return hash("sha256", token, "base64url");
}
