import { createHash, randomBytes } from "node:crypto";
import type { Store } from "../store.ts";
import type { Card } from "./cards.ts";

const LIFETIME_MS = 15 * 60_000;

const DESCRIPTOR = "COMMON.ACCEPT.INAPP.PAYMENT";

/** Whether it is the descriptor of Accept.js tokens. */
export function isCardDescriptor(descriptor: string): boolean {
  return descriptor === DESCRIPTOR;
}

/** Creates a token for a card, valid once and for 15 minutes. It has the format of real ones. */
export function mintToken(store: Store, card: Card, now: Date): string {
  const code = `50_2_${randomBytes(30).toString("hex").toUpperCase()}`;
  const token = String(randomBytes(8).readBigUInt64BE()).padStart(20, "9");
  const value = Buffer.from(JSON.stringify({ code, token, v: "1.1" })).toString("base64");
  store
    .prepare(
      `insert into tokens (digest, brand, last4, fingerprint, expiry, zip, cvv, made_at)
       values (:digest, :brand, :last4, :fingerprint, :expiry, :zip, :cvv, :madeAt)`,
    )
    .run({ ...card, digest: digestOf(value), madeAt: now.toISOString() });
  return value;
}

type SpentToken = { readonly card: Card } | { readonly error: "E00114" | "E00115" | "E00116" };

/** Uses a token up, whatever the outcome of the charge, as the real gateway does. */
export function spendToken(store: Store, value: string, now: Date): SpentToken {
  const row = store.prepare("select * from tokens where digest = ?").get(digestOf(value));
  if (!row) return { error: looksLikeToken(value) ? "E00116" : "E00114" };
  if (row.spent_at !== null) return { error: "E00114" };
  store.prepare("update tokens set spent_at = ? where digest = ?").run(now.toISOString(), row.digest ?? "");
  if (now.getTime() - Date.parse(String(row.made_at)) > LIFETIME_MS) return { error: "E00115" };
  return {
    card: {
      brand: String(row.brand),
      last4: String(row.last4),
      fingerprint: String(row.fingerprint),
      expiry: String(row.expiry),
      zip: row.zip === null ? null : String(row.zip),
      cvv: String(row.cvv),
    },
  };
}

/**
 * Whether it has the format of a token; one that this sandbox did not create belongs to another merchant or
 * environment.
 */
function looksLikeToken(value: string): boolean {
  try {
    const content: unknown = JSON.parse(Buffer.from(value, "base64").toString());
    return typeof content === "object" && content !== null && "code" in content && "token" in content;
  } catch {
    return false;
  }
}

function digestOf(value: string): string {
  return createHash("sha256").update(value).digest("hex");
}
