import { hash, randomBytes } from "node:crypto";
import { href } from "#contract/addresses.ts";
import { after, DAY } from "#server/base/clock.ts";
import type { Timestamp } from "#server/base/dates.ts";
import type { MailContext } from "#server/mail/student-emails.ts";
import { cardLinks } from "./tables.ts";

const linkTime = 30 * DAY;

export interface CardPage {
  readonly cardPageOf: string;
}

export interface CardLinkFacts {
  readonly cardLink: string;
  readonly cardLinkExpiresAt: Timestamp;
}

/** In the URL's fragment, which is sent to no server and in no Referer. */
export async function makeCardLink(ctx: MailContext, { cardPageOf }: CardPage, now: Date): Promise<CardLinkFacts> {
  const token = randomBytes(32).toString("base64url");
  const expiresAt = after(now, linkTime);
  const tokenHash = hashOfToken(token);
  await ctx.db.insert(cardLinks).values({ tokenHash, purchaseId: cardPageOf, expiresAt, createdAt: now });
  return {
    cardLink: `${ctx.site.publicUrl}${href.paymentMethod()}#${token}`,
    cardLinkExpiresAt: expiresAt.toISOString(),
  };
}

export function hashOfToken(token: string): string {
  return hash("sha256", token, "base64url");
}
