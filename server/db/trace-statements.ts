import type pg from "pg";
import { kindOf, tracing } from "#server/base/tracing.ts";

const maxTextLength = 1000;

/** Traces the statement by its text; parameters are never recorded. */
export function tracedStatement<Result>(config: unknown, query: () => Promise<Result>): Promise<Result> {
  const tracer = tracing();
  if (!tracer) return query();
  const text = textOf(config);
  const operation = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? "QUERY";
  const table = /\b(?:from|into|update)\s+"?(\w+)"?/i.exec(text)?.[1];
  const span = tracer.startSpan("call", table ? `${operation} ${table}` : operation, {
    "db.system.name": "postgresql",
    "db.operation.name": operation,
    ...(table && { "db.collection.name": table }),
    "db.query.text": withoutValues(text).slice(0, maxTextLength),
  });
  if (!span) return query();
  return query().then(
    (result) => {
      span.end();
      return result;
    },
    (error) => {
      span.end(kindOf(error));
      throw error;
    },
  );
}

/** Traces the statements of a client until `untraceStatementsOf`. */
export function traceStatementsOf(client: pg.PoolClient): pg.PoolClient {
  if (!tracing()) return client;
  const query = client.query.bind(client) as (...words: unknown[]) => Promise<pg.QueryResult>;
  return Object.assign(client, {
    query: (...words: unknown[]) => tracedStatement(words[0], () => query(...words)),
  });
}

export function untraceStatementsOf(client: pg.PoolClient): void {
  if (Object.hasOwn(client, "query")) Reflect.deleteProperty(client, "query");
}

function textOf(config: unknown): string {
  if (typeof config === "string") return config;
  return typeof config === "object" && config !== null && "text" in config ? String(config.text) : "";
}

/** @internal */
export function withoutValues(text: string): string {
  return text.replace(/'(?:[^']|'')*'/g, "?").replace(/(?<![\w$."])\d[\d.]*/g, "?");
}
