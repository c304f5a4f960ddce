import { createPrivateKey, type KeyObject, sign } from "node:crypto";

export interface MuxKeys {
  readonly signingKeyId: string;
  readonly privateKey: KeyObject;
}

/** Reads a key in PEM, or in base64 of PEM. @throws Error when it is neither, or no RSA key */
export function readMuxKey(text: string): KeyObject {
  const key = createPrivateKey(text.includes("-----BEGIN") ? text : Buffer.from(text, "base64"));
  if (key.asymmetricKeyType !== "rsa") throw new Error("not an RSA key");
  return key;
}

/** A signed address that expires at `expiresAt`, in whole seconds. */
export function muxAddress(keys: MuxKeys, playbackId: string, expiresAt: Date): string {
  return `https://stream.mux.com/${playbackId}.m3u8?token=${muxToken(keys, playbackId, "v", expiresAt)}`;
}

/** The audience is `v` for the video, `t` for a thumbnail, `s` for a storyboard. */
export function muxToken(
  { signingKeyId, privateKey }: MuxKeys,
  subject: string,
  audience: "v" | "t" | "s",
  expiresAt: Date,
): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(expiresAt.getTime() / 1000);
  const signed = `${part({ alg: "RS256", typ: "JWT", kid: signingKeyId })}.${part({ sub: subject, aud: audience, exp, kid: signingKeyId })}`;
  return `${signed}.${sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`;
}
