import type { Clock } from "#server/base/clock.ts";
import { keepSetting, readSetting, type Store } from "./store.ts";

/** The state of the clock, as followers in other processes receive it. */
export interface ClockState {
  readonly offsetMs: number;
  /** The number of the last move of this process, which followers acknowledge. */
  readonly move: number;
}

export interface SandboxClock extends Clock {
  /**
   * Moves the time forward. Resolves when every listener in this process and every follower in another one has
   * finished what is due, or failed. Failures are reported.
   */
  moveTo(target: Date, report: (error: unknown) => void): Promise<void>;
  /** Sends the state to a follower, now and after each move, until it leaves. */
  follow(tell: (followerId: string, state: ClockState) => void): Follower;
  acknowledge(followerId: string, move: number): void;
}

export interface Follower {
  leave(): void;
}

/** How long a move waits for a follower that neither finishes nor leaves. */
const FOLLOWER_TIMEOUT_MS = 600_000;

export function sandboxClock(store: Store): SandboxClock {
  let offsetMs = Number(readSetting(store, "clock-offset-ms") ?? 0);
  let move = 0;
  // At most one waiting move for each request in flight, of about 300 bytes.
  let queue: Promise<void> = Promise.resolve();
  // At most one entry for each academy of this process.
  const listeners: (() => Promise<void>)[] = [];
  // At most one entry for each open stream, of about 1 kB.
  const followers = new Map<string, FollowerState>();
  const now = () => new Date(Date.now() + offsetMs);

  async function moveTo(target: Date, report: (error: unknown) => void): Promise<void> {
    const ahead = target.getTime() - now().getTime();
    // Of two concurrent moves the second may find the time past its target.
    if (ahead > 0) {
      offsetMs += ahead;
      keepSetting(store, "clock-offset-ms", String(offsetMs));
    }
    move += 1;
    const acknowledged = [...followers.values()].map((follower) => follower.tellAndWait({ offsetMs, move }));
    for (const listener of listeners) await listener().catch(report);
    await Promise.all(acknowledged);
  }

  return {
    now,
    onMove(listener) {
      listeners.push(listener);
    },
    moveTo(target, report) {
      queue = queue.then(() => moveTo(target, report));
      return queue;
    },
    follow(tell) {
      const id = crypto.randomUUID();
      const follower = followerState((state) => tell(id, state));
      followers.set(id, follower);
      tell(id, { offsetMs, move });
      return {
        leave() {
          followers.delete(id);
          follower.acknowledge(Number.POSITIVE_INFINITY);
        },
      };
    },
    acknowledge(followerId, acknowledgedMove) {
      followers.get(followerId)?.acknowledge(acknowledgedMove);
    },
  };
}

interface FollowerState {
  tellAndWait(state: ClockState): Promise<void>;
  acknowledge(move: number): void;
}

function followerState(tell: (state: ClockState) => void): FollowerState {
  // At most one entry: moves wait for each other.
  const waiting = new Map<number, () => void>();
  return {
    tellAndWait(state) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, FOLLOWER_TIMEOUT_MS);
      waiting.set(state.move, () => {
        clearTimeout(timer);
        resolve();
      });
      tell(state);
      return promise;
    },
    acknowledge(move) {
      for (const [awaited, done] of waiting) {
        if (awaited > move) continue;
        waiting.delete(awaited);
        done();
      }
    },
  };
}

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of "30d", "1d12h" or "90s"; null for any other text. */
export function durationOf(text: string): number | null {
  if (!/^(\d{1,15}(ms|s|m|h|d))+$/.test(text)) return null;
  const parts = [...text.matchAll(/(\d+)(ms|s|m|h|d)/g)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (unitsMs[unit ?? ""] ?? 0), 0);
}
