import { createHash, randomBytes } from "node:crypto";
import { and, eq, gt, sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { checkProxies, ProxyCheck } from "#contract/proxy-check.ts";
import { SECOND } from "#server/base/clock.ts";
import { explainAndAdvise } from "#server/base/failures.ts";
import { nothingHere } from "#server/base/refusal.ts";
import type { Config } from "#server/context/config.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { deleteOperationalMark } from "#server/db/operational-marks.ts";
import { operationalMarks } from "#server/db/tables.ts";
import { clientOfRaw, forwardedChain, isPrivateAddress, type ProxyTrust } from "#server/http/client.ts";
import { serve } from "#server/http/serve.ts";

const prefix = "proxy-check ";

/** Answers the doctor's request through PUBLIC_URL with what the server saw of it. */
export function proxyCheckRoutes(scope: FastifyInstance, ctx: Context, isTrusted: ProxyTrust): void {
  serve(scope, checkProxies, async ({ request, body }) => {
    const isOurs = and(
      eq(operationalMarks.name, prefix + hashOf(body.token)),
      gt(operationalMarks.updatedAt, sql`now() - interval '1 minute'`),
    );
    const [token] = await ctx.db.delete(operationalMarks).where(isOurs).returning({ name: operationalMarks.name });
    if (!token) throw nothingHere();
    const { address, proxies } = clientOfRaw(request.raw, isTrusted);
    return { address, proxies, chain: forwardedChain(request.raw) };
  });
}

/** Reserved for documentation by RFC 5737: no visitor has it. */
const madeUp = "192.0.2.77";

/**
 * Tests TRUST_PROXY by a request with a forged header.
 * @throws Error when the server believes it, when all visitors look alike, or when no answer comes
 */
export async function tryProxies(db: Db, config: Config, trustProxy: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const name = prefix + hashOf(token);
  await db.insert(operationalMarks).values({ name, value: "doctor", updatedAt: sql`now()` });
  try {
    return judgeProxies(await ask(config, token), trustProxy);
  } finally {
    await deleteOperationalMark(db, name);
  }
}

async function ask({ publicUrl, timeLimitFactor }: Config, token: string): Promise<ProxyCheck> {
  const { method, path } = checkProxies;
  const response = await fetch(publicUrl + path, {
    method,
    headers: {
      origin: publicUrl,
      "content-type": "application/json",
      "x-forwarded-for": madeUp,
      "x-real-ip": madeUp,
      forwarded: `for=${madeUp}`,
    },
    body: JSON.stringify({ token }),
    redirect: "manual",
    signal: AbortSignal.timeout(timeLimitFactor * 10 * SECOND),
  }).catch((error: Error) => {
    const reason = explainAndAdvise(error, "public address");
    throw new Error(`PUBLIC_URL cannot be reached from here, so TRUST_PROXY is not checked. ${reason}`);
  });
  const answer = ProxyCheck.safeParse(await response.json().catch(() => null));
  if (response.ok && answer.success) return answer.data;
  throw new Error(`PUBLIC_URL does not lead to this academy: it answered ${response.status}.`);
}

/** @throws Error when TRUST_PROXY is set wrongly. @internal */
export function judgeProxies({ address, proxies, chain }: ProxyCheck, trustProxy: string): string {
  // The forged address is the farthest of the chain; a proxy that replaces the header drops it.
  const lie = chain.indexOf(madeUp);
  const standing = (lie === -1 ? chain.length : lie) - 1;
  const seen = chain[standing] ?? "nobody";
  const isNumber = /^\d+$/.test(trustProxy);
  if (standing < 1) {
    throw new Error("No proxy says who visitors are: have it add their address to X-Forwarded-For.");
  }
  if (proxies < standing) {
    const advice = isNumber ? `${standing} proxies stand in a row` : `it does not name the proxy ${chain[proxies]}`;
    throw new Error(`All visitors look like ${address} and share its limits: correct TRUST_PROXY, ${advice}.`);
  }
  if (proxies === standing)
    return `visitors are told apart: this request is of ${address}, through ${proxies} in a row`;
  if (!isNumber && isPrivateAddress(seen)) {
    return `names the proxies, and also ${seen}, where this request comes from: any other client behind it may lie`;
  }
  const advice = isNumber ? `only ${standing} stand in a row` : `it names ${seen}, which is no proxy`;
  throw new Error(`Visitors are believed whatever address they make up: correct TRUST_PROXY, ${advice}.`);
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
