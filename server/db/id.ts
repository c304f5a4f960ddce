import { hash, randomFillSync } from "node:crypto";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const length = 20;

/** Random bytes for many ids at once: each call for them is slow, and every request has an id. */
const randomness = Buffer.alloc(256 * length);
let used = randomness.length;

/** 100 random bits in base 32: an unguessable id of 20 characters, which the gateway's fields hold. */
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
