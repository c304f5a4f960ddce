import { setTimeout as wait } from "node:timers/promises";

/**
 * Polls until there is a result, for work that the product does in the background.
 * @throws Error after `seconds`, which only a hang reaches, so that a test fails with a message.
 */
export async function until<Value>(
  ask: () => Promise<Value | undefined | null | false>,
  seconds = 300,
): Promise<Value> {
  const end = performance.now() + seconds * 1000;
  let pause = 20;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > end) throw new Error(`nothing within ${seconds} s: ${ask}`);
    await wait(pause);
    pause = Math.min(pause * 1.5, 500);
  }
}
