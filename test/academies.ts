import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { openWith, type RunningAcademy } from "./academy.ts";
import { programEnv } from "./program-env.ts";

/** A request to the program: start the academy with this number and environment, or close it. */
export interface Order {
  readonly academy: number;
  readonly environment?: Record<string, string | undefined>;
}

/** A message of the program: a line of an academy's log, or the result of its last request. */
export type Report = { readonly academy: number } & (
  | { readonly line: string }
  | { readonly error: string | null; readonly line?: never }
);

/** A process that runs several academies. */
export interface Academies extends AsyncDisposable {
  /** Like `openAcademy`. Only the first academy loads the server's code, which takes most of a start. */
  readonly open: (env?: Record<string, string>) => Promise<RunningAcademy>;
}

export function openAcademies(): Academies {
  const program = fork(fileURLToPath(new URL("academies-program.ts", import.meta.url)), {
    env: programEnv,
    execArgv: [],
    serialization: "json",
  });
  const logs: string[][] = [];
  const waiting = new Map<number, PromiseWithResolvers<void>>();
  program.on("message", (report: Report) => {
    if (report.line !== undefined) logs[report.academy]?.push(report.line);
    else if (report.error === null) waiting.get(report.academy)?.resolve();
    else waiting.get(report.academy)?.reject(new Error(report.error));
  });
  program.once("exit", (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`the academies ended with ${code ?? signal}`));
  });
  const ended = once(program, "exit");

  async function order(order: Order): Promise<void> {
    const done = Promise.withResolvers<void>();
    waiting.set(order.academy, done);
    program.send(order);
    await done.promise.finally(() => waiting.delete(order.academy));
  }

  return {
    open: (env = {}) =>
      openWith((environment, log) => {
        const academy = logs.push(log) - 1;
        return {
          pid: program.pid ?? 0,
          start: () => order({ academy, environment }),
          async end() {
            await order({ academy });
            return 0;
          },
        };
      }, env),
    async [Symbol.asyncDispose]() {
      program.kill("SIGKILL");
      await ended;
    },
  };
}
