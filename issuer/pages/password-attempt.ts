import type { FastifyReply, FastifyRequest } from "fastify";
import { clientOf } from "#server/http/client.ts";
import { isPasswordOf } from "../accounts.ts";
import type { Account } from "../tables.ts";
import { countAttempt, forgetAttempts, returnAttempt } from "../throttle.ts";
import { findDevice } from "./browser.ts";
import type { Issuer } from "./issuer-scope.ts";

/**
 * Whether the typed password is the account's; `account` is null when nobody has the address. Wrong ones count for the
 * client that types them and, slowly, for the address. In a browser that has signed in to the account before they count
 * for that browser alone: nobody else can use its attempts up.
 * @throws Refusal too-many-requests
 */
export async function isRightPassword(
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
  // In this order: a client over its own limit uses up none of the attempts that others share.
  await countAttempt(issuer, "sign-in-client", client);
  await countAttempt(issuer, "sign-in-account-client", `${email}\n${client}`);
  await countAttempt(issuer, "sign-in-account", email);
  if (!(await isPasswordOf(account, password))) return false;
  await returnAttempt(issuer, "sign-in-client", client);
  await returnAttempt(issuer, "sign-in-account", email);
  await forgetAttempts(issuer, "sign-in-account-client", `${email}\n${client}`);
  return true;
}
