import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const algorithm = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Each purpose has keys of its own, derived from the secrets. */
export function sealingFor(purpose: string) {
  return {
    /** Encrypts with the first secret. The owner is authenticated data: under another owner it does not decrypt. */
    seal: (secrets: readonly string[], owner: string, text: string) =>
      encrypt(keyFrom(secrets[0] ?? "", purpose), owner, text),
    /** Tries each of the secrets. Null when none of them decrypts it. */
    unseal(secrets: readonly string[], owner: string, sealed: string): string | null {
      for (const secret of secrets) {
        const text = decrypt(keyFrom(secret, purpose), owner, sealed);
        if (text !== null) return text;
      }
      return null;
    },
  };
}

function encrypt(key: Buffer, owner: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

function decrypt(key: Buffer, owner: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, "base64url");
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  if (tag.length !== TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv(algorithm, key, nonce).setAAD(Buffer.from(owner));
    decipher.setAuthTag(tag);
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString("utf8");
  } catch {
    // Encrypted with another secret, or not by us.
    return null;
  }
}

function keyFrom(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));
}
