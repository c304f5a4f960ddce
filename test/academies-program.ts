import { type Academy, openAcademy } from "#server/academy.ts";
import { readConfig } from "#server/context/config.ts";
import { openLog } from "#server/process/log.ts";
import type { Order, Report } from "./academies.ts";

/** Runs academies on behalf of the parent process. */

const running = new Map<number, Academy>();

process.on("message", async ({ academy: number, environment }: Order) => {
  const report = (report: Report) => process.connected && process.send?.(report);
  try {
    if (environment) {
      const config = readConfig(environment);
      const write = (line: string) => report({ academy: number, line: line.trimEnd() });
      const academy = openAcademy(config, openLog(config.logLevel, { write }));
      running.set(number, academy);
      await academy.ready;
    } else {
      await running.get(number)?.close();
      running.delete(number);
    }
    report({ academy: number, error: null });
  } catch (error) {
    report({ academy: number, error: error instanceof Error ? String(error.stack) : String(error) });
  }
});
process.on("disconnect", () => process.exit());
