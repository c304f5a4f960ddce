import { DrizzleQueryError } from "drizzle-orm";
import pg from "pg";
import { explainAndAdvise } from "#server/base/failures.ts";
import { OperatorError } from "#server/base/operator-error.ts";

/** The message tells the operator what is wrong. */
export class DatabaseUnavailable extends OperatorError {
  override name = "DatabaseUnavailable";

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

export function cannotUse(error: unknown): DatabaseUnavailable {
  return new DatabaseUnavailable(`The database cannot be used. ${explainAndAdvise(error, "database")}`, error);
}

/** Whether the database cannot serve: it is unreachable, out of connections or disk space, or too slow. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const cause = (error instanceof DrizzleQueryError ? error.cause : error) as
    | (Error & { code?: string; syscall?: string })
    | undefined;
  const code = cause?.code ?? "";
  // ENOENT counts for a socket only: missing files have it too.
  if (code === "ENOENT") return cause?.syscall === "connect";
  return (
    /^(08|26000|40|53|55P03|57P|57014|ECONN|EPIPE)/.test(code) ||
    /connection (terminated|timeout)|timeout e(xpired|xceeded when trying to connect)|query read timeout|client (has encountered a connection error|was closed)/i.test(
      cause?.message ?? "",
    )
  );
}

/** Whether the connection broke before an answer. A transaction that ended so may have been committed. */
export function isAnswerLost(error: unknown): boolean {
  const cause = error instanceof DrizzleQueryError ? error.cause : error;
  return isDatabaseAway(error) && !(cause instanceof pg.DatabaseError && !cause.code?.startsWith("57P"));
}
