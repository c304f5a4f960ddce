import type { FastifyInstance, FastifyReply } from "fastify";
import { z } from "zod";
import { BadRequest, jsonOf } from "./bad-request.ts";
import { durationOf, type SandboxClock } from "./clock.ts";

const FAR_AHEAD_MS = 1000 * 365 * 86_400_000;
const STREAM_PULSE_MS = 60_000;

/**
 * Routes to read and move the clock, and for academies in other processes to follow it.
 * @param followers the addresses of the academies that follow now, oldest first; two may have the same
 */
export function clockRoutes(app: FastifyInstance, clock: SandboxClock, followers: Map<object, string>): void {
  const now = () => ({ now: clock.now().toISOString() });

  app.get("/clock", async () => now());
  app.post("/clock", async (request) => {
    const target = moveOf(request.body, clock.now());
    await clock.moveTo(target, (error) => request.log.error(error, "a listener failed after the clock was moved"));
    return now();
  });

  followRoute(app, clock, followers);

  app.post("/clock/ack", async (request, reply) => {
    const ack = Acknowledgement.safeParse(jsonOf(request.body));
    if (!ack.success) throw new BadRequest("An acknowledgement names its follower and the move, a whole number.");
    clock.acknowledge(ack.data.follower, ack.data.move);
    return reply.code(204).send();
  });
}

function followRoute(app: FastifyInstance, clock: SandboxClock, followers: Map<object, string>): void {
  // At most one entry for each open stream.
  const streams = new Set<FastifyReply>();
  app.addHook("preClose", async () => {
    for (const stream of streams) stream.raw.end();
  });
  app.get("/clock/follow", { exposeHeadRoute: false }, (request, reply) => {
    const academy = Follower.safeParse(request.query).data?.academy;
    if (academy) followers.set(reply, academy);
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
      followers.delete(reply);
      follower.leave();
    });
  });
}

/** Only loopback addresses: webhooks never leave this machine. */
const Follower = z.object({
  academy: z.url({ protocol: /^http$/, hostname: /^(localhost|127\.0\.0\.1|\[::1\])$/ }).optional(),
});
const Acknowledgement = z.object({ follower: z.string(), move: z.int() });
const Move = z.union([
  z.strictObject({ advance: z.string() }),
  z.strictObject({ set: z.iso.datetime({ offset: true }) }),
]);

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
