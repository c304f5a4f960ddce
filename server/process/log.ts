import { type Logger, pino } from "pino";

/**
 * The log: one JSON line for each event on standard output. Of an error it keeps what leads to the cause and leaves out
 * the rest: a database error's detail holds the values of the row, which are people's addresses and names.
 */
export function openLog(level: string): Logger {
  return pino({
    level,
    base: null,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describe },
  });
}

function describe(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack, cause } = error;
  const code = "code" in error ? { code: error.code } : {};
  return { type: name, message, ...code, stack, ...(cause !== undefined && { cause: describe(cause) }) };
}
