// The closed catalogue of errors: every error that leaves the service carries one of these codes.

type CatalogueEntry = { readonly status: number; readonly message: string; readonly meaning: string };

export const catalogue = {
  invalid_request: {
    status: 400,
    message: 'The request has missing or invalid parameters.',
    meaning: 'A body, query parameter or header does not fit its schema; `errors` lists each fault.',
  },
  invalid_json: {
    status: 400,
    message: 'The request body is not valid JSON.',
    meaning: 'Not JSON, not UTF-8, empty, nested deeper than 32 levels, or an object has a member twice.',
  },
  malformed_http: {
    status: 400,
    message: 'The request is not valid HTTP.',
    meaning: 'The bytes on the connection are no HTTP/1.1 request, are too slow, or the header section exceeds 16 KiB.',
  },
  unauthenticated: {
    status: 401,
    message: 'A valid bearer token is required.',
    meaning: 'The Authorization header is missing, garbled, or its token is unknown, expired or revoked.',
  },
  invalid_credentials: {
    status: 401,
    message: 'The e-mail or the password is wrong.',
    meaning: 'Sign-in failed. The answer is the same whether the account exists or not.',
  },
  invalid_code: {
    status: 401,
    message: 'The code is wrong, or was used already.',
    meaning: 'A code of the second factor, or a backup code, was not accepted.',
  },
  invalid_password: {
    status: 400,
    message: 'The password is wrong.',
    meaning: 'The operation asks for the password of the user who is signed in.',
  },
  invalid_token: {
    status: 400,
    message: 'The token is unknown, used or expired.',
    meaning: 'A token from a mail, or from the step before, is no longer valid. Begin again.',
  },
  provider_refused: {
    status: 400,
    message: 'The provider did not let you in, or its account cannot be linked.',
    meaning:
      'Sign-in with another provider failed: it refused, the state was lost, or its address is not verified on both sides.',
  },
  two_factor_not_enabled: {
    status: 400,
    message: 'Two-factor authentication is not enabled.',
    meaning: 'Enable it first: POST /api/auth/two-factor/enable, then verify a code.',
  },
  two_factor_enabled: {
    status: 400,
    message: 'Two-factor authentication is enabled already.',
    meaning: 'Disable it before enabling it anew.',
  },
  last_operator: {
    status: 400,
    message: 'This is the last operator.',
    meaning: 'Make another operator first; without one nobody could.',
  },
  agreement_exists: {
    status: 400,
    message: 'This person has an agreement with the partner already.',
    meaning: 'A pending or active agreement has this e-mail, or belongs to this user. Change or delete that one.',
  },
  last_owner: {
    status: 400,
    message: 'This is the last owner of the partner.',
    meaning:
      'Make another owner first. An owner counts when the agreement is accepted, never expires, and its user is not banned. An operator can insist with ?orphan=true.',
  },
  invitation_expired: {
    status: 400,
    message: 'The invitation has expired.',
    meaning: 'It was not accepted within 7 days, or its agreement has ended. Ask for a new one.',
  },
  group_in_use: {
    status: 400,
    message: 'The permission group is in use.',
    meaning: 'Agreements carry it. Take it from them first, or delete it with ?detach=true.',
  },
  service_account_rules_nothing: {
    status: 400,
    message: 'A service account cannot be an owner or an operator.',
    meaning: 'Who rules must be able to sign in. Give it permissions instead.',
  },
  producer_id_reused: {
    status: 400,
    message: 'The producer_id belongs to another event.',
    meaning: 'An event with this producer_id was published with other content. Give each event an id of its own.',
  },
  endpoint_disabled: {
    status: 400,
    message: 'The webhook endpoint is disabled.',
    meaning: 'Its receiver failed for days, or said that it is gone. Put it right, and resume the endpoint first.',
  },
  endpoint_deleted: {
    status: 400,
    message: 'The webhook endpoint is deleted.',
    meaning: 'Its deliveries can be seen, and not sent any more.',
  },
  recovery_running: {
    status: 400,
    message: 'A recovery of this endpoint is running.',
    meaning: 'One at a time. GET it to see how far it is.',
  },
  endpoint_live: {
    status: 400,
    message: 'Test events go to sandbox endpoints only.',
    meaning: 'This endpoint is a live one. Create one with "environment": "sandbox", or publish an event.',
  },
  limit_reached: {
    status: 400,
    message: 'There are too many of these.',
    meaning: 'A bound is reached; `message` says which. Delete what is not needed.',
  },
  banned: {
    status: 403,
    message: 'This account is banned.',
    meaning: 'An operator has banned the user.',
  },
  mfa_required: {
    status: 403,
    message: 'A second factor is required.',
    meaning:
      'The session lacks the proof of it: enable it if it is not, and step the session up with POST /api/auth/two-factor/verify-totp. An access token has the proof of the session that made it.',
  },
  email_not_verified: {
    status: 403,
    message: 'The e-mail address is not verified.',
    meaning: 'Open the link in the mail; POST /api/auth/send-verification-email sends it again.',
  },
  forbidden: {
    status: 403,
    message: 'You do not have permission to do this.',
    meaning: 'The resource is visible to the caller, but the action is not granted.',
  },
  not_found: {
    status: 404,
    message: 'Not found.',
    meaning: 'Unknown path, unknown resource, or a resource that is hidden from the caller.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not support this method.',
    meaning: 'The path exists; the Allow header lists its methods.',
  },
  unsupported_version: {
    status: 406,
    message: 'This version of the interface is not available.',
    meaning: 'Accept-Version names another version than 2.0.',
  },
  idempotency_in_flight: {
    status: 409,
    message: 'A request with this Idempotency-Key is still being worked on. Try again shortly.',
    meaning: 'The first request with this key has not finished yet.',
  },
  precondition_failed: {
    status: 412,
    message: 'The resource has changed: its ETag does not match If-Match.',
    meaning: 'Read the resource again, then repeat the change with the new ETag.',
  },
  body_too_large: {
    status: 413,
    message: 'The request body is too large.',
    meaning: 'The body exceeds the bound of the operation (64 KiB unless said otherwise).',
  },
  unsupported_media_type: {
    status: 415,
    message: 'The content type is not supported. Send application/json.',
    meaning: 'The body has another Content-Type than the operation takes, or none.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used with another request body.',
    meaning: 'Use a new key for a new request.',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests. Try again after the time in Retry-After.',
    meaning: 'The rate limit of the credential, or of the address without one, is exceeded.',
  },
  internal: {
    status: 500,
    message: 'Something went wrong on our side. Try again later.',
    meaning: 'A fault of the service, or its database is away. Quote request_id when you report it.',
  },
  not_ready: {
    status: 500,
    message: 'The service is not ready.',
    meaning: 'Only /health/ready: the database does not answer, or the service is stopping.',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof catalogue;

/** What can be wrong with one member or parameter of a request. */
export const faultCodes = {
  required: 'A required member is missing.',
  unknown_member: 'The body takes no member of this name.',
  wrong_type: 'The value has another type than the schema asks for.',
  too_long: 'The text has more characters, or the list more items, than allowed.',
  invalid_value: 'The value is outside what the schema allows.',
} as const;

export type Fault = {
  readonly pointer: string;
  readonly code: keyof typeof faultCodes;
  readonly message: string;
};

/**
 * 400 `invalid_request` for one member or parameter. `problem` completes a sentence that begins with its name:
 * `invalidRequest('/email', 'must be an e-mail address')` says `email must be an e-mail address`.
 */
export function invalidRequest(pointer: string, problem: string, code: Fault['code'] = 'invalid_value'): ServiceError {
  return new ServiceError('invalid_request', { faults: [faultAt(pointer, problem, code)] });
}

/** Pointers are cut: a body chooses the names of its members. */
const maxPointerLength = 200;

export function faultAt(pointer: string, problem: string, code: Fault['code']): Fault {
  return {
    pointer: pointer.slice(0, maxPointerLength),
    code,
    message: `${nameOf(pointer)} ${problem}`.slice(0, maxMessageLength),
  };
}

const maxMessageLength = 500;

/** `/acl_permissions/0/resource` is `resource`, `/event_types/3` is `event_types[3]`, the whole body is `The body`. */
function nameOf(pointer: string): string {
  const [last = '', before] = pointer.split('/').slice(1).toReversed();
  if (last === '') return 'The body';
  const name = last.replaceAll('~1', '/').replaceAll('~0', '~').slice(0, maxPointerLength);
  return /^\d+$/.test(name) ? `${before ?? 'item'}[${name}]` : name;
}

type ServiceErrorOptions = {
  /** Public: replaces the catalogue's message. */
  detail?: string;
  faults?: readonly Fault[];
  headers?: Readonly<Record<string, string>>;
  /** Only logged. */
  cause?: unknown;
};

/** An error with a public face: `code` decides the status, `cause` never leaves the process. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly faults: readonly Fault[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, { detail, faults = [], headers = {}, cause }: ServiceErrorOptions = {}) {
    super(detail ?? summaryOf(faults) ?? catalogue[code].message, { cause });
    this.name = 'ServiceError';
    this.code = code;
    this.status = catalogue[code].status;
    this.faults = faults;
    this.headers = headers;
  }
}

function summaryOf([first, ...others]: readonly Fault[]): string | undefined {
  if (first === undefined) return undefined;
  return others.length === 0 ? `${first.message}.` : `${first.message}; \`errors\` lists ${others.length} more.`;
}
