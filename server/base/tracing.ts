/** What a span may say: names and numbers of ours, never what people wrote or who they are. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

export type SpanKind = "request" | "call" | "job";

/** One step of a trace, under way until `end`. */
export interface Span {
  /** Steps that the work begins are parts of this one. */
  within<Result>(work: () => Result): Result;
  add(facts: SpanFacts): void;
  /** @param failure what went wrong, by its kind alone. */
  end(failure?: string): void;
}

export interface Tracing {
  /** A trace of its own, or the next step of the one that `from` names. */
  begin(kind: SpanKind, name: string, facts: SpanFacts, from?: Origin): Span;
  /** A part of the step that is under way; null when none is. */
  part(kind: SpanKind, name: string, facts: SpanFacts): Span | null;
  /** The step that is under way, as W3C's traceparent; null when none is. */
  here(): string | null;
}

export interface Origin {
  readonly traceparent: string;
  /** It is long over: the trace begins anew, and names this one. */
  readonly isPast: boolean;
}

/** Of this process, as everything in it is traced or nothing is; null: nothing is, at no cost. */
let current: Tracing | null = null;

export function traceWith(tracing: Tracing | null): void {
  current = tracing;
}

export function tracing(): Tracing | null {
  return current;
}

/** Of what went wrong, without its words. */
export function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { code } = (error.cause ?? error) as { code?: unknown };
  return typeof code === "string" ? code : error.name;
}
