// What the client throws: an answer that is no success, or no answer at all.
import type { Error as ErrorBody } from './generated/types.gen.ts';

export type Fault = NonNullable<ErrorBody['errors']>[number];

type Details = {
  code: string;
  status?: number | null;
  requestId?: string | null;
  retryAfterMs?: number | null;
  faults?: readonly Fault[];
  cause?: unknown;
};

/**
 * Every failure of an operation. Only an abort by the caller's own `AbortSignal` throws something else: the
 * reason of the signal.
 */
export class ConcordError extends Error {
  override readonly name = 'ConcordError';
  /**
   * A code of docs/errors.md, or one of the client: `connection_failed`, `timeout`, `not_modified` (304, the
   * answer to `If-None-Match`), and `invalid_answer` for an answer that is not Concord's, for example a proxy's.
   */
  readonly code: string;
  /** The HTTP status. Null: there was no answer. */
  readonly status: number | null;
  /**
   * The `X-Request-Id` of the answer. Quote it when you report a problem. Null: there was no answer, or it
   * had none.
   */
  readonly requestId: string | null;
  /** How long Concord asks to wait before the next try, in milliseconds. Null: it does not say. */
  readonly retryAfterMs: number | null;
  /** What is wrong with the request, each with a JSON pointer (RFC 6901) into its body or its query. */
  readonly faults: readonly Fault[];

  constructor(
    message: string,
    { code, status = null, requestId = null, retryAfterMs = null, faults = [], cause }: Details,
  ) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
    this.faults = faults;
  }
}

/** The server sent nothing, or stopped in the middle of an answer. */
export function toFailure(cause: unknown): ConcordError {
  if (cause instanceof DOMException && cause.name === 'TimeoutError')
    return new ConcordError('Concord did not answer in time', { code: 'timeout', cause });
  return new ConcordError('Concord could not be reached', { code: 'connection_failed', cause });
}

/**
 * `error`: the parsed body of an answer that is no success, or why the body of a success could not be parsed.
 */
export function toConcordError(error: unknown, { status, headers }: Response): ConcordError {
  const requestId = headers.get('x-request-id');
  if (status === 304)
    return new ConcordError('Nothing has changed', { code: 'not_modified', status, requestId });
  if (!isErrorBody(error)) {
    const [place] = headers.get('location')?.split(/[?#]/) ?? [];
    return new ConcordError(
      `The answer ${status} is not from Concord${place ? `: it leads to ${place}` : ''}`,
      {
        code: 'invalid_answer',
        status,
        requestId,
        cause: error,
      },
    );
  }
  const { message, code, errors: faults = [] } = error;
  const askedMs = readRetryAfter(headers);
  const retryAfterMs = Number.isNaN(askedMs) ? null : Math.max(askedMs, 0);
  return new ConcordError(message, { code, status, requestId, retryAfterMs, faults });
}

/** In milliseconds. It is in seconds or a date (RFC 9110, section 10.2.3). NaN: there is none. */
export function readRetryAfter(headers: Headers): number {
  const text = headers.get('retry-after') ?? '';
  return /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
}

const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === 'object' &&
  body !== null &&
  'code' in body &&
  typeof body.code === 'string' &&
  'message' in body &&
  typeof body.message === 'string' &&
  (!('errors' in body) || Array.isArray(body.errors));
