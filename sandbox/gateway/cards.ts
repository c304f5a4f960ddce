import { createHmac, randomBytes } from "node:crypto";
import { keepSetting, readSetting, type Store } from "../store.ts";

/** What the sandbox keeps of a card. The full number and the security code are forgotten at once. */
export interface Card {
  readonly brand: string;
  readonly last4: string;
  /** Equal for equal card numbers, and says nothing about them. */
  readonly fingerprint: string;
  /** "YYYY-MM" */
  readonly expiry: string;
  readonly zip: string | null;
  /** The letter that checking the security code gave. */
  readonly cvv: string;
}

/** A card as it is put on the wire, already valid by the schema. */
export interface CardData {
  readonly cardNumber: string | number;
  readonly expirationDate: string | number;
  readonly cardCode?: string | number;
}

/** The card, or the gateway's reason code for what is wrong with it: 6 the number, 7 the date, 8 it has expired. */
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

/** The brand by the gateway's name for it, or null when no card has such a number. */
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

/** "YYYY-MM" of any of the forms that the gateway takes (MMYY, MMYYYY, MM/YY, MM/YYYY, YYYY-MM), or null. */
function expiryOf(text: string): string | null {
  const iso = /^(\d{4})-(\d{2})$/.exec(text);
  const other = /^(\d{2})[/-]?(\d{4}|\d{2})$/.exec(text);
  const month = iso?.[2] ?? other?.[1];
  const year = iso?.[1] ?? other?.[2];
  if (!month || !year || Number(month) < 1 || Number(month) > 12) return null;
  return `${year.length === 2 ? `20${year}` : year}-${month}`;
}

/** Cards are good until the end of the month that is printed on them. */
export function hasExpired(expiry: string, now: Date): boolean {
  return expiry < now.toISOString().slice(0, 7);
}

const cvvTriggers: Readonly<Record<string, string>> = { "900": "M", "901": "N", "902": "S", "903": "U", "904": "P" };

/** The letter for a security code; the published test codes give the published letters. */
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

/** The letter for a billing ZIP; the published test codes give the published letters. */
export function avsResultOf(zip: string | null): string {
  if (zip === null) return "P";
  return avsTriggers[zip.slice(0, 5)] ?? "Y";
}

/** The published ZIP that is always declined, and the one of a prepaid card that does not cover the amount. */
export const DECLINED_ZIPS: readonly string[] = ["46282", "46225"];
