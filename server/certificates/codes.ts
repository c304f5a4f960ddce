import { hash, randomBytes } from "node:crypto";

/** Crockford's base 32: without I, L, O and U. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** 80 random bits in 16 characters. */
export function newCode(): string {
  return Array.from(randomBytes(16), (byte) => alphabet[byte & 31]).join("");
}

/** The code that somebody typed or copied; null when it can be none. */
export function readCode(typed: string): string | null {
  const code = typed
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, "")
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");
  return /^[0-9A-HJKMNP-TV-Z]{16}$/.test(code) ? code : null;
}

/** "ABCD-EFGH-JKMN-PQRS" */
export function codeInGroups(code: string): string {
  return code.match(/.{4}/g)?.join("-") ?? code;
}

export function hashOfCode(code: string): string {
  return hash("sha256", code);
}
