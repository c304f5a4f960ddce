import { createReadStream, createWriteStream } from "node:fs";
import { Readable, Writable } from "node:stream";
import { Decrypter } from "age-encryption";

/** Decrypts a file with this secret key of age, as an operator does. */
export async function decryptFile(identity: string, from: string, to: string): Promise<void> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const bytes = await decrypter.decrypt(Readable.toWeb(createReadStream(from)) as ReadableStream<Uint8Array>);
  await bytes.pipeTo(Writable.toWeb(createWriteStream(to)));
}
