import type { Store } from "../store.ts";

/** A complete request, valid by the schema, with the merchant's credentials. */
export interface Call {
  readonly store: Store;
  readonly now: Date;
  readonly refId: string | null;
  readonly request: Record<string, unknown>;
}

/** The gateway's texts for the codes that the sandbox uses. */
const texts: Readonly<Record<string, string>> = {
  I00001: "Successful.",
  I00004: "No records found.",
  E00001: "An error occurred during processing. Please try again.",
  E00003: "An error occurred while parsing the XML request.",
  E00004: "The name of the requested API method is invalid.",
  E00007: "User authentication failed due to invalid authentication values.",
  E00013: "The field is invalid.",
  E00027: "The transaction was unsuccessful.",
  E00029: "Payment information is required.",
  E00039: "A duplicate record already exists.",
  E00040: "The record cannot be found.",
  E00042: "You cannot add more than {0} payment profiles.",
  E00053: "Server too busy.",
  E00059: "The authentication type is not allowed for this method call.",
  E00099: "Customer profile creation failed. This transaction ID is invalid.",
  E00100: "Customer profile creation failed. This transaction type does not support profile creation.",
  E00102: "Customer Info is missing.",
  E00114: "Invalid OTS Token.",
  E00115: "Expired OTS Token.",
  E00116: "OTS Token access violation",
  "1": "This transaction has been approved.",
  "2": "This transaction has been declined.",
  "4": "This transaction has been declined.",
  "5": "A valid amount is required.",
  "6": "The credit card number is invalid.",
  "7": "Credit card expiration date is invalid.",
  "8": "The credit card has expired.",
  "11": "A duplicate transaction has been submitted.",
  "16": "The transaction cannot be found.",
  "54": "The referenced transaction does not meet the criteria for issuing a credit.",
  "55": "The sum of credits against the referenced transaction would exceed original debit amount.",
  "252": "Your order has been received. Thank you for your business!",
  "254": "This transaction has been declined.",
  "310": "This transaction has already been voided.",
  "327":
    "The void request failed. Either the original transaction type does not support void, or the transaction is in the process of being settled.",
};

export function textOf(code: string): string {
  // Most other reasons come from banks and share this text.
  return texts[code] ?? (/^\d+$/.test(code) ? "This transaction has been declined." : "");
}

/** The `messages` of a reply; a code that starts with E makes it an error. */
export function messages(code: string, text: string = textOf(code)) {
  return { resultCode: code.startsWith("E") ? "Error" : "Ok", message: [{ code, text }] };
}

/** A whole reply: derived members first, then refId, messages last, as the gateway orders them. */
export function reply(refId: string | null, code: string, content: object = {}, text?: string): object {
  return { ...content, ...(refId === null ? {} : { refId }), messages: messages(code, text) };
}
