import { DrizzleQueryError } from "drizzle-orm";
import pg from "pg";
import { explain, explainAndAdvise } from "#server/base/failures.ts";
import { OperatorError } from "#server/base/operator-error.ts";
import { Refusal } from "#server/base/refusal.ts";
import { isPrivilegeMissing } from "#server/db/db.ts";
import { isDatabaseAway } from "#server/db/unavailable.ts";

/**
 * What failed. Null for a bug, of which the stack says more.
 * @param hasAdvice whether it tells an operator what to do, and names environment variables
 * @param isCommand whether an operator's command failed, which uses files and services that this process doesn't
 */
export function sentenceFor(error: unknown, { hasAdvice = true, isCommand = true } = {}): string | null {
  if (!(error instanceof Error)) return null;
  const { message, cause } = error;
  const tell: typeof explain = hasAdvice ? explainAndAdvise : (...failure) => `${explain(...failure)}.`;
  if (error instanceof Refusal && cause) return `The file store cannot be used. ${tell(cause, "file store")}`;
  if (error instanceof OperatorError || error instanceof Refusal) return message;
  const isOfDatabase = error instanceof DrizzleQueryError || error instanceof pg.DatabaseError;
  if (isOfDatabase && isPrivilegeMissing(error)) {
    const reason = cause instanceof Error ? cause.message : message;
    return `The role of DATABASE_URL may not use the academy's tables (${reason}): run npm run db:migrate.`;
  }
  if (isOfDatabase && isDatabaseAway(error)) return `The database cannot be used. ${tell(error, "database")}`;
  return isCommand && ("code" in error || cause instanceof Error) ? tell(error, "any") : null;
}
