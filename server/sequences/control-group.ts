import { hash } from "node:crypto";

/** Always the same for a person and a sequence. With a larger share, all who belonged to it still do. */
export function isControl(userId: string, sequence: string, percent: number): boolean {
  const bytes = hash("sha256", `control\n${sequence}\n${userId}`, "buffer");
  return bytes.readUInt32BE(0) < (percent / 100) * 2 ** 32;
}
