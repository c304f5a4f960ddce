import { createHmac } from "node:crypto";

/**
 * Hashes what is kept to count by, such as network addresses: only who has the secret can tell the text from it. By the
 * oldest secret: while a new one comes in, all nodes know that one, and count the same.
 */
export function keyedHash(secrets: readonly string[]): (text: string) => string {
  const secret = secrets.at(-1) ?? "";
  return (text) => createHmac("sha256", secret).update(text).digest("base64url");
}
