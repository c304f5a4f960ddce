import { createHmac, randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { sealingFor } from "#server/base/sealing.ts";
import type { Db } from "#server/db/db.ts";
import { addOperationalMark, recordOperationalMark } from "#server/db/operational-marks.ts";
import { operationalMarks } from "#server/db/tables.ts";

const gmail = ["gmail.com", "googlemail.com"];

/**
 * The same text for all spellings of an address that reach one mailbox: no upper case, nothing after a "+" and, where
 * the provider ignores them, no dots.
 */
export function mailboxOf(email: string): string {
  const address = email.trim().normalize("NFC").toLowerCase();
  const at = address.lastIndexOf("@");
  const [domain, local] = [address.slice(at + 1), address.slice(0, at).replace(/(?<=.)\+.*$/, "")];
  return gmail.includes(domain) ? `${local.replaceAll(".", "")}@gmail.com` : `${local}@${domain}`;
}

const { seal, unseal } = sealingFor("mailbox hashes");

const name = "mailbox-hash-keys";

/** The newest key first, each once for every secret that could open it when it was written. */
const Keys = z.array(z.array(z.string()));

/**
 * Hashes texts with a key that outlives SESSION_SECRET, so that hashes can be compared for years. The key is in the
 * database, sealed, so that a copy of the database is not enough to look for an address. A start seals it with the
 * secrets of that start. A key that none of them opens stays, for a start with the right ones.
 */
export async function openLastingHash(
  db: Db,
  secrets: readonly string[],
  now: Date,
  onLost: () => void,
): Promise<(text: string) => Buffer> {
  const key = await db.transaction(async (tx) => {
    await addOperationalMark(tx, name, [], now);
    const [row] = await tx.select().from(operationalMarks).where(eq(operationalMarks.name, name)).for("update");
    const sealed = Keys.parse(row?.value);
    const keys = sealed.map((copies) => openFirst(secrets, copies));
    const current = keys.find((one) => one !== null) ?? randomBytes(32).toString("base64url");
    if (sealed.length > 0 && !keys.includes(current)) onLost();
    const isSealed = secrets.every((secret, at) => unseal([secret], name, sealed[0]?.[at] ?? "") === current);
    if (!isSealed || sealed[0]?.length !== secrets.length) {
      const others = sealed.filter((_copies, at) => keys[at] !== current);
      const value = [secrets.map((secret) => seal([secret], name, current)), ...others];
      await recordOperationalMark(tx, name, value, now);
    }
    return current;
  });
  return (text) => createHmac("sha256", key).update(text).digest();
}

function openFirst(secrets: readonly string[], copies: readonly string[]): string | null {
  return copies.map((copy) => unseal(secrets, name, copy)).find((key) => key !== null) ?? null;
}
