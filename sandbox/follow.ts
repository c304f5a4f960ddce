import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Clock } from "#server/base/clock.ts";

/** The services of a sandbox in another process. */
export interface FollowedSandbox {
  /** While the sandbox is away the last known offset counts. */
  readonly clock: Clock;
  readonly smtpUrl: string;
  readonly gateway: SandboxAddresses["gateway"];
  readonly video: SandboxAddresses["video"];
  close(): Promise<void>;
}

export type SandboxAddresses = z.infer<typeof Addresses>;

const Addresses = z.object({
  smtpUrl: z.string(),
  gateway: z.object({
    environment: z.literal("demo"),
    apiUrl: z.string(),
    scriptUrl: z.string(),
    apiLoginId: z.string(),
    transactionKey: z.string(),
    clientKey: z.string(),
    signatureKey: z.string(),
  }),
  video: z.object({ youtube: z.string(), vimeo: z.string(), bunny: z.string(), mux: z.string() }),
});
const ClockEvent = z.object({ follower: z.string(), offsetMs: z.number(), move: z.number() });

const FIRST_TRIES = 6;
const MAX_PAUSE_MS = 5000;

/**
 * Follows the clock of the sandbox at `url`: whoever moves it also waits for this process's listeners.
 * @param academyUrl where its webhooks go from now on
 * @throws Error with a sentence when no sandbox answers within a few seconds
 */
export async function followSandbox(url: string, academyUrl: string): Promise<FollowedSandbox> {
  const addresses = await addressesOf(url);
  const follower = new ClockFollower(url, academyUrl);
  await follower.join();
  const clock: Clock = { now: () => follower.now(), onMove: (listener) => follower.onMove(listener), jumps: true };
  return { clock, ...addresses, close: () => follower.leave() };
}

class ClockFollower {
  private readonly url: string;
  private readonly academyUrl: string;
  private readonly leaving = new AbortController();
  /** At most one entry for each academy of this process. */
  private readonly listeners: (() => Promise<void>)[] = [];
  private offsetMs: number | null = null;
  private working: Promise<void> = Promise.resolve();
  private following: Promise<void> = Promise.resolve();

  constructor(url: string, academyUrl: string) {
    this.url = url;
    this.academyUrl = academyUrl;
  }

  now(): Date {
    return new Date(Date.now() + (this.offsetMs ?? 0));
  }

  onMove(listener: () => Promise<void>): void {
    this.listeners.push(listener);
  }

  /** Resolves when the time of the sandbox is known, which is followed until `leave`. */
  async join(): Promise<void> {
    const first = Promise.withResolvers<void>();
    this.following = this.follow(first);
    await first.promise.catch((error: unknown) => {
      this.leaving.abort();
      throw error;
    });
  }

  async leave(): Promise<void> {
    this.leaving.abort();
    await this.following;
  }

  private async follow(first: PromiseWithResolvers<void>): Promise<void> {
    for (let tries = 0; !this.leaving.signal.aborted; tries += 1) {
      await this.followOnce(() => {
        tries = 0;
        first.resolve();
      }).catch(() => {});
      if (tries >= FIRST_TRIES) first.reject(unreachable(this.url));
      await pause(tries, this.leaving.signal);
    }
  }

  private async followOnce(joined: () => void): Promise<void> {
    const query = new URLSearchParams({ academy: this.academyUrl });
    const response = await fetch(`${this.url}/sandbox/api/clock/follow?${query}`, { signal: this.leaving.signal });
    if (!response.ok || !response.body) throw new Error(`The sandbox answered ${response.status}.`);
    let text = "";
    let greeting = true;
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const events = text.split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) {
        if (!event.startsWith("data: ")) continue;
        this.take(ClockEvent.parse(JSON.parse(event.slice("data: ".length))), greeting);
        greeting = false;
        joined();
      }
    }
  }

  /** Sets the time at once, also while listeners are busy with an earlier move. */
  private take(event: z.infer<typeof ClockEvent>, greeting: boolean): void {
    // The first event of a connection counts as a move only if one was missed between connections.
    const moved = !greeting || (this.offsetMs !== null && event.offsetMs > this.offsetMs);
    // A sandbox that was reset starts at offset 0; our time never goes back.
    this.offsetMs = Math.max(this.offsetMs ?? 0, event.offsetMs);
    // Ignores a failed acknowledgement: the sandbox is away, or continues after its timeout.
    this.working = this.working.then(() => this.workOff(event, moved)).catch(() => {});
  }

  private async workOff({ follower, move }: z.infer<typeof ClockEvent>, moved: boolean): Promise<void> {
    if (moved) for (const listener of this.listeners) await listener().catch(reportFailure);
    await fetch(`${this.url}/sandbox/api/clock/ack`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ follower, move }),
      signal: this.leaving.signal,
    });
  }
}

async function addressesOf(url: string): Promise<SandboxAddresses> {
  for (let tries = 0; tries < FIRST_TRIES; tries += 1) {
    const response = await fetch(`${url}/sandbox/api`).catch(() => null);
    if (response?.ok) return Addresses.parse(await response.json());
    await pause(tries);
  }
  throw unreachable(url);
}

/** Waits 100 ms, 200 ms, 400 ms and so on, up to 5 seconds, or until the follower leaves. */
async function pause(tries: number, signal?: AbortSignal): Promise<void> {
  const milliseconds = Math.min(100 * 2 ** tries, MAX_PAUSE_MS);
  await sleep(milliseconds, undefined, signal ? { signal } : {}).catch(() => {});
}

function unreachable(url: string): Error {
  return new Error(`No sandbox answers at ${url}. \`npm run sandbox\` starts one.`);
}

function reportFailure(error: unknown): void {
  console.error("A listener failed after the clock was moved:", error);
}
