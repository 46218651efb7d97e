// Failures for people and, with --json, for programs. Both go to stderr.
import { ConcordError } from '@concord/client';
import { CliError, type Exit } from './exits.ts';
import type { Io } from './io.ts';
import { visible, visibleJson } from './visible.ts';

type Report = {
  exit: Exit;
  code: string;
  message: string;
  faults: readonly { pointer: string; message: string }[];
  requestId: string | null;
};

export function reportFailure(error: unknown, io: Pick<Io, 'warn'>, isJson: boolean): Exit {
  const { exit, code, message, faults, requestId } = toReport(error);
  if (isJson) {
    io.warn(`${visibleJson({ error: { code, message, faults, request_id: requestId } })}\n`);
    return exit;
  }
  io.warn(`concord: ${visible(message)}\n`);
  for (const fault of faults)
    io.warn(`  ${visible(fault.pointer || '(the request)')}  ${visible(fault.message)}\n`);
  if (requestId !== null) io.warn(`  request ${visible(requestId)}\n`);
  return exit;
}

export function toReport(error: unknown): Report {
  if (error instanceof CliError)
    return { exit: error.exit, code: error.exit, message: error.message, faults: [], requestId: null };
  if (error instanceof ConcordError) {
    const { code, message, faults, requestId } = error;
    return { exit: exitOf(error), code, message: message + adviceOf(error), faults, requestId };
  }
  const message = `This is a mistake of the program. Please report it: ${error instanceof Error ? error.message : String(error)}`;
  return { exit: 'internal', code: 'internal', message, faults: [], requestId: null };
}

function adviceOf({ status, code, cause }: ConcordError): string {
  if (code === 'invalid_answer') return '. Is the URL right?';
  if (code === 'connection_failed') return reasonOf(cause);
  if (status === 401) return ' Run concord login, or set CONCORD_TOKEN to a token that is valid';
  if (status === 404) return ' Check the id and the partner. What the token may not see looks the same';
  return '';
}

function exitOf({ status, code }: ConcordError): Exit {
  if (status === null || status >= 500 || code === 'invalid_answer') return 'unreachable';
  if (status === 401 || status === 403) return 'denied';
  return status === 404 ? 'missing' : 'refused';
}

/** fetch hides the reason, such as ECONNREFUSED, in its cause. */
export function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(inner instanceof Error)) return '';
  const code = 'code' in inner && typeof inner.code === 'string' ? inner.code : '';
  const advice = /SELF_SIGNED|LEAF_SIGNATURE|ISSUER_CERT/.test(code)
    ? '. Set NODE_EXTRA_CA_CERTS to the certificate of your authority'
    : '';
  return `: ${inner.message || code || inner.name}${advice}`;
}
