/** As random as the server's ids. Not `crypto.randomUUID()`, which browsers offer only in secure contexts. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
