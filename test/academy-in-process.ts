import type { FastifyInstance } from "fastify";
import { type Academy as Opened, openAcademy } from "#server/academy.ts";
import { readConfig } from "#server/context/config.ts";
import { openLog } from "#server/process/log.ts";
import { openWith, type RunningAcademy } from "./academy.ts";
import type { TestDatabase } from "./postgres.ts";

export interface AcademyInProcess extends RunningAcademy {
  /** What its server answers, without a socket in between. A whole address says the Host, too. */
  inject: FastifyInstance["inject"];
}

/**
 * As `openAcademy`, within the process of the test, which spares the start of another: for whatever needs neither a
 * kill nor a signal nor memory of its own.
 */
export async function openAcademyInProcess(
  env: Record<string, string> = {},
  shared?: TestDatabase,
): Promise<AcademyInProcess> {
  let server: FastifyInstance | undefined;
  const academy = await openWith(
    (environment, log) => {
      let academy: Opened | undefined;
      return {
        pid: process.pid,
        async start() {
          const config = readConfig(environment);
          academy = openAcademy(config, openLog(config.logLevel, { write: (line) => log.push(line.trimEnd()) }));
          server = await academy.ready;
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
  return Object.assign(academy, { inject: server?.inject.bind(server) as FastifyInstance["inject"] });
}
