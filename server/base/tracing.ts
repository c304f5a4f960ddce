/** Attributes of a span: our own names and numbers, never what people wrote or who they are. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

export type SpanKind = "request" | "call" | "job";

/** One operation of a trace, open until `end`. */
export interface Span {
  /** Spans that the work starts are children of this one. */
  within<Result>(work: () => Result): Result;
  add(facts: SpanFacts): void;
  /** @param failure what went wrong, by its kind alone. */
  end(failure?: string): void;
}

export interface Tracing {
  /** Starts a trace, or continues the one that `from` names. */
  startTrace(kind: SpanKind, name: string, facts: SpanFacts, from?: Origin): Span;
  /** Starts a child of the current span; null when there is none. */
  startSpan(kind: SpanKind, name: string, facts: SpanFacts): Span | null;
  /** The current span as a W3C traceparent; null when there is none. */
  traceparent(): string | null;
}

export interface Origin {
  readonly traceparent: string;
  /** It ended long ago: a new trace starts and links to it. */
  readonly isPast: boolean;
}

/** Set for the whole process; null: nothing is traced, at no cost. */
let current: Tracing | null = null;

export function traceWith(tracing: Tracing | null): void {
  current = tracing;
}

export function tracing(): Tracing | null {
  return current;
}

/** The kind of an error, without its message. */
export function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { code } = (error.cause ?? error) as { code?: unknown };
  return typeof code === "string" ? code : error.name;
}
