import { setTimeout as wait } from "node:timers/promises";

/**
 * Asks again until there is an answer, for what the product does in its own time.
 * @throws Error after `seconds`, which only a hang takes, so that a test fails with a sentence.
 */
export async function until<Value>(
  ask: () => Promise<Value | undefined | null | false>,
  seconds = 300,
): Promise<Value> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > end) throw new Error(`nothing within ${seconds} s: ${ask}`);
    await wait(50);
  }
}
