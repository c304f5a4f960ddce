import { SECOND } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { RateLimit } from "#server/db/rate-limits.ts";

/** At most 20,000 entries of about 100 bytes: 2 MB. */
const maxKeys = 20_000;

/**
 * A limit of this process alone, for what is asked too often to be counted by a write. The window begins with the first
 * use.
 * @returns counts a use before it happens, in milliseconds of a clock that only runs forward.
 * @throws Refusal too-many-requests
 */
export function limitInMemory({ max, window, message }: RateLimit): (key: string) => void {
  const uses = new Map<string, { count: number; endsAt: number }>();
  return (key) => {
    const now = performance.now();
    const known = uses.get(key);
    const use = known && known.endsAt > now ? known : { count: 0, endsAt: now + window };
    if (!known && uses.size >= maxKeys) uses.clear();
    uses.set(key, use);
    use.count += 1;
    if (use.count <= max) return;
    const retryAfterSeconds = Math.ceil((use.endsAt - now) / SECOND);
    throw new Refusal("too-many-requests", message, { retryAfterSeconds });
  };
}
