import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/** Makes a self-signed certificate for localhost, so that the repository contains no key. */
export function makeSelfSignedCertificate(): { readonly key: KeyObject; readonly pem: string } {
  const { publicKey, privateKey: key } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(element(0x31, sequence(commonName, element(0x0c, Buffer.from("localhost")))));
  const hosts = sequence(element(0x82, Buffer.from("localhost")));
  const toSign = sequence(
    element(0xa0, element(0x02, Buffer.of(2))),
    element(0x02, Buffer.of(1)),
    ecdsaWithSha256,
    name,
    sequence(utcTime(new Date(Date.now() - day)), utcTime(new Date(Date.now() + 30 * day))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    element(0xa3, sequence(sequence(subjectAltName, element(0x04, hosts)))),
  );
  const signature = element(0x03, Buffer.of(0), sign("sha256", toSign, key));
  const lines =
    sequence(toSign, ecdsaWithSha256, signature)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return { key, pem: ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n") };
}

const day = 24 * 60 * 60 * 1000;
const commonName = element(0x06, Buffer.from("550403", "hex"));
const subjectAltName = element(0x06, Buffer.from("551d11", "hex"));
const ecdsaWithSha256 = sequence(element(0x06, Buffer.from("2a8648ce3d040302", "hex")));

function sequence(...parts: Buffer[]): Buffer {
  return element(0x30, ...parts);
}

/** DER encoding. */
function element(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const lengthBytes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...lengthBytes), content]);
}

function utcTime(instant: Date): Buffer {
  return element(0x17, Buffer.from(`${instant.toISOString().replace(/\D/g, "").slice(2, 14)}Z`));
}
