import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { importJWK, type JWK, SignJWT } from "jose";
import type { Db } from "#server/db/db.ts";
import { logouts } from "./tables.ts";

/** OpenID Connect Back-Channel Logout: tells the client which sign-ins have ended. */
export interface Logouts {
  /**
   * Delivers the logouts that the client has not acknowledged yet, of one account or of all. The next call, on any
   * node, retries those that fail.
   */
  deliver(subject?: string): Promise<void>;
}

interface LogoutOptions {
  readonly db: Db;
  readonly issuer: string;
  readonly signingKey: () => object;
  readonly client: { readonly id: string; readonly backchannelLogoutUri: string };
  /** Reaches the client. */
  readonly send: typeof fetch;
  readonly onFailure: (error: unknown) => void;
}

const TIMEOUT = 5000;

export function openLogouts({ db, issuer, signingKey, client, send, onFailure }: LogoutOptions): Logouts {
  async function tell({ subject, endedAt, keptSid }: typeof logouts.$inferSelect): Promise<void> {
    const answer = await send(client.backchannelLogoutUri, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ logout_token: await tokenFor(subject, endedAt, keptSid) }).toString(),
      signal: AbortSignal.timeout(TIMEOUT),
    });
    if (!answer.ok) throw new Error(`the client answered ${answer.status} to a logout token`);
    // A newer logout of the same account still has to be delivered.
    await db.delete(logouts).where(and(eq(logouts.subject, subject), eq(logouts.endedAt, endedAt)));
  }

  async function tokenFor(subject: string, endedAt: Date, keptSid: string | null): Promise<string> {
    const key = signingKey() as JWK;
    return (
      new SignJWT({
        events: { "http://schemas.openid.net/event/backchannel-logout": {} },
        // A claim of our own: one session of the subject stays. Other clients may ignore the claim and end that one
        // too.
        ...(keptSid && { kept_sid: keptSid }),
      })
        .setProtectedHeader({ alg: "RS256", typ: "logout+jwt", ...(key.kid && { kid: key.kid }) })
        .setIssuer(issuer)
        .setAudience(client.id)
        .setSubject(subject)
        .setJti(randomUUID())
        // The instant when the sign-ins ended, not now: later sign-ins stay.
        .setIssuedAt(endedAt)
        .setExpirationTime("2 minutes")
        .sign(await importJWK(key, "RS256"))
    );
  }

  return {
    async deliver(subject) {
      try {
        const waiting = await db
          .select()
          .from(logouts)
          .where(subject === undefined ? undefined : eq(logouts.subject, subject))
          .limit(100);
        for (const one of waiting) await tell(one).catch(onFailure);
      } catch (error) {
        onFailure(error);
      }
    },
  };
}
