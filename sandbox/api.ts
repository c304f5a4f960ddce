import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import { z } from "zod";
import { EmailAddress } from "#contract/email-address.ts";
import { BadRequest, jsonOf } from "./bad-request.ts";
import type { SandboxClock } from "./clock.ts";
import { clockRoutes } from "./clock-api.ts";
import type { SandboxAddresses } from "./follow.ts";
import { merchant } from "./gateway/gateway.ts";
import {
  forgetOutcomes,
  isOutcome,
  keepOutcomes,
  listOutcomes,
  OUTCOME_NAMES,
  type Outcome,
} from "./gateway/outcomes.ts";
import { currentTransaction } from "./gateway/transactions/settlement.ts";
import { eventNameOf, sendWebhook } from "./gateway/webhook.ts";
import { ledgerRoutes } from "./ledger-api.ts";
import { emptyMailbox, listMails } from "./mailbox.ts";
import type { Store } from "./store.ts";

/** The sandbox's own API, for tests, its page, and academies in other processes. No provider has it. */
export function apiRoutes(parts: {
  store: Store;
  clock: SandboxClock;
  addresses: SandboxAddresses;
  academyUrl: string | null;
}): FastifyPluginAsync {
  const { store, clock, addresses, academyUrl } = parts;
  return async (app) => {
    refuseOtherSites(app);
    app.get("/", async () => ({ ...addresses, now: clock.now().toISOString() }));
    mailRoutes(app, store);
    await app.register(ledgerRoutes(store, clock), { prefix: "/gateway" });
    outcomeRoutes(app, store);
    // At most one entry for each open stream, of about 100 bytes.
    const followers = new Map<object, string>();
    webhookRoute(app, { store, clock, academyOf: () => [...followers.values()].at(-1) ?? academyUrl });
    clockRoutes(app, clock, followers);
  };
}

function refuseOtherSites(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.header("cache-control", "no-store");
    const reads = request.method === "GET" || request.method === "HEAD";
    if (!reads && request.headers["sec-fetch-site"] === "cross-site") {
      return reply.code(403).send({ message: "Pages of other sites may not change the sandbox." });
    }
  });
}

function mailRoutes(app: FastifyInstance, store: Store): void {
  app.get("/mails", async ({ query }) => {
    const { to } = query as { to?: unknown };
    return listMails(store, typeof to === "string" ? to : null).map(({ id: _id, ...mail }) => mail);
  });
  app.delete("/mails", async (_request, reply) => {
    emptyMailbox(store);
    return reply.code(204).send();
  });
}

function outcomeRoutes(app: FastifyInstance, store: Store): void {
  app.get("/gateway/next", async () => ({ outcomes: listOutcomes(store) }));
  app.post("/gateway/next", async (request) => {
    const { outcomes, customerEmail } = stagingOf(request.body);
    keepOutcomes(store, outcomes, customerEmail);
    return { outcomes: listOutcomes(store, customerEmail) };
  });
  app.delete("/gateway/next", async (_request, reply) => {
    forgetOutcomes(store);
    return reply.code(204).send();
  });
}

function webhookRoute(
  app: FastifyInstance,
  { store, clock, academyOf }: { store: Store; clock: SandboxClock; academyOf: () => string | null },
): void {
  app.post("/gateway/webhook", async (request, reply) => {
    const { transId, event } = webhookOf(request.body);
    const transaction = currentTransaction(store, clock.now(), transId);
    if (!transaction) return reply.code(404).send({ message: `The ledger has no transaction ${transId}.` });
    const academy = academyOf();
    if (academy === null) {
      return reply.code(502).send({ message: "The sandbox does not know where the academy is." });
    }
    try {
      const webhook = { event, transaction, at: clock.now() };
      return { status: await sendWebhook(academy, merchant.signatureKey, webhook) };
    } catch (error) {
      request.log.warn(error, "the academy did not take a webhook");
      return reply.code(502).send({ message: `The academy at ${academy} did not answer.` });
    }
  });
}

const Staging = z.strictObject({ outcomes: z.array(z.unknown()).max(1000), customerEmail: EmailAddress.optional() });
const Webhook = z.strictObject({ transId: z.string(), event: z.string() });
function stagingOf(body: unknown): { outcomes: Outcome[]; customerEmail: string | null } {
  const asked = Staging.safeParse(jsonOf(body));
  if (!asked.success) {
    throw new BadRequest(
      'The body is {"outcomes": [...]}, at most 1000 of them, and "customerEmail" for one customer alone.',
    );
  }
  const outcomes = asked.data.outcomes.map((outcome) => {
    if (isOutcome(outcome)) return outcome;
    const names = `${OUTCOME_NAMES.join(", ")}, slow:<ms> (at most slow:120000), decline:<reason>, error:<reason> and error-as-approved:<reason>`;
    throw new BadRequest(`${JSON.stringify(outcome)} is no outcome; there are ${names}.`);
  });
  return { outcomes, customerEmail: asked.data.customerEmail ?? null };
}

function webhookOf(body: unknown): { transId: string; event: string } {
  const asked = Webhook.safeParse(jsonOf(body));
  if (!asked.success) throw new BadRequest('The body is {"transId": "...", "event": "..."}.');
  const event = eventNameOf(asked.data.event);
  if (!event) throw new BadRequest(`${JSON.stringify(asked.data.event)} is no event of the gateway.`);
  return { transId: asked.data.transId, event };
}
