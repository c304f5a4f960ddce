import type { Logger } from "pino";
import { explainAndAdvise } from "#server/base/failures.ts";
import { openLog } from "#server/process/log.ts";
import { sentenceFor } from "#server/process/sentence-for.ts";
import { type Academy, openAcademy } from "./academy.ts";
import { readConfig } from "./context/config.ts";
import { hintsAt } from "./context/environment.ts";
import { demoGuide } from "./demo-guide.ts";

let academy: Academy | undefined;
let isStopping = false;
try {
  const config = readConfig(process.env);
  const log = openLog(config.logLevel);
  for (const hint of hintsAt(process.env)) log.warn(hint);
  academy = openAcademy(config, log);
  stopOnSignals(academy, log);
  await academy.ready;
  console.log(`Academy is ready: ${config.publicUrl}`);
  if (config.mode === "demo") console.log(demoGuide(config).join("\n"));
  // Frees garbage of the start, which an idle academy would keep for hours: it takes 156 MB instead of 174.
  globalThis.gc?.({ type: "major", flavor: "last-resort" });
} catch (error) {
  await fail(error);
}

async function fail(error: unknown): Promise<void> {
  // A signal arrived before it served.
  if (isStopping) return;
  isStopping = true;
  console.error(describe(error));
  await academy?.close().catch((error) => console.error(describe(error)));
  process.exit(1);
}

function describe(error: unknown): string {
  const { code, syscall, stack, cause } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") return "PORT is taken by another program. Stop it, or choose another PORT.";
  if (code === "EACCES" || code === "EADDRNOTAVAIL" || syscall === "getaddrinfo") {
    return `HOST and PORT cannot be used. ${explainAndAdvise(error, "listening")}`;
  }
  // The cause says why a query failed.
  const reason = cause instanceof Error ? `\n${cause.message}` : "";
  return sentenceFor(error, { isCommand: false }) ?? `${stack ?? error}${reason}`;
}

/**
 * Drains on a signal and after an uncaught error, which may have left the process in any state. A second signal ends
 * it at once.
 */
function stopOnSignals(academy: Academy, log: Logger): void {
  const stop = async (exitCode: number) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    const overdue = setTimeout(() => process.exit(1), 30_000);
    await academy.close().catch((error) => log.fatal({ err: error }, "could not close cleanly"));
    clearTimeout(overdue);
    process.exit(exitCode);
  };
  process.on("SIGTERM", () => stop(0));
  process.on("SIGINT", () => stop(0));
  process.on("unhandledRejection", (error) => log.error({ err: error }, "a failure that nobody waited for"));
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "an error that nobody caught: the process ends");
    void stop(1);
  });
}
