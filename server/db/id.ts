import { hash, randomFillSync } from "node:crypto";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const length = 20;

/** Randomness is fetched for many ids at once: asking for it costs more than all the rest, and each request has an id. */
const randomness = Buffer.alloc(256 * length);
let used = randomness.length;

/**
 * 20 random characters of Crockford's base 32 (100 bits). One form for every id: it cannot be guessed, and it fits the
 * 20 characters that the card gateway allows for references, invoices and customers.
 */
export function newId(): string {
  if (used === randomness.length) {
    randomFillSync(randomness);
    used = 0;
  }
  let id = "";
  for (const end = used + length; used < end; used++) id += alphabet[(randomness[used] ?? 0) & 31];
  return id;
}

/** An id in the same form that is the same for the same words, so that one occasion has one id. */
export function idFor(...words: readonly string[]): string {
  const bytes = hash("sha256", words.join("\n"), "buffer").subarray(0, length);
  return Array.from(bytes, (byte) => alphabet[byte & 31]).join("");
}
