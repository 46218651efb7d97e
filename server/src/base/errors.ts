// Errors to answer a request with.
import { catalogue, type ErrorCode, type faultCodes } from './error-catalogue.ts';
import { cut } from './text.ts';

export type { ErrorCode } from './error-catalogue.ts';

/** A code of Node, or a SQLSTATE. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  codes.includes(codeOf(error));

/** Whether PostgreSQL names one of these constraints or unique indexes. */
export const violates = (error: unknown, ...constraints: readonly string[]): boolean =>
  constraints.includes(String((error as { constraint?: unknown } | null)?.constraint));

/** SQLSTATE classes 22 and 23: data exceptions and violated constraints. */
export const isAboutRows = (error: unknown): boolean => /^2[23]/.test(codeOf(error));

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code);

export type Fault = {
  readonly pointer: string;
  readonly code: keyof typeof faultCodes;
  readonly message: string;
};

/** `invalidRequest('/email', 'must be an e-mail address')` says `email must be an e-mail address`. */
export function invalidRequest(
  pointer: string,
  problem: string,
  code: Fault['code'] = 'invalid_value',
): ServiceError {
  return new ServiceError('invalid_request', { faults: [faultAt(pointer, problem, code)] });
}

/** 403 `forbidden`. The detail is public. */
export const forbidden = (detail: string): ServiceError => new ServiceError('forbidden', { detail });

/** `limit_reached`. The detail is public. */
export const tooMany = (detail: string): ServiceError => new ServiceError('limit_reached', { detail });

/** @throws ServiceError not_found: there is none, or the caller may not know of it */
export function requireFound<T>(found: T | null | undefined): T {
  if (found === null || found === undefined) throw new ServiceError('not_found');
  return found;
}

export function invalidHeader(name: string, problem: string): ServiceError {
  const message = `${name} ${problem}`;
  const fault = { pointer: `/${name.toLowerCase()}`, code: 'invalid_value', message } as const;
  return new ServiceError('invalid_request', { detail: `${message}.`, faults: [fault] });
}

/** Callers choose the names of members. */
const maxPointerLength = 200;
const maxMessageLength = 500;

export function faultAt(pointer: string, problem: string, code: Fault['code']): Fault {
  return {
    pointer: cut(pointer, maxPointerLength),
    code,
    message: cut(`${nameOf(pointer)} ${problem}`, maxMessageLength),
  };
}

/** RFC 6901, section 4. */
export const unescapePointer = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** `/event_types/3` is `event_types[3]`. */
function nameOf(pointer: string): string {
  if (pointer === '') return 'The body';
  const [last = '', before] = pointer.split('/').slice(1).toReversed();
  if (last === '') return '""';
  const name = cut(unescapePointer(last), maxPointerLength);
  return /^\d+$/.test(name) ? `${before ?? 'item'}[${name}]` : name;
}

type ServiceErrorOptions = {
  /** Public. Replaces the catalogue's message. */
  detail?: string;
  faults?: readonly Fault[];
  headers?: Readonly<Record<string, string>>;
  /** Only logged. */
  cause?: unknown;
};

/** `code` decides the status. `cause` never leaves the process. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly faults: readonly Fault[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    { detail, faults: named = [], headers = {}, cause }: ServiceErrorOptions = {},
  ) {
    // The description promises `errors` for this code.
    const faults =
      code === 'invalid_request' && named.length === 0
        ? [{ pointer: '', code: 'invalid_value', message: detail ?? catalogue[code].message } as const]
        : named;
    super(detail ?? summaryOf(named) ?? catalogue[code].message, { cause });
    this.name = 'ServiceError';
    this.code = code;
    this.status = catalogue[code].status;
    this.faults = faults;
    this.headers = headers;
  }
}

function summaryOf([first, ...others]: readonly Fault[]): string | undefined {
  if (first === undefined) return undefined;
  return others.length === 0
    ? `${first.message}.`
    : `${first.message}; \`errors\` lists ${others.length} more.`;
}
