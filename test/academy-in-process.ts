import { type Academy as Opened, openAcademy } from "#server/academy.ts";
import { readConfig } from "#server/config.ts";
import { openLog } from "#server/process/log.ts";
import { type Academy, openWith } from "./academy.ts";
import type { TestDatabase } from "./postgres.ts";

export type AcademyInProcess = Omit<Academy, "pid" | "kill">;

/**
 * As `openAcademy`, within the process of the test, which spares the start of another: for whatever needs neither a
 * kill nor a signal nor memory of its own.
 */
export function openAcademyInProcess(
  env: Record<string, string> = {},
  shared?: TestDatabase,
): Promise<AcademyInProcess> {
  return openWith(
    (environment, log) => {
      let academy: Opened | undefined;
      return {
        pid: process.pid,
        async start() {
          const config = readConfig(environment);
          academy = openAcademy(config, openLog(config.logLevel, { write: (line) => log.push(line.trimEnd()) }));
          await academy.ready;
        },
        async end() {
          await academy?.close();
          return 0;
        },
      };
    },
    env,
    shared,
  );
}
