import { onTestFinished } from "vitest";
import { runSandbox } from "./sandbox-in-process.ts";

/** A sandbox on a free port, which closes at the end of the calling test. */
export async function sandboxOfTest(options: Parameters<typeof runSandbox>[0] = {}) {
  const running = await runSandbox(options);
  onTestFinished(running.close);
  return running;
}
