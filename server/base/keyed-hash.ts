import { createHmac } from "node:crypto";

/** Nobody can find the text without the secret. Uses the oldest secret, so that all nodes agree while it is rotated. */
export function keyedHash(secrets: readonly string[]): (text: string) => string {
  const secret = secrets.at(-1) ?? "";
  return (text) => createHmac("sha256", secret).update(text).digest("base64url");
}
