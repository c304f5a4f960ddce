import { OperationRefused } from "./connect-database.ts";

/** Backups are encrypted as `age` does, for recipients (age1…) whose secret key this machine never sees. */
const magic = "age-encryption.org/v1";

type Bytes = ReadableStream<Uint8Array>;

export async function encryptFor(recipients: readonly string[], bytes: Bytes): Promise<Bytes> {
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return encrypter.encrypt(bytes);
}

/** Call it before anything is written. @throws OperationRefused when one is no recipient */
export async function requireRecipients(recipients: readonly string[]): Promise<void> {
  const { Encrypter } = await import("age-encryption");
  for (const recipient of recipients) {
    try {
      new Encrypter().addRecipient(recipient);
    } catch {
      throw new OperationRefused("BACKUP_RECIPIENT is not the public key of an age key pair: age-keygen shows it.");
    }
  }
}

/** Decrypts one backup in this process for its verification; the key is never stored. */
export interface VerificationKey {
  readonly recipient: string;
  open(bytes: Bytes): Promise<Bytes>;
}

export async function newVerificationKey(recipients: readonly string[]): Promise<VerificationKey> {
  const { Decrypter, generateHybridIdentity, generateX25519Identity, identityToRecipient } = await import(
    "age-encryption"
  );
  // age encrypts a file for post-quantum keys or for others, not for both.
  const isHybrid = recipients.some((recipient) => /^age1(pq|tagpq)1/.test(recipient));
  const identity = isHybrid ? await generateHybridIdentity() : await generateX25519Identity();
  return {
    recipient: await identityToRecipient(identity),
    open(bytes) {
      const decrypter = new Decrypter();
      decrypter.addIdentity(identity);
      return decrypter.decrypt(bytes);
    },
  };
}

export async function isEncrypted(bytes: AsyncIterable<Uint8Array>): Promise<boolean> {
  let start = Buffer.alloc(0);
  for await (const chunk of bytes) {
    start = Buffer.concat([start, chunk]);
    if (start.length >= magic.length) break;
  }
  return start.subarray(0, magic.length).toString("latin1") === magic;
}
