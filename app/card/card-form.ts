/** The fields of the card form, in the order in which they stand. */
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

/** What was typed. It lives in the form alone: it is not stored, logged or sent anywhere but to the gateway's script. */
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

/** The current year and the seven after it. */
export function expiryYears(now: Date): string[] {
  return Array.from({ length: 8 }, (_, at) => String(now.getFullYear() + at));
}

/** Characters of a card number with its spaces. */
export const cardNumberLength = 19;

/** American Express prints its numbers in groups of its own, and a code of four digits on the front. */
export function isAmericanExpress(cardNumber: string): boolean {
  return /^3[47]/.test(digitsOf(cardNumber));
}

/**
 * "4111-1111 11" → "4111 1111 11": digits alone, in groups of four, at most 19 characters; 4, 6 and 5 digits for
 * American Express.
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

/** Where the caret belongs in a grouped number so that `digits` digits stand before it. */
export function caretAfterDigits(grouped: string, digits: number): number {
  let caret = 0;
  for (let seen = 0; seen < digits && caret < grouped.length; caret++) {
    if (grouped[caret] !== " ") seen++;
  }
  return caret;
}

export function digitsOf(text: string): string {
  return text.replace(/\D/g, "");
}

/** What was typed, with nothing for a field that the form does not have. */
export function cardFormOf(typed: Partial<Record<string, string>>): CardForm {
  return Object.fromEntries(cardFields.map((field) => [field, typed[field] ?? ""])) as CardForm;
}

/** Those of `fields` that are still empty, in their order. */
export function missingFields(typed: Partial<Record<string, string>>, fields: readonly CardField[]): CardField[] {
  return fields.filter((field) => !typed[field]?.trim());
}

/** What the gateway's script is given: strings throughout, the number without its spaces, which it would send along. */
export function cardDataOf(form: CardForm): CardData {
  return {
    cardNumber: digitsOf(form.cardNumber),
    month: form.expMonth,
    year: form.expYear,
    cardCode: form.cvv.trim(),
    zip: form.zip.trim(),
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
  /** At most 64 characters; the script refuses more. */
  fullName: string;
}

export function fullNameOf({ firstName, lastName }: CardForm): string {
  return `${firstName.trim()} ${lastName.trim()}`;
}
