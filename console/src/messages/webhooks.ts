// The words for deliveries, attempts and endpoints. The same state has the same words on every page.
import type {
  Attempt,
  Delivery,
  EndpointCheck,
  EndpointStats,
  ListWebhookEndpointsData,
  WebhookEndpoint,
} from '@concord/client';
import type { StatusTone, State as Word } from './state.ts';

type State = Word & { readonly about: string };

export const deliveryStatus: Readonly<Record<Delivery['status'], State>> = {
  pending: { tone: 'info', label: 'Pending', about: 'It is queued, retried, or waits for its endpoint.' },
  delivered: { tone: 'good', label: 'Delivered', about: 'The endpoint acknowledged it with 2xx.' },
  failed: {
    tone: 'bad',
    label: 'Failed',
    about: 'Its last attempt failed. Nothing more is sent until it is replayed.',
  },
  cancelled: {
    tone: 'neutral',
    label: 'Cancelled',
    about: 'Its endpoint was deleted, so it cannot be sent any more.',
  },
};

/** What the rows of deliveries say. The filter of the list takes the same words. */
export const deliveryStates: Readonly<Record<Delivery['state'], State>> = {
  queued: { tone: 'info', label: 'Queued', about: 'Its first attempt has not ended yet.' },
  retrying: {
    tone: 'warning',
    label: 'Retrying',
    about: 'The attempts so far failed. Concord sends it again.',
  },
  waiting: {
    tone: 'warning',
    label: 'Waiting',
    about: 'Its endpoint is paused, disabled or not checked. The page of the endpoint says what to do.',
  },
  delivered: deliveryStatus.delivered,
  failed: deliveryStatus.failed,
  cancelled: deliveryStatus.cancelled,
};

export const endpointStatus: Readonly<Record<WebhookEndpoint['status'], State>> = {
  active: { tone: 'good', label: 'Active', about: 'Webhooks are sent.' },
  paused: { tone: 'warning', label: 'Paused', about: 'Deliveries wait until it is resumed.' },
  disabled: {
    tone: 'bad',
    label: 'Disabled',
    about:
      'Concord stopped sending to it. Deliveries wait for up to 30 days: fix the receiver, then resume the endpoint.',
  },
};

type EndpointStateName = NonNullable<NonNullable<ListWebhookEndpointsData['query']>['filter[state]']>;
const failing: State = { tone: 'bad', label: 'Failing', about: 'Its last attempts all failed.' };
const failsInPart: State = {
  tone: 'warning',
  label: 'Fails in part',
  about: 'Some of its last attempts failed.',
};

/** What the rows of endpoints say. The filter of the list takes the same words. */
export const endpointStates: Readonly<Record<EndpointStateName, State>> = {
  active: endpointStatus.active,
  failing,
  fails_in_part: failsInPart,
  paused: endpointStatus.paused,
  disabled: endpointStatus.disabled,
};

const notChecked: State = {
  tone: 'warning',
  label: 'Not checked',
  about: 'Deliveries wait until the go-live check of its URL passes.',
};

const unknown: State = {
  tone: 'neutral',
  label: 'Status unknown',
  about: 'Its last attempts could not be read, so it may fail.',
};

/** `stats`: undefined until they are known, null if the caller may not see them. */
export function endpointState(
  { status, check }: Pick<WebhookEndpoint, 'status'> & Partial<Pick<WebhookEndpoint, 'check'>>,
  stats: Pick<EndpointStats, 'recent'> | null | undefined,
): State {
  if (status !== 'active') return endpointStatus[status];
  if (check?.blocks_deliveries) return notChecked;
  if (stats === undefined) return unknown;
  if (stats === null || stats.recent.attempts === stats.recent.delivered) return endpointStatus.active;
  return stats.recent.delivered === 0 ? failing : failsInPart;
}

type CheckStatus = WebhookEndpoint['check']['status'];
export const checkStatus: Readonly<Record<CheckStatus, State>> = {
  none: {
    tone: 'neutral',
    label: 'Not run',
    about: 'The receiver at this URL has not been checked yet.',
  },
  running: {
    tone: 'info',
    label: 'Running',
    about: 'Concord sends one request after another.',
  },
  passed: {
    tone: 'good',
    label: 'Passed',
    about: 'The receiver accepts what it must, and refuses the rest.',
  },
  failed: {
    tone: 'bad',
    label: 'Failed',
    about: 'Change the receiver as the list says, then check it again.',
  },
  waived: {
    tone: 'warning',
    label: 'Waived',
    about: 'An operator waived the check of this URL.',
  },
};

export const checkCases: Readonly<Record<EndpointCheck['cases'][number]['name'], string>> = {
  accepts_good: 'Accepts a correct request',
  refuses_missing_signature: 'Refuses a request without a signature',
  refuses_wrong_signature: 'Refuses a wrong signature',
  refuses_stale: 'Refuses a signature that is 15 minutes old',
  refuses_foreign_partner: 'Refuses an event of another partner',
  refuses_foreign_url: 'Refuses a signature for another URL',
  refuses_changed_body: 'Refuses a changed body',
  refuses_unknown_key: 'Refuses a key that Concord does not publish',
  accepts_largest_body: 'Accepts the largest body, 257 KiB',
  accepts_same_delivery_twice: 'Accepts the same delivery twice',
};

export type Reason = EndpointStats['failed'][number]['reason'];

type Explanation = {
  readonly label: string;
  readonly about: string;
  readonly advice: string;
};

/** Why an attempt failed, in the order of a request: from the look-up of the name to the answer. */
export const attemptReasons: Readonly<Record<Reason, Explanation>> = {
  dns: {
    label: 'Name not found',
    about: 'The name of the host could not be looked up.',
    advice: 'Check the host in the URL of the endpoint, and its DNS records.',
  },
  address_refused: {
    label: 'Address refused',
    about: 'The name resolves to an address that webhooks may not go to, for example a private one.',
    advice: 'Give the endpoint a URL whose name resolves to a public address.',
  },
  connection: {
    label: 'No connection',
    about: 'The server did not accept the connection, or closed it before it answered.',
    advice:
      'Check that the receiver runs, listens on this port, and that no firewall is in the way. If it demands a client certificate, set one at the endpoint.',
  },
  tls: {
    label: 'TLS failed',
    about: 'No encrypted connection could be made.',
    advice:
      'Check the certificate of the server: its expiry date, its names, and that the whole chain is sent.',
  },
  tls_client: {
    label: 'Client certificate refused',
    about: 'The receiver demands a client certificate in TLS, or does not accept the one of the endpoint.',
    advice:
      'Set a client certificate at the endpoint, or check that the receiver trusts it: its issuer, its expiry date, and its name. If the receiver accepts it, find out why it closes the connection.',
  },
  token: {
    label: 'No token',
    about: 'The receiver needs an access token, and the token URL of the endpoint gave none.',
    advice:
      'Check the token URL, the client and its secret in the settings of the endpoint. `invalid_client` means that the id or the secret is wrong.',
  },
  proxy: {
    label: 'Proxy refused',
    about: 'The egress proxy of Concord refused the connection.',
    advice: 'Ask the operator of Concord to allow this host in the proxy.',
  },
  timeout: {
    label: 'Timeout',
    about: 'No status or headers arrived within 15 seconds.',
    advice: 'Answer first and do the work afterwards: put the event into a queue, and answer 204.',
  },
  invalid_answer: {
    label: 'Invalid answer',
    about: 'The answer was not HTTP/1.1, or was larger than the limits.',
    advice: 'Check what listens on this port. Answer with a status, few headers and a short body.',
  },
  redirect: {
    label: 'Redirect',
    about: 'The endpoint answered with a redirect. Concord does not follow redirects.',
    advice: 'Give the endpoint the URL that the redirect leads to.',
  },
  status_4xx: {
    label: 'Refused (4xx)',
    about: 'The endpoint answered that the request is wrong.',
    advice: 'Read what the receiver answered. Its log says more.',
  },
  status_5xx: {
    label: 'Server error (5xx)',
    about: 'The receiver failed while it handled the webhook.',
    advice: 'Read what the receiver answered, and its log.',
  },
  expired: {
    label: 'Expired',
    about: 'No request was sent, because the delivery had waited too long.',
    advice: 'Replay the delivery when the endpoint is active.',
  },
  restored: {
    label: 'Restored from a backup',
    about:
      'No request was sent. The delivery waited in a backup that was restored, and an operator chose not to send it.',
    advice: 'If the receiver does not have the event, replay the delivery.',
  },
  internal: {
    label: 'Failure of Concord',
    about: 'Concord failed, or could not store the answer.',
    advice: 'Ask the operator of Concord to check its log. Then replay the delivery.',
  },
};

/** Statuses that say more than their class. */
const statuses: Readonly<Record<number, Omit<Explanation, 'label'>>> = {
  400: {
    about: 'The receiver did not accept the request.',
    advice: 'Read what the receiver answered. It must accept members and event types that are added later.',
  },
  401: {
    about: 'The receiver did not accept the signature, or a gateway asks for credentials.',
    advice:
      'Verify the request here. If it verifies, compare the URL that the receiver checks with the URL of the endpoint, letter by letter.',
  },
  403: {
    about: 'The receiver, or a gateway in front of it, refused the request.',
    advice:
      'Check the partner id in the receiver, and the rules of the gateway. A gateway may need headers: set them at the endpoint.',
  },
  404: {
    about: 'Nothing answers at this path.',
    advice: 'Compare the path in the URL of the endpoint with the route of the receiver.',
  },
  405: {
    about: 'The path exists, but does not take POST.',
    advice: 'Let the route of the receiver take POST.',
  },
  410: {
    about: 'The receiver said that it is gone for good. Concord disabled the endpoint.',
    advice: 'Give the endpoint another URL, or resume it when the receiver is back.',
  },
  413: {
    about: 'The body is too large for the receiver, or for a gateway in front of it.',
    advice: 'Let the receiver take bodies of up to 1 MiB.',
  },
  429: {
    about: 'The receiver asks for fewer requests.',
    advice: 'Give the endpoint a rate limit. Deliveries then wait, and none fails because of it.',
  },
  503: {
    about: 'The receiver is not available now.',
    advice: 'Concord tries again by itself. Check that the receiver runs.',
  },
};

const statusText: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  301: 'Moved Permanently',
  302: 'Found',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};
/** `500 Internal Server Error`. */
export const statusLine = (code: number): string => `${code} ${statusText[code] ?? ''}`.trim();

export type Outcome = Explanation & { readonly tone: StatusTone; readonly reason: Reason | null };

export function attemptOutcome({ status_code, error }: Pick<Attempt, 'status_code' | 'error'>): Outcome {
  const reason = reasonOf(status_code, error);
  if (reason === null) {
    return {
      tone: 'good',
      reason,
      label: statusLine(status_code ?? 200),
      about: 'The endpoint acknowledged the webhook.',
      advice: '',
    };
  }
  const known = attemptReasons[reason];
  const label = status_code === null ? known.label : statusLine(status_code);
  return { tone: 'bad', reason, ...known, ...(status_code !== null && statuses[status_code]), label };
}

/**
 * The answer of the last attempt, for a row: its status, or the reason why there was none. Null: there was no
 * attempt.
 */
export function lastAnswer({ status_code, reason }: Pick<Delivery, 'status_code' | 'reason'>): string | null {
  if (status_code !== null) return String(status_code);
  return reason === null ? null : attemptReasons[reason].label;
}

function reasonOf(status: number | null, error: string | null): Reason | null {
  // `tls: the certificate has expired (CERT_HAS_EXPIRED)`
  const named = error?.split(':')[0] ?? '';
  if (named in attemptReasons) return named as Reason;
  if (status === null) return 'internal';
  if (status < 300) return null;
  return status < 400 ? 'redirect' : status < 500 ? 'status_4xx' : 'status_5xx';
}

export const environments: Readonly<Record<WebhookEndpoint['environment'], string>> = {
  live: 'Live',
  sandbox: 'Sandbox',
};

/** The filters of the list of deliveries that find a reason of the statistics. */
export const filterOfReason = (reason: Reason): Record<string, string> =>
  reason === 'status_4xx'
    ? { status_code: '4xx' }
    : reason === 'status_5xx'
      ? { status_code: '5xx' }
      : { reason };
