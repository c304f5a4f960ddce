import { createHmac, randomBytes } from "node:crypto";
import { keepSetting, readSetting, type Store } from "../store.ts";

/** What the sandbox stores of a card: neither the number nor the security code. */
export interface Card {
  readonly brand: string;
  readonly last4: string;
  /** A keyed hash of the number, equal for equal numbers. */
  readonly fingerprint: string;
  /** "YYYY-MM" */
  readonly expiry: string;
  readonly zip: string | null;
  /** The result letter of the security code check. */
  readonly cvv: string;
}

/** A card in a request, valid by the schema. */
export interface CardData {
  readonly cardNumber: string | number;
  readonly expirationDate: string | number;
  readonly cardCode?: string | number;
}

/** The card, or the gateway's reason code: 6 for an invalid number, 7 for an invalid date, 8 for an expired card. */
export function cardOf(store: Store, now: Date, data: CardData, zip: string | null): Card | "6" | "7" | "8" {
  const number = String(data.cardNumber);
  const brand = brandOf(number);
  if (!brand) return "6";
  const expiry = expiryOf(String(data.expirationDate));
  if (!expiry) return "7";
  if (hasExpired(expiry, now)) return "8";
  const cvv = cvvResultOf(data.cardCode === undefined ? null : String(data.cardCode));
  return { brand, last4: number.slice(-4), fingerprint: fingerprintOf(store, number), expiry, zip, cvv };
}

function fingerprintOf(store: Store, number: string): string {
  const key = readSetting(store, "fingerprint-key") ?? randomBytes(32).toString("hex");
  keepSetting(store, "fingerprint-key", key);
  return createHmac("sha256", key).update(number).digest("base64url");
}

const brands: readonly [RegExp, string][] = [
  [/^4/, "Visa"],
  [/^(5[1-5]|2(2[2-9]|[3-6]|7[01]|720))/, "MasterCard"],
  [/^3[47]/, "AmericanExpress"],
  [/^(6011|65|64[4-9])/, "Discover"],
  [/^35|^308[89]|^309/, "JCB"],
  [/^3[0689]/, "DinersClub"],
];

/** The brand by the gateway's name, or null for an invalid number. */
function brandOf(number: string): string | null {
  if (!/^\d{13,16}$/.test(number) || !passesLuhn(number)) return null;
  return brands.find(([pattern]) => pattern.test(number))?.[1] ?? null;
}

function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, character, index) => {
    const digit = Number(character) * (index % 2 === 1 ? 2 : 1);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return sum % 10 === 0;
}

/** "YYYY-MM" from any format that the gateway accepts (MMYY, MMYYYY, MM/YY, MM/YYYY, YYYY-MM), or null. */
function expiryOf(text: string): string | null {
  const iso = /^(\d{4})-(\d{2})$/.exec(text);
  const other = /^(\d{2})[/-]?(\d{4}|\d{2})$/.exec(text);
  const month = iso?.[2] ?? other?.[1];
  const year = iso?.[1] ?? other?.[2];
  if (!month || !year || Number(month) < 1 || Number(month) > 12) return null;
  return `${year.length === 2 ? `20${year}` : year}-${month}`;
}

/** Cards are valid until the end of their month. */
export function hasExpired(expiry: string, now: Date): boolean {
  return expiry < now.toISOString().slice(0, 7);
}

const cvvTriggers: Readonly<Record<string, string>> = { "900": "M", "901": "N", "902": "S", "903": "U", "904": "P" };

/** The result letter for a security code, as published for test codes. */
function cvvResultOf(code: string | null): string {
  if (code === null) return "P";
  return cvvTriggers[code] ?? "M";
}

const avsTriggers: Readonly<Record<string, string>> = {
  "46206": "P",
  "46203": "E",
  "46207": "R",
  "46204": "G",
  "46209": "U",
  "46208": "S",
  "46205": "N",
  "46201": "A",
  "46217": "Z",
  "46211": "W",
  "46214": "X",
};

/** The AVS letter for a billing ZIP, as published for test codes. */
export function avsResultOf(zip: string | null): string {
  if (zip === null) return "P";
  return avsTriggers[zip.slice(0, 5)] ?? "Y";
}

/** The published ZIPs of declined cards: an ordinary one, and a prepaid card that does not cover the amount. */
export const DECLINED_ZIPS: readonly string[] = ["46282", "46225"];
