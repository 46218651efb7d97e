// What features need of tracing. Without a collector it does nothing, and nothing of OpenTelemetry is loaded.

/** A step of a trace. */
export type Span = {
  /** The header that continues the trace elsewhere (W3C Trace Context). Null: nothing is traced. */
  readonly traceparent: string | null;
  /**
   * Runs work whose statements and spans belong to this span, until it ends. Work that goes on then is in no
   * trace.
   */
  run<T>(work: () => T): T;
  setAttributes(attributes: Attributes): void;
  /** `error` undefined: it has succeeded. */
  end(error?: unknown): void;
};

/** Never values of parameters, texts of bodies, or names of people. */
type Attributes = Readonly<Record<string, string | number>>;

type SpanOptions = {
  kind: 'server' | 'producer' | 'client';
  attributes?: Attributes;
  /**
   * The traceparent of the caller. What is not a valid one is ignored. By default the active span is the
   * parent.
   */
  parent?: string | undefined;
  /** A trace of its own, with a link to this traceparent. */
  linkTo?: string | null;
};

export type Tracing = {
  readonly isOn: boolean;
  start(name: string, options: SpanOptions): Span;
  /** Adds a statement to the active span, if there is one. `startedAt` is of `performance.now()`. */
  statement(name: string, startedAt: number, error: unknown): void;
  /** The ids of the active span, for log lines. */
  ids(): { trace_id: string; span_id: string } | undefined;
  /** Sends what is left, for two seconds at most. */
  stop(): Promise<void>;
};

const noSpan: Span = { traceparent: null, run: (work) => work(), setAttributes() {}, end() {} };

export const noTracing: Tracing = {
  isOn: false,
  start: () => noSpan,
  statement() {},
  ids: () => undefined,
  async stop() {},
};

/** Runs work in a span that ends with it. */
export async function inSpan<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
