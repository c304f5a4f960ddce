import { DrizzleQueryError } from "drizzle-orm";
import pg from "pg";
import { OperatorError } from "#server/base/operator-error.ts";

/** The message is for the operator. */
export class DatabaseUnavailable extends OperatorError {
  override name = "DatabaseUnavailable";

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

/** Also without connections or disk space, or when a time limit has passed. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const cause = (error instanceof DrizzleQueryError ? error.cause : error) as
    | (Error & { code?: string; syscall?: string })
    | undefined;
  const code = cause?.code ?? "";
  // A file that is missing says ENOENT as well as a socket does.
  if (code === "ENOENT") return cause?.syscall === "connect";
  return (
    /^(08|26000|40|53|55P03|57P|57014|ECONN|EPIPE)/.test(code) ||
    /connection (terminated|timeout)|timeout e(xpired|xceeded when trying to connect)|query read timeout|client (has encountered a connection error|was closed)/i.test(
      cause?.message ?? "",
    )
  );
}

/** A transaction that ended so may be in force all the same: PostgreSQL has not said that it failed. */
export function isAnswerLost(error: unknown): boolean {
  const cause = error instanceof DrizzleQueryError ? error.cause : error;
  return isDatabaseAway(error) && !(cause instanceof pg.DatabaseError && !cause.code?.startsWith("57P"));
}
