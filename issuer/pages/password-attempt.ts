import type { FastifyReply, FastifyRequest } from "fastify";
import { clientOf } from "#server/http/client.ts";
import { isPasswordOf } from "../accounts.ts";
import type { Account } from "../tables.ts";
import { countAttempt, forgetAttempts, returnAttempt } from "../throttle.ts";
import { findDevice } from "./browser.ts";
import type { Issuer } from "./issuer-scope.ts";

/**
 * Whether the typed password is the account's; `account` is null when nobody has the address. Wrong passwords count
 * against the client and, with a higher limit, against the address. In a browser that has signed in to the account
 * before, they count against that browser alone, so that nobody else can use up its attempts.
 * @throws Refusal too-many-requests
 */
export async function isRightPassword(
  issuer: Issuer,
  request: FastifyRequest,
  reply: FastifyReply,
  typed: { readonly email: string; readonly account: Account | null; readonly password: string },
): Promise<boolean> {
  const isRight = await checkPassword(issuer, request, reply, typed);
  if (!isRight) noteFailure(issuer, request, typed.email, "password");
  return isRight;
}

/** Logs hashes alone, by which an operator sees whether one client tries many accounts, or many try one. */
export function noteFailure(issuer: Issuer, request: FastifyRequest, email: string, what: "password" | "code"): void {
  issuer.onFailedSignIn();
  const [account, client] = [issuer.hash(email.toLowerCase()), issuer.hash(clientOf(request).key)];
  request.log.info({ account, client }, `wrong ${what}`);
}

async function checkPassword(
  issuer: Issuer,
  request: FastifyRequest,
  reply: FastifyReply,
  typed: { readonly email: string; readonly account: Account | null; readonly password: string },
): Promise<boolean> {
  const { account, password } = typed;
  const email = account?.email ?? typed.email;
  const device = account && findDevice(issuer, request, reply, account);
  const client = clientOf(request).key;
  if (device) {
    await countAttempt(issuer, "sign-in-device", device.id);
    const isRight = await isPasswordOf(account, password);
    if (isRight) await forgetAttempts(issuer, "sign-in-device", device.id);
    return isRight;
  }
  // The order matters: a client above its own limit must not use up attempts that others share.
  await countAttempt(issuer, "sign-in-client", client);
  await countAttempt(issuer, "sign-in-account-client", `${email}\n${client}`);
  await countAttempt(issuer, "sign-in-account", email);
  if (!(await isPasswordOf(account, password))) return false;
  await returnAttempt(issuer, "sign-in-client", client);
  await returnAttempt(issuer, "sign-in-account", email);
  await forgetAttempts(issuer, "sign-in-account-client", `${email}\n${client}`);
  return true;
}
