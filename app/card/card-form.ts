import { asTyped } from "#contract/as-typed.ts";

/** The fields of the card form, in display order. */
export const cardFields = [
  "firstName",
  "lastName",
  "email",
  "cardNumber",
  "expMonth",
  "expYear",
  "cvv",
  "zip",
] as const;
export type CardField = (typeof cardFields)[number];

/** The typed values. They stay in the form: they are never stored or logged, and sent only to the gateway's script. */
export type CardForm = Record<CardField, string>;

export const cardFieldLabels: Readonly<Record<CardField, string>> = {
  firstName: "First Name",
  lastName: "Last Name",
  email: "Email",
  cardNumber: "Card Number",
  expMonth: "Month",
  expYear: "Year",
  cvv: "CVV",
  zip: "ZIP Code",
};

/** "01" to "12". */
export const months = Array.from({ length: 12 }, (_, at) => String(at + 1).padStart(2, "0"));

/** A year and the next seven. */
export function expiryYears(first: number): string[] {
  return Array.from({ length: 8 }, (_, at) => String(first + at));
}

/** The maximum length of a card number, including spaces. */
export const cardNumberLength = 19;

/** American Express groups digits differently, and has a code of four digits. */
export function isAmericanExpress(cardNumber: string): boolean {
  return /^3[47]/.test(digitsOf(cardNumber));
}

/**
 * "4111-1111 11" → "4111 1111 11": only digits, in groups of four, at most 19 characters. American Express has groups
 * of 4, 6 and 5.
 */
export function groupCardNumber(text: string): string {
  const digits = digitsOf(text);
  const sizes = isAmericanExpress(digits) ? [4, 6, 5] : [4, 4, 4, 4];
  let start = 0;
  const groups = sizes.map((size) => {
    start += size;
    return digits.slice(start - size, start);
  });
  return groups.filter(Boolean).join(" ");
}

/** The caret's position after the first `digits` digits of a grouped number. */
export function caretAfterDigits(grouped: string, digits: number): number {
  let caret = 0;
  for (let seen = 0; seen < digits && caret < grouped.length; caret++) {
    if (grouped[caret] !== " ") seen++;
  }
  return caret;
}

export function digitsOf(text: string): string {
  return asTyped(text).replace(/\D/g, "");
}

/** The typed values, with an empty string for each field that the form lacks. */
export function cardFormOf(typed: Partial<Record<string, string>>): CardForm {
  return Object.fromEntries(cardFields.map((field) => [field, typed[field] ?? ""])) as CardForm;
}

/** The empty ones of `fields`, in their order. */
export function missingFields(typed: Partial<Record<string, string>>, fields: readonly CardField[]): CardField[] {
  return fields.filter((field) => !typed[field]?.trim());
}

/** The input of the gateway's script. It needs strings and would send the number's spaces along. */
export function cardDataOf(form: CardForm): CardData {
  return {
    cardNumber: digitsOf(form.cardNumber),
    month: form.expMonth,
    year: form.expYear,
    cardCode: asTyped(form.cvv).trim(),
    zip: asTyped(form.zip).trim(),
    fullName: fullNameOf(form).slice(0, 64).trim(),
  };
}

export interface CardData {
  cardNumber: string;
  month: string;
  /** Four digits. */
  year: string;
  cardCode: string;
  zip: string;
  /** At most 64 characters. The script refuses more. */
  fullName: string;
}

export function fullNameOf({ firstName, lastName }: CardForm): string {
  return `${firstName.trim()} ${lastName.trim()}`;
}
