import { DrizzleQueryError } from "drizzle-orm";
import pg from "pg";
import type { Logger } from "pino";
import { DataDirError } from "#server/process/data-dir.ts";
import { WrongDatabase } from "#server/process/database-mode.ts";
import { openLog } from "#server/process/log.ts";
import { type Academy, openAcademy } from "./academy.ts";
import { ConfigError, readConfig } from "./context/config.ts";
import { DatabaseUnavailable, isDatabaseAway } from "./db/unavailable.ts";
import { demoGuide } from "./demo-guide.ts";
import { StoreRefused } from "./files/store-state.ts";
import { NoPages } from "./http/pages/build.ts";
import { OperationRefused } from "./operations/reach.ts";
import { UnfinishedRestore } from "./operations/unfinished-restore.ts";

const operatorErrors = [
  ConfigError,
  DataDirError,
  DatabaseUnavailable,
  NoPages,
  OperationRefused,
  StoreRefused,
  UnfinishedRestore,
  WrongDatabase,
];

let academy: Academy | undefined;
try {
  const config = readConfig(process.env);
  const log = openLog(config.logLevel);
  academy = openAcademy(config, log);
  stopOnSignals(academy, log);
  await academy.ready;
  console.log(`Academy is ready: ${config.publicUrl}`);
  if (config.mode === "demo") console.log(demoGuide(config).join("\n"));
  // Starting leaves 20 MB behind, which an academy at rest would hold for hours.
  globalThis.gc?.({ type: "major", flavor: "last-resort" });
} catch (error) {
  console.error(sentenceFor(error));
  await academy?.close();
  process.exit(1);
}

function sentenceFor(error: unknown): string {
  if (error instanceof Error && operatorErrors.some((known) => error instanceof known)) return error.message;
  const { code, message, stack, cause } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") return "PORT is taken by another program. Stop it, or choose another PORT.";
  if (code === "EACCES" || code === "EADDRNOTAVAIL") return `HOST and PORT cannot be listened on: ${message}.`;
  // A failed query does not say by itself why it failed.
  const reason = cause instanceof Error ? cause.message : message;
  const isOfDatabase = error instanceof DrizzleQueryError || error instanceof pg.DatabaseError;
  if (isOfDatabase && isDatabaseAway(error)) return `The database cannot be used: ${reason || code}.`;
  return `${stack ?? error}${cause instanceof Error ? `\n${reason}` : ""}`;
}

/** A second signal does not wait. An error that nobody caught may have left anything half done: the process drains. */
function stopOnSignals(academy: Academy, log: Logger): void {
  const stop = async (exitCode: number) => {
    if (academy.life.stage === "draining") process.exit(1);
    const overdue = setTimeout(() => process.exit(1), 30_000);
    await academy.close().catch((error) => log.error({ err: error }, "could not close cleanly"));
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
