// The shape of errors: the codes that each status can have (behaviour E1).
import { closed, text } from './basics.ts';

// behaviour E1
const codesByStatus: Record<number, string[]> = {
  400: [
    'invalid_request',
    'invalid_json',
    'malformed_http',
    'invalid_password',
    'invalid_token',
    'common_password',
    'provider_refused',
    'two_factor_not_enabled',
    'two_factor_enabled',
    'last_operator',
    'agreement_exists',
    'already_member',
    'last_way_to_sign_in',
    'last_owner',
    'account_exists',
    'connection_required',
    'invitation_used',
    'invitation_replaced',
    'invitation_withdrawn',
    'invitation_expired',
    'connection_needed',
    'connection_not_ready',
    'domain_taken',
    'group_in_use',
    'group_name_taken',
    'limit_reached',
    'producer_id_reused',
    'endpoint_disabled',
    'endpoint_in_use',
    'endpoint_paused',
    'endpoint_unchecked',
    'not_pending',
    'delivery_held',
    'headers_required',
    'endpoint_authentication_required',
    'event_type_built_in',
    'event_type_in_use',
    'event_type_refuses_events',
    'endpoint_deleted',
    'endpoint_live',
    'check_running',
    'replay_running',
    'service_account_rules_nothing',
  ],
  401: ['unauthenticated', 'invalid_credentials', 'invalid_code', 'invalid_passkey'],
  403: [
    'sso_required',
    'membership_refused',
    'step_up_required',
    'mfa_required',
    'forbidden',
    'banned',
    'email_not_verified',
    'invitation_for_other',
    'insecure_base_url',
  ],
  404: ['not_found'],
  405: ['method_not_allowed'],
  406: ['unsupported_version'],
  409: ['access_request_settled', 'access_review_settled', 'idempotency_in_flight', 'import_plan_changed'],
  412: ['precondition_failed'],
  413: ['body_too_large'],
  415: ['unsupported_media_type'],
  422: ['idempotency_key_reused'],
  429: ['rate_limited'],
  500: ['internal', 'not_ready'],
  503: ['provider_unavailable'],
};
const errorOf = (status: number) => ({
  type: 'object',
  properties: {
    message: { type: 'string', minLength: 1 },
    code: { enum: codesByStatus[status] ?? [] },
    request_id: { type: 'string', minLength: 1 },
    errors: {
      type: 'array',
      minItems: 1,
      maxItems: 20,
      items: closed({
        pointer: { type: 'string', maxLength: 200 },
        code: { enum: ['required', 'unknown_member', 'wrong_type', 'too_long', 'invalid_value'] },
        message: text,
      }),
    },
  },
  required: ['message', 'code', 'request_id'],
  additionalProperties: false,
});
/** Returns the same object for the same status, so its schema is compiled once. */
export function byStatus(schemaOf: (status: number) => object) {
  const made = new Map<number, object>();
  return (status: number) => {
    const schema = made.get(status) ?? schemaOf(status);
    made.set(status, schema);
    return schema;
  };
}
export const error = byStatus(errorOf);
