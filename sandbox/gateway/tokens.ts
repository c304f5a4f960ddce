import { createHash, randomBytes } from "node:crypto";
import { findRow, insertRow, type Store } from "../store.ts";
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
  insertRow(store, "tokens", { ...card, digest: digestOf(value), madeAt: now.toISOString() });
  return value;
}

type TokenRow = Card & { readonly digest: string; readonly madeAt: string; readonly spentAt: string | null };

type SpentToken = { readonly card: Card } | { readonly error: "E00114" | "E00115" | "E00116" };

/** Uses a token up, whatever the outcome of the charge, as the real gateway does. */
export function spendToken(store: Store, value: string, now: Date): SpentToken {
  const row = findRow<TokenRow>(store, "select * from tokens where digest = ?", digestOf(value));
  if (!row) return { error: looksLikeToken(value) ? "E00116" : "E00114" };
  const { digest, madeAt, spentAt, ...card } = row;
  if (spentAt !== null) return { error: "E00114" };
  store.prepare("update tokens set spentAt = ? where digest = ?").run(now.toISOString(), digest);
  return now.getTime() - Date.parse(madeAt) > LIFETIME_MS ? { error: "E00115" } : { card };
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
