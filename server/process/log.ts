import { DrizzleQueryError } from "drizzle-orm";
import pg from "pg";
import { type DestinationStream, type Logger, type LoggerOptions, pino } from "pino";
import { Refusal } from "#server/base/refusal.ts";
import { isDatabaseAway } from "#server/db/unavailable.ts";

/**
 * Drops SQL and details of database errors, which contain people's data. During an outage writes one line a second,
 * with a count, and every fatal line, which says why the process ends.
 */
export function openLog(level: string, destination?: DestinationStream): Logger {
  // At most 2 entries, one for each kind of trouble.
  const last = new Map<string, { at: number; left: number }>();
  const options: LoggerOptions = {
    level,
    base: null,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describe },
    hooks: {
      logMethod(args, method, severity) {
        const [fields] = args as [unknown];
        const isFatal = pino.levels.labels[severity] === "fatal";
        const kind = isObject(fields) && !isFatal ? commonTrouble(fields.err) : null;
        if (kind === null || !isObject(fields)) return method.apply(this, args);
        const now = performance.now();
        const before = last.get(kind);
        if (before && now - before.at < 1000) {
          before.left += 1;
          return undefined;
        }
        last.set(kind, { at: now, left: 0 });
        if (before?.left) fields.leftOut = before.left;
        return method.apply(this, args);
      },
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function commonTrouble(error: unknown): string | null {
  if (isDatabaseAway(error)) return "database";
  return error instanceof Refusal && error.code === "unavailable" && error.cause === undefined ? "busy" : null;
}

function describe(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, cause } = error;
  const message = messageOf(error);
  const code = "code" in error ? { code: error.code } : {};
  // The stack begins with the original message.
  const stack = error.stack?.slice(error.stack.indexOf("\n    at ") + 1);
  return { type: name, message, ...code, stack, ...(cause !== undefined && { cause: describe(cause) }) };
}

function messageOf(error: Error): string {
  if (error instanceof DrizzleQueryError) return "a query failed";
  // For a value of the wrong type PostgreSQL's message repeats the value after a colon.
  if (error instanceof pg.DatabaseError && error.code?.startsWith("22")) return error.message.replace(/:.*/s, "");
  return error.message;
}
