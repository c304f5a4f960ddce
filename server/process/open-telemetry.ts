import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as delay } from "node:timers/promises";
import {
  SpanKind as Kind,
  type Link,
  type Span as OpenTelemetrySpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import { SECOND } from "#server/base/clock.ts";
import type { Origin, Span, SpanFacts, SpanKind, Tracing } from "#server/base/tracing.ts";

export interface TraceConfig {
  /** The address of an OTLP receiver, without the path of a signal. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** The part of requests and jobs that is traced, from 0 to 1. */
  readonly ratio: number;
}

export interface OpenTracing {
  readonly tracing: Tracing;
  /** Sends the remaining spans, within two seconds. */
  close(): Promise<void>;
}

const sendTimeout = 5 * SECOND;
const lastSendWithin = 2 * SECOND;

/** Buffers at most 2,048 spans and sends them in the background. Spans that cannot be sent are dropped. */
export function openTracing(config: TraceConfig, log: Logger): OpenTracing {
  const url = `${config.endpoint.replace(/\/$/, "")}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, headers: config.headers, timeoutMillis: sendTimeout });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": config.serviceName }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: reporting(exporter, log) })],
  });
  return {
    tracing: new OtelTracing(provider.getTracer("academy")),
    close: () => Promise.race([provider.shutdown().catch(() => {}), delay(lastSendWithin, undefined, { ref: false })]),
  };
}

/** Logs once when spans begin to be lost, and once when they arrive again. */
function reporting(exporter: SpanExporter, log: Logger): SpanExporter {
  let isLosing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const isLost = result.code !== 0;
        if (isLost && !isLosing) log.warn("traces are lost: OTEL_EXPORTER_OTLP_ENDPOINT does not take them");
        if (!isLost && isLosing) log.info("traces are taken again");
        isLosing = isLost;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

const kinds: Readonly<Record<SpanKind, Kind>> = { request: Kind.SERVER, call: Kind.CLIENT, job: Kind.CONSUMER };

class OtelTracing implements Tracing {
  private readonly tracer: Tracer;
  private readonly underWay = new AsyncLocalStorage<OpenTelemetrySpan>();

  constructor(tracer: Tracer) {
    this.tracer = tracer;
  }

  startTrace(kind: SpanKind, name: string, facts: SpanFacts, from?: Origin): Span {
    const origin = from ? originOf(from.traceparent) : null;
    const links: Link[] = origin && from?.isPast ? [{ context: origin }] : [];
    const context = origin && !from?.isPast ? trace.setSpanContext(ROOT_CONTEXT, origin) : ROOT_CONTEXT;
    return this.wrap(this.tracer.startSpan(name, { kind: kinds[kind], attributes: facts, links }, context));
  }

  startSpan(kind: SpanKind, name: string, facts: SpanFacts): Span | null {
    const parent = this.underWay.getStore();
    if (!parent?.isRecording()) return null;
    const context = trace.setSpan(ROOT_CONTEXT, parent);
    return this.wrap(this.tracer.startSpan(name, { kind: kinds[kind], attributes: facts }, context));
  }

  traceparent(): string | null {
    const span = this.underWay.getStore();
    if (!span) return null;
    const { traceId, spanId, traceFlags } = span.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags & TraceFlags.SAMPLED ? "01" : "00"}`;
  }

  private wrap(span: OpenTelemetrySpan): Span {
    return {
      within: (work) => this.underWay.run(span, work),
      add: (facts) => void span.setAttributes(facts),
      end(failure) {
        if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute("error.type", failure);
        span.end();
      },
    };
  }
}

function originOf(traceparent: string): SpanContext | null {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent) ?? [];
  if (!traceId || !spanId || !flags) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}
