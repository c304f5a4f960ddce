import { createHmac } from "node:crypto";

/** Only who has the secret can tell the text from it. By the oldest one: while it changes, all nodes count the same. */
export function keyedHash(secrets: readonly string[]): (text: string) => string {
  const secret = secrets.at(-1) ?? "";
  return (text) => createHmac("sha256", secret).update(text).digest("base64url");
}
