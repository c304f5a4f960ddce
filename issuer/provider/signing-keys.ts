import { generateKeyPair, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { asc, eq, lt, sql } from "drizzle-orm";
import type { JWK } from "oidc-provider";
import { after, type Clock, DAY, HOUR } from "#server/base/clock.ts";
import { sealingFor } from "#server/base/sealing.ts";
import type { Db } from "#server/db/db.ts";
import { keys } from "../tables.ts";

const { seal, unseal } = sealingFor("issuer signing key");

/** How long a key signs. */
const signsFor = 90 * DAY;
/** A new key is published before it signs, so that every node and client knows it by then. */
const publishedBefore = HOUR;
/**
 * A replaced key stays published, as the client names ID tokens at sign-out: its sessions last 30 days, and nodes take
 * minutes to change keys.
 */
const keptFor = 31 * DAY;

export interface KeyScope {
  readonly db: Db;
  readonly clock: Clock;
  /** The first encrypts and signs, all decrypt and verify; counts are kept by the last. */
  readonly secrets: readonly string[];
  readonly warn: (message: string) => void;
}

interface Key {
  readonly jwk: JWK;
  readonly signsFrom: Date;
}

/**
 * The keys to publish. The first one signs. Creates, replaces and deletes keys where that is due, once for all nodes.
 * @param known those of a node that runs. It goes on with them when another has restarted with another secret.
 */
export async function signingKeys(
  { db, clock, secrets, warn }: KeyScope,
  known?: { keys: JWK[] },
): Promise<{ keys: JWK[] }> {
  return lockKeys(db, async (tx) => {
    const now = clock.now();
    const found = await openKeys(tx, secrets);
    if (found.length === 0) {
      if ((await tx.$count(keys)) > 0) {
        if (known) return known;
        warn("no SESSION_SECRET decrypts the issuer's signing keys: a new one replaces them");
      }
      found.push(await makeKey(tx, secrets, now, now));
    }
    const newest = found.at(-1);
    if (newest && now >= after(newest.signsFrom, signsFor)) {
      found.push(await makeKey(tx, secrets, after(now, publishedBefore), now));
    }
    const successor = found.findLast(({ signsFrom }) => now >= after(signsFrom, keptFor));
    // Also those that no secret decrypts, and not before: a node with a wrong secret must not delete the others' key.
    if (successor) await tx.delete(keys).where(lt(keys.signsFrom, successor.signsFrom));
    const kept = found.filter(({ signsFrom }) => !successor || signsFrom >= successor.signsFrom);
    const signer = kept.findLast(({ signsFrom }) => signsFrom <= now) ?? kept[0];
    return { keys: kept.toSorted((a, b) => Number(b === signer) - Number(a === signer)).map(({ jwk }) => jwk) };
  });
}

/** Publishes a key that will replace the signing one, unless one waits already. Call `signingKeys` afterwards. */
export async function rotateSigningKey({ db, clock, secrets }: Omit<KeyScope, "warn">): Promise<void> {
  await lockKeys(db, async (tx) => {
    const now = clock.now();
    const newest = (await openKeys(tx, secrets)).at(-1);
    if (newest && newest.signsFrom <= now) await makeKey(tx, secrets, after(now, publishedBefore), now);
  });
}

function lockKeys<Result>(db: Db, work: (tx: Db) => Promise<Result>): Promise<Result> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('issuer signing keys', 0))`);
    return work(tx);
  });
}

/** The next one to sign, or the signing one, comes last. Encrypts with the first secret what an older one encrypted. */
async function openKeys(tx: Db, secrets: readonly string[]): Promise<Key[]> {
  const rows = await tx.select().from(keys).orderBy(asc(keys.signsFrom), asc(keys.id));
  const opened: Key[] = [];
  for (const { id, sealed, signsFrom } of rows) {
    const text = unseal(secrets, id, sealed);
    if (text === null) continue;
    opened.push({ jwk: JSON.parse(text) as JWK, signsFrom });
    if (unseal(secrets.slice(0, 1), id, sealed) !== null) continue;
    await tx
      .update(keys)
      .set({ sealed: seal(secrets, id, text) })
      .where(eq(keys.id, id));
  }
  return opened;
}

async function makeKey(tx: Db, secrets: readonly string[], signsFrom: Date, now: Date): Promise<Key> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
  const kid = randomBytes(8).toString("hex");
  const jwk = { ...privateKey.export({ format: "jwk" }), kid, use: "sig", alg: "RS256" } as JWK;
  await tx.insert(keys).values({ id: kid, sealed: seal(secrets, kid, JSON.stringify(jwk)), signsFrom, createdAt: now });
  return { jwk, signsFrom };
}
