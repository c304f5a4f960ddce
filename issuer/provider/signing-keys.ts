import { generateKeyPair, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { eq } from "drizzle-orm";
import type { JWK } from "oidc-provider";
import type { Clock } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import { keys } from "../tables.ts";

const ID = "signing";

/** The keys that sign ID tokens, created at the first start and shared by all nodes. */
export async function signingKeys(db: Db, clock: Clock): Promise<{ keys: JWK[] }> {
  const kept = await findKeys(db);
  if (kept) return kept;
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
  const jwk = {
    ...privateKey.export({ format: "jwk" }),
    kid: randomBytes(8).toString("hex"),
    use: "sig",
    alg: "RS256",
  };
  // Two nodes may get here at once. The first row stays, and both read it.
  await db
    .insert(keys)
    .values({ id: ID, jwks: { keys: [jwk] }, createdAt: clock.now() })
    .onConflictDoNothing();
  const agreed = await findKeys(db);
  if (!agreed) throw new Error("the issuer's signing keys could not be kept");
  return agreed;
}

async function findKeys(db: Db): Promise<{ keys: JWK[] } | null> {
  const [row] = await db.select({ jwks: keys.jwks }).from(keys).where(eq(keys.id, ID));
  return row ? (row.jwks as { keys: JWK[] }) : null;
}
