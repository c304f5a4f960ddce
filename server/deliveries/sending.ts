import { createHmac } from "node:crypto";
import { lookup } from "node:dns";
import { request as requestPlain } from "node:http";
import { request } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { SECOND } from "#server/base/clock.ts";

/** Seconds from the first byte sent to the answer's status. */
const timeout = 15 * SECOND;

export interface Message {
  readonly id: string;
  readonly at: Date;
  readonly body: string;
  /** `whsec_` and base64; several while a former secret still counts. */
  readonly secrets: readonly string[];
}

export interface Answer {
  readonly status: number | null;
  /** Null for a status of 200 to 299. */
  readonly problem: string | null;
  readonly retryAfter: string | undefined;
}

/** By Standard Webhooks 1.0.0. */
function signaturesOf({ id, at, body, secrets }: Message): string {
  const signed = `${id}.${secondsOf(at)}.${body}`;
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
      return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
    })
    .join(" ");
}

const secondsOf = (at: Date) => Math.floor(at.getTime() / SECOND);

/**
 * Sends a message, without following redirects, and reads nothing but the answer's status and headers. Every address
 * that the name resolves to must be public, and one of these is what it connects to.
 */
export function send(address: string, message: Message, { allowsPrivate }: { allowsPrivate: boolean }) {
  return new Promise<Answer>((resolve) => {
    const fail = (problem: string) => resolve({ status: null, problem, retryAfter: undefined });
    const url = new URL(address);
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (!allowsPrivate && isIP(host) !== 0 && !isPublic(host)) return fail(notPublic);
    const call = (url.protocol === "https:" ? request : requestPlain)(
      url,
      {
        method: "POST",
        agent: false,
        headers: {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(message.body),
          "user-agent": "Academy-Webhooks",
          "webhook-id": message.id,
          "webhook-timestamp": String(secondsOf(message.at)),
          "webhook-signature": signaturesOf(message),
        },
        signal: AbortSignal.timeout(timeout),
        ...(!allowsPrivate && { lookup: lookupPublic }),
      },
      (response) => {
        const status = response.statusCode ?? 0;
        resolve({ status, problem: problemOf(status), retryAfter: response.headers["retry-after"] });
        // The answer's body may be endless.
        response.destroy();
      },
    );
    call.on("error", (error) => fail(wordsOf(error)));
    call.on("upgrade", (_response, socket) => {
      socket.destroy();
      fail("It answered 101.");
    });
    // Whatever else ends the connection: a promise that stays open would keep a worker for ever.
    call.on("close", () => fail("The connection broke off."));
    call.end(message.body);
  });
}

const notPublic = "The address isn’t on the public internet.";

const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, "", 0);
    if (!addresses.every(({ address }) => isPublic(address))) return callback(new Error(notPublic), "", 0);
    const [first] = addresses;
    if (options.all) callback(null, addresses);
    else callback(null, first?.address ?? "", first?.family);
  });
};

/** The host of virtual machines at Azure, in spite of a public address. */
const azureHost = "168.63.129.16";

/** @internal */
export function isPublic(address: string): boolean {
  // `process` reads an IPv4 address that is written as IPv6.
  const read = ipaddr.process(address);
  if (address === azureHost || read.range() !== "unicast") return false;
  // Global addresses of IPv6 begin with 2 or 3.
  return read.kind() === "ipv4" || /^[23]/.test(read.toNormalizedString());
}

function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `It answered ${status}, a redirect, which we don’t follow.`;
  return `It answered ${status}.`;
}

function wordsOf(error: Error & { code?: string }): string {
  if (error.message === notPublic) return notPublic;
  if (error.name === "TimeoutError" || error.name === "AbortError") return "It didn’t answer within 15 seconds.";
  switch (error.code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "We couldn’t find this address. Check it for typos.";
    case "ECONNREFUSED":
      return "Its server refused the connection.";
    default:
      return /certificate|self.signed|CERT/i.test(`${error.message} ${error.code}`)
        ? "Its certificate isn’t valid."
        : "The connection broke off.";
  }
}
