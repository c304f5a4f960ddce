import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { importJWK, type JWK, SignJWT } from "jose";
import type { Db } from "#server/db/db.ts";
import { logouts } from "./tables.ts";

/** Tells the client which sign-ins have ended, by OpenID Connect Back-Channel Logout. */
export interface Logouts {
  /**
   * Tells what the client has not acknowledged yet, of one account or of all. What fails stays noted and is told again
   * by the next call, on whichever node.
   */
  deliver(subject?: string): Promise<void>;
}

interface LogoutOptions {
  readonly db: Db;
  readonly issuer: string;
  readonly jwks: { readonly keys: readonly object[] };
  readonly client: { readonly id: string; readonly backchannelLogoutUri: string };
  /** Reaches the client. */
  readonly send: typeof fetch;
  readonly onFailure: (error: unknown) => void;
}

const TIMEOUT = 5000;

export function openLogouts({ db, issuer, jwks, client, send, onFailure }: LogoutOptions): Logouts {
  async function tell({ subject, endedAt, keptSid }: typeof logouts.$inferSelect): Promise<void> {
    const answer = await send(client.backchannelLogoutUri, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ logout_token: await tokenFor(subject, endedAt, keptSid) }).toString(),
      signal: AbortSignal.timeout(TIMEOUT),
    });
    if (!answer.ok) throw new Error(`the client answered ${answer.status} to a logout token`);
    // A newer end of the same account's sign-ins has to be told as well.
    await db.delete(logouts).where(and(eq(logouts.subject, subject), eq(logouts.endedAt, endedAt)));
  }

  async function tokenFor(subject: string, endedAt: Date, keptSid: string | null): Promise<string> {
    const [key] = jwks.keys as readonly JWK[];
    if (!key) throw new Error("the issuer has no signing key");
    return (
      new SignJWT({
        events: { "http://schemas.openid.net/event/backchannel-logout": {} },
        // Our own claim: one session of the subject goes on. Other clients may ignore it and end that one too.
        ...(keptSid && { kept_sid: keptSid }),
      })
        .setProtectedHeader({ alg: "RS256", typ: "logout+jwt", ...(key.kid && { kid: key.kid }) })
        .setIssuer(issuer)
        .setAudience(client.id)
        .setSubject(subject)
        .setJti(randomUUID())
        // When the sign-ins ended, not when this was written: later ones go on.
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
