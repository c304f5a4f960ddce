import { SECOND } from "#server/base/clock.ts";
import type { Config } from "#server/context/config.ts";
import type { Db } from "#server/db/db.ts";
import { authorizeNet } from "#server/gateway/authorize-net/authorize-net.ts";
import { openLog } from "#server/process/log.ts";
import { adviceFor } from "#server/reconciliation/kinds.ts";
import { examineBooks } from "#server/reconciliation/reconciliation.ts";
import { type Finding, problemOf } from "./finding.ts";

const maxSentences = 20;

export async function* checkBooks(config: Config, db: Db): AsyncGenerator<Finding> {
  const outside = await connectGateway(config);
  const examined = await examineBooks(db, outside).catch((error: Error) => error);
  if (examined instanceof Error) return yield problemOf("Books", examined);
  for (const { kind, sentence } of examined.slice(0, maxSentences)) {
    yield { name: "Books", problem: true, detail: `${sentence} ${adviceFor(kind)}` };
  }
  if (examined.length > maxSentences) {
    const more = `${examined.length - maxSentences} more discrepancies: see /admin/reconciliation.`;
    yield { name: "Books", problem: true, detail: more };
  }
  if (examined.length > 0) return;
  const detail = outside.gateway ? "agree with themselves and with the gateway's" : "agree; the gateway was not asked";
  yield { name: "Books", problem: false, detail };
}

/** In a demo the sandbox is the gateway and the clock, and answers only while it runs. */
async function connectGateway({
  gateway,
  sandboxUrl,
  publicUrl,
  timeLimitFactor,
}: Config): Promise<Parameters<typeof examineBooks>[1]> {
  const log = openLog("silent");
  if (gateway.environment !== "demo") return { gateway: authorizeNet({ ...gateway, log }), now: new Date() };
  try {
    const address = new URL("/sandbox/api/", sandboxUrl ?? publicUrl);
    const answer = await fetch(address, { signal: AbortSignal.timeout(timeLimitFactor * 5 * SECOND) });
    const sandbox = (await answer.json()) as { gateway: Parameters<typeof authorizeNet>[0]; now: string };
    return { gateway: authorizeNet({ ...sandbox.gateway, log }), now: new Date(sandbox.now) };
  } catch {
    return { gateway: null, now: null }; // The sandbox does not run.
  }
}
