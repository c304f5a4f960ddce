import { hash, randomFillSync } from "node:crypto";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const length = 20;

/** Randomness is fetched for many ids at once: asking for it costs more than all the rest, and each request has an id. */
const randomness = Buffer.alloc(256 * length);
let used = randomness.length;

/** 100 random bits in base 32: nobody can guess it, and it fits the gateway's 20 characters. */
export function newId(): string {
  if (used === randomness.length) {
    randomFillSync(randomness);
    used = 0;
  }
  let id = "";
  for (const end = used + length; used < end; used++) id += alphabet[(randomness[used] ?? 0) & 31];
  return id;
}

export function idFor(...words: readonly string[]): string {
  const bytes = hash("sha256", words.join("\n"), "buffer").subarray(0, length);
  return Array.from(bytes, (byte) => alphabet[byte & 31]).join("");
}
