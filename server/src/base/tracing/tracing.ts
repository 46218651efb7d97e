// What features need of tracing. Without a collector it does nothing.

export type Span = {
  /** W3C Trace Context. Null: nothing is traced. */
  readonly traceparent: string | null;
  /** Work that goes on after the end is in no trace. */
  run<T>(work: () => T): T;
  setAttributes(attributes: Attributes): void;
  end(error?: unknown): void;
};

/** Never values of parameters, texts of bodies, or names of people. */
type Attributes = Readonly<Record<string, string | number>>;

type SpanOptions = {
  kind: 'server' | 'producer' | 'client';
  attributes?: Attributes;
  /** Ignored if not valid. By default the active span is the parent. */
  parent?: string | undefined;
  /** A trace of its own, with a link to this traceparent. */
  linkTo?: string | null;
};

export type Tracing = {
  readonly isOn: boolean;
  start(name: string, options: SpanOptions): Span;
  /** `startedAt`: of `performance.now()`. */
  statement(name: string, startedAt: number, error: unknown): void;
  ids(): { trace_id: string; span_id: string } | undefined;
  /** For two seconds at most. */
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
