import type { FastifyPluginAsync, FastifyReply } from "fastify";
import { z } from "zod";
import { BadRequest, jsonOf } from "./bad-request.ts";
import { durationOf, type SandboxClock } from "./clock.ts";
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
import { eventNameOf, sendNotification } from "./gateway/webhook.ts";
import { ledgerRoutes } from "./ledger-api.ts";
import { emptyMailbox, listMails } from "./mailbox.ts";
import type { Store } from "./store.ts";

export interface SandboxAddresses {
  readonly smtpUrl: string;
  readonly gateway: {
    readonly environment: "demo";
    readonly apiUrl: string;
    readonly scriptUrl: string;
    readonly apiLoginId: string;
    readonly transactionKey: string;
    readonly clientKey: string;
    readonly signatureKey: string;
  };
}

const FAR_AHEAD_MS = 1000 * 365 * 86_400_000;
const STREAM_PULSE_MS = 60_000;

/** The sandbox's own API: for tests, for the page and for academies in other processes. Not part of any provider. */
export function apiRoutes(parts: {
  store: Store;
  clock: SandboxClock;
  addresses: SandboxAddresses;
  academyUrl: string | null;
}): FastifyPluginAsync {
  const { store, clock, addresses, academyUrl } = parts;
  const now = () => ({ now: clock.now().toISOString() });

  return async (app) => {
    const streams = new Set<FastifyReply>();
    /** The academies that follow from other processes, in the order in which they came. */
    const followers = new Set<string>();
    app.addHook("preClose", async () => {
      for (const stream of streams) stream.raw.end();
    });

    app.addHook("onRequest", async (request, reply) => {
      reply.header("cache-control", "no-store");
      const reads = request.method === "GET" || request.method === "HEAD";
      if (!reads && request.headers["sec-fetch-site"] === "cross-site") {
        return reply.code(403).send({ message: "Pages of other sites may not change the sandbox." });
      }
    });

    app.get("/", async () => ({ ...addresses, ...now() }));

    app.get("/mails", async () => listMails(store).map(({ id: _id, ...mail }) => mail));
    app.delete("/mails", async (_request, reply) => {
      emptyMailbox(store);
      return reply.code(204).send();
    });

    await app.register(ledgerRoutes(store, clock), { prefix: "/gateway" });

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

    app.post("/gateway/webhook", async (request, reply) => {
      const { transId, event } = notificationOf(request.body);
      const transaction = currentTransaction(store, clock.now(), transId);
      if (!transaction) return reply.code(404).send({ message: `The ledger has no transaction ${transId}.` });
      const academy = [...followers].at(-1) ?? academyUrl;
      if (academy === null) {
        return reply.code(502).send({ message: "The sandbox does not know where the academy is." });
      }
      try {
        const notification = { event, transaction, at: clock.now() };
        return { status: await sendNotification(academy, merchant.signatureKey, notification) };
      } catch (error) {
        request.log.warn(error, "the academy did not take a notification");
        return reply.code(502).send({ message: `The academy at ${academy} did not answer.` });
      }
    });

    app.get("/clock", async () => now());
    app.post("/clock", async (request) => {
      const target = moveOf(request.body, clock.now());
      await clock.moveTo(target, (error) => request.log.error(error, "a listener failed after the clock was moved"));
      return now();
    });

    app.get("/clock/follow", { exposeHeadRoute: false }, (request, reply) => {
      const academy = Follower.safeParse(request.query).data?.academy;
      if (academy) followers.add(academy);
      reply.hijack();
      reply.raw.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      streams.add(reply);
      const pulse = setInterval(() => reply.raw.write(":\n\n"), STREAM_PULSE_MS);
      pulse.unref();
      const follower = clock.follow((id, state) => {
        reply.raw.write(`data: ${JSON.stringify({ follower: id, ...state })}\n\n`);
      });
      reply.raw.once("close", () => {
        clearInterval(pulse);
        streams.delete(reply);
        if (academy) followers.delete(academy);
        follower.leave();
      });
    });

    app.post("/clock/ack", async (request, reply) => {
      const ack = Acknowledgement.safeParse(jsonOf(request.body));
      if (!ack.success) throw new BadRequest("An acknowledgement names its follower and the move, a whole number.");
      clock.acknowledge(ack.data.follower, ack.data.move);
      return reply.code(204).send();
    });
  };
}

/** Notifications go to this machine only, whatever a follower says. */
const Follower = z.object({
  academy: z.url({ protocol: /^http$/, hostname: /^(localhost|127\.0\.0\.1|\[::1\])$/ }).optional(),
});
const Acknowledgement = z.object({ follower: z.string(), move: z.int() });
const Staging = z.strictObject({ outcomes: z.array(z.unknown()).max(1000), customerEmail: z.email().optional() });
const Notification = z.strictObject({ transId: z.string(), event: z.string() });
const Move = z.union([
  z.strictObject({ advance: z.string() }),
  z.strictObject({ set: z.iso.datetime({ offset: true }) }),
]);

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

function notificationOf(body: unknown): { transId: string; event: string } {
  const asked = Notification.safeParse(jsonOf(body));
  if (!asked.success) throw new BadRequest('The body is {"transId": "...", "event": "..."}.');
  const event = eventNameOf(asked.data.event);
  if (!event) throw new BadRequest(`${JSON.stringify(asked.data.event)} is no event of the gateway.`);
  return { transId: asked.data.transId, event };
}

function moveOf(body: unknown, now: Date): Date {
  const asked = Move.safeParse(jsonOf(body));
  if (!asked.success) throw new BadRequest('The body is {"advance": "30d"} or {"set": an ISO time}, one of them.');
  const target = "set" in asked.data ? Date.parse(asked.data.set) : now.getTime() + advanceOf(asked.data.advance);
  if (target < now.getTime()) throw new BadRequest("Time never goes back.");
  if (target > Date.now() + FAR_AHEAD_MS) throw new BadRequest("The sandbox goes at most a thousand years ahead.");
  return new Date(target);
}

function advanceOf(text: string): number {
  const milliseconds = durationOf(text);
  if (milliseconds === null)
    throw new BadRequest(`${JSON.stringify(text)} is no span of time; 30d, 12h, 1d12h or 500ms is.`);
  return milliseconds;
}
