// The closed catalogue of errors: every error response has one of these codes.

type CatalogueEntry = { readonly status: number; readonly message: string; readonly meaning: string };

export const catalogue = {
  invalid_request: {
    status: 400,
    message: 'The request has missing or invalid parameters.',
    meaning: 'The body, the query or a header is wrong. `errors` lists each fault.',
  },
  invalid_json: {
    status: 400,
    message: 'The request body is not valid JSON.',
    meaning: 'Empty, not UTF-8, not JSON, deeper than 32 levels, or a member twice.',
  },
  malformed_http: {
    status: 400,
    message: 'The request is not valid HTTP.',
    meaning: 'The syntax is wrong, the request arrives too slowly, or its header section exceeds 16 KiB.',
  },
  unauthenticated: {
    status: 401,
    message: 'A valid bearer token is required.',
    meaning: 'The Authorization header is missing or malformed, or its token unknown, expired or revoked.',
  },
  invalid_credentials: {
    status: 401,
    message: 'The e-mail address or the password is wrong.',
    meaning: 'The account may not exist either.',
  },
  invalid_code: {
    status: 401,
    message: 'The code is wrong or was already used.',
    meaning: 'From the authenticator app, or a backup code.',
  },
  invalid_passkey: {
    status: 401,
    message: 'The passkey is unknown, or its answer is not valid.',
    meaning: 'S3. Ask for new options.',
  },
  invalid_password: {
    status: 400,
    message: 'The password is wrong.',
    meaning: 'The operation requires that of the signed-in user.',
  },
  common_password: {
    status: 400,
    message:
      'This password is among the most common, or made of two of them, so it is guessed first. Choose one that nobody else uses, such as four random words.',
    meaning: 'T28.',
  },
  invalid_token: {
    status: 400,
    message: 'The token is unknown, used or expired.',
    meaning: 'From a mail, a link or the previous step. Start again.',
  },
  provider_refused: {
    status: 400,
    message: 'The provider did not sign you in, or its account cannot be linked.',
    meaning:
      'It refused, its state was lost, or its account has another e-mail address or belongs to another user.',
  },
  two_factor_not_enabled: {
    status: 400,
    message: 'Two-factor authentication is not enabled.',
    meaning: 'Enable it with POST /api/auth/two-factor/enable, then verify a code, or add a passkey.',
  },
  two_factor_enabled: {
    status: 400,
    message: 'Two-factor authentication is already enabled.',
    meaning: 'Disable it first.',
  },
  last_operator: {
    status: 400,
    message: 'This is the last operator. Make another user an operator first.',
    meaning: 'Make another user an operator first.',
  },
  connection_required: {
    status: 400,
    message: 'Single sign-on can be required only when it works.',
    meaning:
      'Switch a connection on, and prove the sign-in in this session with POST /api/auth/connections/prove.',
  },
  agreement_exists: {
    status: 400,
    message: 'This person already has an agreement with the partner.',
    meaning: 'Change or delete the pending or active agreement of this address or user.',
  },
  already_member: {
    status: 400,
    message: 'You already have an agreement with this partner, so this invitation has been deleted.',
    meaning: 'A user has at most one agreement with a partner.',
  },
  last_way_to_sign_in: {
    status: 400,
    message:
      'This is the only way in which you can sign in. Set a password first with POST /api/auth/request-password-reset.',
    meaning: 'Set a password, or link another provider.',
  },
  last_owner: {
    status: 400,
    message: 'This is the last owner of the partner. At least one owner must remain.',
    meaning: 'Make another owner first (A7). Operators can send ?orphan=true.',
  },
  account_exists: {
    status: 400,
    message: 'This address already has an account. Sign in with it, or request a new password.',
    meaning: 'Sign in, then accept the invitation.',
  },
  invitation_used: {
    status: 400,
    message: 'The invitation has already been accepted or declined.',
    meaning: 'GET /me/agreements lists the agreements of the user.',
  },
  invitation_replaced: {
    status: 400,
    message: 'The invitation was sent again. Use the link in the latest mail.',
    meaning: 'Only the token in the latest mail works.',
  },
  invitation_withdrawn: {
    status: 400,
    message: 'The invitation does not exist any more.',
    meaning: 'The agreement or the partner was deleted, or the invitation replaced. Ask for a new one.',
  },
  invitation_expired: {
    status: 400,
    message: 'The invitation has expired.',
    meaning: 'After 7 days, or at the end of its agreement. Ask for a new one.',
  },
  group_name_taken: {
    status: 400,
    message: 'Another permission group of the partner, or a managed group, has this name.',
    meaning: 'Names of groups are unique in a partner; case does not matter.',
  },
  connection_not_ready: {
    status: 400,
    message: 'The identity connection cannot be turned on yet.',
    meaning: '`message` says what is missing: a test, or a verified domain.',
  },
  connection_needed: {
    status: 400,
    message: 'Single sign-on is required, and this is the last identity connection that proves it.',
    meaning: 'Turn the requirement off first, or another connection on.',
  },
  domain_taken: {
    status: 400,
    message: 'Another partner has verified this domain.',
    meaning: 'It moves here when its DNS has only the record of this partner.',
  },
  group_in_use: {
    status: 400,
    message: 'The permission group is in use.',
    meaning: 'Remove the group from agreements first, or delete it with ?detach=true.',
  },
  service_account_rules_nothing: {
    status: 400,
    message: 'A service account cannot be an owner or an operator.',
    meaning: 'Give it permissions instead.',
  },
  producer_id_reused: {
    status: 400,
    message: 'The producer_id belongs to another event.',
    meaning: 'Give each event one of its own.',
  },
  endpoint_disabled: {
    status: 400,
    message: 'The webhook endpoint is disabled.',
    meaning: 'W15 and W16. Repair the receiver, then resume the endpoint.',
  },
  endpoint_paused: {
    status: 400,
    message: 'The webhook endpoint is paused.',
    meaning: 'Resume it: with {"send_now": true} it sends what waits.',
  },
  endpoint_unchecked: {
    status: 400,
    message: 'The deliveries of the webhook endpoint wait for its check.',
    meaning: 'No go-live check has passed for the present URL (W62). POST .../check on the endpoint.',
  },
  endpoint_in_use: {
    status: 400,
    message: 'The live webhook endpoint is in use.',
    meaning: 'Check a live endpoint before its first event, or a sandbox endpoint with the same code (W61).',
  },
  check_running: {
    status: 400,
    message: 'A check of this webhook endpoint is already running.',
    meaning: 'GET it to see its progress.',
  },
  not_pending: {
    status: 400,
    message: 'The delivery is not pending.',
    meaning: 'Replay a delivery that was delivered or has failed.',
  },
  delivery_held: {
    status: 400,
    message: 'The delivery is held after a restore.',
    meaning: 'An operator chooses what is sent: POST /platform/held-deliveries.',
  },
  event_type_built_in: {
    status: 400,
    message: 'This event type is built in and cannot be changed.',
    meaning: 'PUT a type with another name.',
  },
  event_type_in_use: {
    status: 400,
    message: 'Endpoints name this event type.',
    meaning: '`message` says how many endpoints name it. Change them, or send ?force=true (W73).',
  },
  event_type_refuses_events: {
    status: 400,
    message: 'The new schema refuses events of this type.',
    meaning:
      '`message` says how many of the last 1,000 events do not fit, and `errors` has the first fault. Correct the schema, or send ?force=true.',
  },
  headers_required: {
    status: 400,
    message: 'The endpoint has headers, and its URL changes to another origin. Send the headers again.',
    meaning: 'Send `headers` with the new `url`, or `{}` to remove them (W25).',
  },
  endpoint_authentication_required: {
    status: 400,
    message:
      'The endpoint has an authentication, and its URL changes to another origin. Send the authentication again.',
    meaning: 'Send `authentication` with its secret and the new `url`, or null to remove it (W71).',
  },
  endpoint_deleted: {
    status: 400,
    message: 'The webhook endpoint is deleted.',
    meaning: 'Its deliveries can be read, but not sent.',
  },
  replay_running: {
    status: 400,
    message: 'A replay or a send-now of this partner is already running.',
    meaning: 'W31 and W46. GET it to see its progress, or stop it.',
  },
  endpoint_live: {
    status: 400,
    message: 'Test events go to sandbox endpoints only.',
    meaning: 'Create an endpoint with "environment": "sandbox", or publish an event.',
  },
  limit_reached: {
    status: 400,
    message: 'A limit is reached.',
    meaning: '`message` names the limit. Delete what you no longer need.',
  },
  invitation_for_other: {
    status: 403,
    message: 'The invitation is for another e-mail address. Sign in or sign up with that address.',
    meaning: 'Use the invited address.',
  },
  banned: {
    status: 403,
    message: 'This account is banned.',
    meaning: 'An operator banned the user.',
  },
  mfa_required: {
    status: 403,
    message: 'A second factor is required.',
    meaning:
      'Enable a second factor, then POST /api/auth/two-factor/verify-totp. A personal access token has the proof of the session that created it.',
  },
  sso_required: {
    status: 403,
    message:
      "A sign-in with the partner's identity provider is required. Sign in with it in the console. A program needs the token of a service account.",
    meaning:
      'Prove the sign-in in this session with POST /api/auth/connections/prove. Of access tokens, only those of service accounts work here.',
  },
  membership_refused: {
    status: 403,
    message: 'You are not a member of the partner, and cannot become one by this sign-in.',
    meaning: '`message` says why (K14). An owner of the partner can invite the person.',
  },
  step_up_required: {
    status: 403,
    message:
      'This change requires a proof that is at most ten minutes old. Send your password to POST /api/auth/step-up, with a code of your second factor if you have one, or sign in again.',
    meaning: 'T6. A user without a password signs in again with their provider.',
  },
  insecure_base_url: {
    status: 403,
    message: 'Signing in to the console requires https.',
    meaning: 'Set CONCORD_BASE_URL to an https URL.',
  },
  email_not_verified: {
    status: 403,
    message: 'The e-mail address is not verified.',
    meaning:
      'POST /api/auth/send-verification-email sends the mail again. After a provider: verify the address there, and set a new password if you have an account.',
  },
  forbidden: {
    status: 403,
    message: 'You do not have permission to do this.',
    meaning: 'The caller can see the resource, and lacks the permission.',
  },
  not_found: {
    status: 404,
    message: 'Not found.',
    meaning: 'It does not exist, or is hidden from the caller.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not support this method.',
    meaning: 'The Allow header lists the methods of the path.',
  },
  unsupported_version: {
    status: 406,
    message: 'This version of the interface is not available. Use Accept-Version: 2.0.',
    meaning: '2.0 is the only version.',
  },
  idempotency_in_flight: {
    status: 409,
    message: 'A request with this Idempotency-Key is still in progress. Try again shortly.',
    meaning: 'The first request has not finished yet.',
  },
  access_request_settled: {
    status: 409,
    message: 'The access request is no longer in the state that this needs.',
    meaning: 'A31. `message` says what it is now.',
  },
  access_review_settled: {
    status: 409,
    message: 'The access review can no longer be changed in this way.',
    meaning: 'A36: each agreement is decided once, while the review is open.',
  },
  import_plan_changed: {
    status: 409,
    message: 'The plan of this import has changed.',
    meaning: 'A type, its events or the document has changed. Ask for a new plan.',
  },
  precondition_failed: {
    status: 412,
    message: 'The resource has changed: its ETag does not match If-Match.',
    meaning: 'Read it again, then repeat the change with its new ETag.',
  },
  body_too_large: {
    status: 413,
    message: 'The request body is too large.',
    meaning: 'More than 64 KiB, unless the operation says otherwise.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'The content type is not supported. Send application/json.',
    meaning: 'The Content-Type is missing or not accepted, or the Content-Encoding is not.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used with another request.',
    meaning: 'Use a new key for each new request.',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests. Try again after the time in Retry-After.',
    meaning: 'The message and `RateLimit-Policy` name the limit (L7).',
  },
  internal: {
    status: 500,
    message: 'Something went wrong on our side. Try again later.',
    meaning: 'Concord failed, or its database is not available.',
  },
  not_ready: {
    status: 500,
    message: 'The service is not ready.',
    meaning: '/health/ready: the database does not answer, or the service is stopping.',
  },
  provider_unavailable: {
    status: 503,
    message: 'The identity provider cannot be reached. Try again after the time in Retry-After.',
    meaning: 'The identity provider cannot be reached.',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof catalogue;

export const faultCodes = {
  required: 'A required member is missing.',
  unknown_member: 'The request has a member or filter that does not exist.',
  wrong_type: 'The value does not have the type that the schema requires.',
  too_long: 'The text has too many characters, or the list has too many items.',
  invalid_value: 'The schema does not allow this value.',
} as const;
