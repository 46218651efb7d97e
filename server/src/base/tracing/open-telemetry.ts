// Traces over OTLP. The SDK reads its own settings (OTEL_*) from the environment.

import { AsyncLocalStorage } from 'node:async_hooks';
import { type Span as OtelSpan, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { version } from '../version.ts';
import { within } from '../within.ts';
import { readTraceparent, writeTraceparent } from './traceparent.ts';
import type { Span, Tracing } from './tracing.ts';

/** A collector that hangs must not delay the stop. */
const stopMs = 2_000;
const kinds = { server: SpanKind.SERVER, producer: SpanKind.PRODUCER, client: SpanKind.CLIENT } as const;

type Options = {
  url: string;
  /** Called once until sending succeeds again. */
  onProblem: (error: unknown) => void;
};

/** Timers keep it as their context after its end. */
type Running = { readonly span: OtelSpan; ended: boolean };

export function createTracing({ url, onProblem }: Options): Tracing {
  const active = new AsyncLocalStorage<Running>();
  const current = () => {
    const running = active.getStore();
    return running?.ended ? undefined : running?.span;
  };
  const resource = resourceFromAttributes({ 'service.name': 'concord', 'service.version': version });
  const provider = new BasicTracerProvider({
    resource: resource.merge(detectResources({ detectors: [envDetector] })),
    // Its queue is bounded (OTEL_BSP_MAX_QUEUE_SIZE, 2048). Further spans are dropped.
    spanProcessors: [new BatchSpanProcessor(reporting(new OTLPTraceExporter({ url }), onProblem))],
  });
  const tracer = provider.getTracer('concord', version);

  function toSpan(span: OtelSpan): Span {
    const running: Running = { span, ended: false };
    return {
      traceparent: writeTraceparent(span.spanContext()),
      run: (work) => active.run(running, work),
      setAttributes: (attributes) => void span.setAttributes(attributes),
      end(error) {
        running.ended = true;
        if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: nameOf(error) });
        span.end();
      },
    };
  }

  const contextOf = (span: OtelSpan | undefined) => (span ? trace.setSpan(ROOT_CONTEXT, span) : ROOT_CONTEXT);

  return {
    isOn: true,
    start(name, { kind, attributes = {}, parent, linkTo }) {
      const remote = readTraceparent(parent);
      const linked = readTraceparent(linkTo);
      const context =
        linkTo !== undefined
          ? ROOT_CONTEXT
          : remote
            ? trace.setSpanContext(ROOT_CONTEXT, remote)
            : contextOf(current());
      return toSpan(
        tracer.startSpan(
          name,
          { kind: kinds[kind], attributes, ...(linked && { links: [{ context: linked }] }) },
          context,
        ),
      );
    },
    statement(name, startedAt, error) {
      const parent = current();
      if (!parent?.isRecording()) return;
      const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name };
      const span = tracer.startSpan(
        name,
        { kind: SpanKind.CLIENT, startTime: startedAt, attributes },
        contextOf(parent),
      );
      toSpan(span).end(error);
    },
    ids() {
      const context = current()?.spanContext();
      return context && { trace_id: context.traceId, span_id: context.spanId };
    },
    stop: () => within(stopMs, provider.shutdown().catch(onProblem), () => {}),
  };
}

/** An error's message can hold values of a statement. */
function nameOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code ?? name ?? 'error');
}

const succeeded = 0;

function reporting(exporter: SpanExporter, onProblem: (error: unknown) => void): SpanExporter {
  let failing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== succeeded;
        if (failed && !failing) onProblem(result.error ?? new Error('The collector refused spans'));
        failing = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  };
}
