import type { FastifyReply, FastifyRequest } from "fastify";
import { errors, type Provider } from "oidc-provider";
import type { Clock } from "#server/clock.ts";
import type { Db } from "#server/db/db.ts";
import type { DemoAccount } from "../accounts.ts";
import type { EnqueueMail } from "../mails.ts";
import type { Site } from "./frame.ts";

/** What the pages work with. */
export interface Issuer {
  readonly db: Db;
  readonly clock: Clock;
  readonly provider: Provider;
  readonly site: Site;
  readonly demoAccounts: readonly DemoAccount[];
  /** Orders a mail whether or not the address has an account: no answer tells, by its time, which it is. */
  readonly enqueueMail: EnqueueMail;
}

interface OpenInteraction {
  readonly uid: string;
  /** The parameters of the authorization request. */
  readonly params: Record<string, unknown>;
  /** Signs the person in and sends the browser on to the client. */
  finish(subject: string): Promise<FastifyReply>;
}

/**
 * The authorization request that this browser is in the middle of.
 * @throws errors.SessionNotFound when it has expired or began in another browser
 */
export async function interactionOf(
  { provider, clock }: Issuer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<OpenInteraction> {
  const { uid, params } = await provider.interactionDetails(request.raw, reply.raw);
  if (uid !== (request.params as { uid?: string }).uid) throw new errors.SessionNotFound("another interaction");
  const finish = async (subject: string) => {
    const ts = Math.floor(clock.now().getTime() / 1000);
    const result = { login: { accountId: subject, remember: true, amr: ["pwd"], ts } };
    const next = await provider.interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission: false });
    return reply.header("cache-control", "no-store").redirect(next, 303);
  };
  return { uid, params, finish };
}

/** The address of a page of an interaction. */
export function pathTo({ site }: Issuer, uid: string, ...rest: string[]): string {
  return [site.path, "interaction", encodeURIComponent(uid), ...rest].join("/");
}

/** One field of a posted form, or an empty text; at most `longest` characters count. */
export function textOf(request: FastifyRequest, name: string, longest = 254): string {
  const body = (request.body ?? {}) as Record<string, unknown>;
  const value = body[name];
  return typeof value === "string" ? value.slice(0, longest) : "";
}
