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
    meaning: 'The body is empty, not UTF-8 or not JSON, deeper than 32 levels, or has a member twice.',
  },
  malformed_http: {
    status: 400,
    message: 'The request is not valid HTTP.',
    meaning:
      'Not valid HTTP/1.1: the syntax is wrong, the request arrives too slowly, or its header section exceeds 16 KiB.',
  },
  unauthenticated: {
    status: 401,
    message: 'A valid bearer token is required.',
    meaning: 'The Authorization header is missing or malformed, or its token unknown, expired or revoked.',
  },
  invalid_credentials: {
    status: 401,
    message: 'The e-mail address or the password is wrong.',
    meaning: 'Sign-in failed, whether the account exists or not.',
  },
  invalid_code: {
    status: 401,
    message: 'The code is wrong or was already used.',
    meaning: 'Of the authenticator app, or a backup code.',
  },
  invalid_passkey: {
    status: 401,
    message: 'The passkey is unknown, or its answer is not valid.',
    meaning:
      'Rule S3: the credential is not registered, or its signature, origin, counter or user verification is wrong. Ask for new options.',
  },
  invalid_password: {
    status: 400,
    message: 'The password is wrong.',
    meaning: 'The operation requires the password of the signed-in user.',
  },
  common_password: {
    status: 400,
    message:
      'This password is among the commonest, or made of two of them. Choose one that nobody else uses.',
    meaning: 'Rule T28 says which. Choose four random words, for example.',
  },
  invalid_token: {
    status: 400,
    message: 'The token is unknown, used or expired.',
    meaning: 'A token from a mail, a link or the previous step is no longer valid. Start again.',
  },
  provider_refused: {
    status: 400,
    message: 'The provider did not sign you in, or its account cannot be linked.',
    meaning:
      'The provider refused it, its state was lost, or its account has another e-mail address or belongs to another user.',
  },
  two_factor_not_enabled: {
    status: 400,
    message: 'Two-factor authentication is not enabled.',
    meaning: 'Enable it with POST /api/auth/two-factor/enable, then verify a code, or add a passkey.',
  },
  two_factor_enabled: {
    status: 400,
    message: 'Two-factor authentication is already enabled.',
    meaning: 'Disable it before you enable it again.',
  },
  last_operator: {
    status: 400,
    message: 'This is the last operator. At least one operator must remain.',
    meaning: 'Make another user an operator first.',
  },
  connection_required: {
    status: 400,
    message: 'Single sign-on can be required only when it works.',
    meaning:
      'Set a connection up and switch it on. Then prove the sign-in in this session with POST /api/auth/connections/prove.',
  },
  agreement_exists: {
    status: 400,
    message: 'This person already has an agreement with the partner.',
    meaning: 'A pending or active agreement has this address or user. Change or delete that agreement.',
  },
  already_member: {
    status: 400,
    message: 'You already have an agreement with this partner, so this invitation has been deleted.',
    meaning: 'A user has at most one agreement with a partner. The invitation ends.',
  },
  last_way_to_sign_in: {
    status: 400,
    message:
      'This is the only way in which you can sign in. Set a password first with POST /api/auth/request-password-reset.',
    meaning: 'A user keeps one way to sign in. Set a password, or link another provider.',
  },
  last_owner: {
    status: 400,
    message: 'This is the last owner of the partner. At least one owner must remain.',
    meaning: 'Make another owner first (rule A7). An operator can override this with ?orphan=true.',
  },
  account_exists: {
    status: 400,
    message: 'This address already has an account. Sign in with it, or request a new password.',
    meaning: 'The invited address has an account. Sign in, then accept the invitation.',
  },
  invitation_used: {
    status: 400,
    message: 'The invitation has already been accepted or declined.',
    meaning: 'The token has answered its invitation. GET /me/agreements lists the agreements of the user.',
  },
  invitation_replaced: {
    status: 400,
    message: 'The invitation was sent again. Use the link in the latest mail.',
    meaning: 'Only the token in the latest mail of an invitation works.',
  },
  invitation_withdrawn: {
    status: 400,
    message: 'The invitation does not exist any more.',
    meaning:
      'The agreement or the partner was deleted, or another invitation replaced it. Ask for a new one.',
  },
  invitation_expired: {
    status: 400,
    message: 'The invitation has expired.',
    meaning: 'After 7 days, or at the end of its agreement. Ask for a new one.',
  },
  group_name_taken: {
    status: 400,
    message: 'Another permission group of the partner, or a managed group, has this name.',
    meaning: 'Names of groups are unique in a partner, without regard to case.',
  },
  connection_not_ready: {
    status: 400,
    message: 'The identity connection cannot be turned on yet.',
    meaning: '`message` says what is missing: a test, or a verified domain.',
  },
  connection_needed: {
    status: 400,
    message: 'Single sign-on is required, and this is the last identity connection that proves it.',
    meaning: 'Turn the requirement off first, or another connection on: nobody could sign in.',
  },
  domain_taken: {
    status: 400,
    message: 'Another partner has verified this domain.',
    meaning: 'The domain moves here when its DNS has the record of this partner, and not the other one.',
  },
  group_in_use: {
    status: 400,
    message: 'The permission group is in use.',
    meaning: 'Remove the group from agreements first, or delete it with ?detach=true.',
  },
  service_account_rules_nothing: {
    status: 400,
    message: 'A service account cannot be an owner or an operator.',
    meaning: 'Owners and operators must be able to sign in. Give it permissions instead.',
  },
  producer_id_reused: {
    status: 400,
    message: 'The producer_id belongs to another event.',
    meaning: 'Use a different producer_id for each event.',
  },
  endpoint_disabled: {
    status: 400,
    message: 'The webhook endpoint is disabled.',
    meaning: 'Rules W15 and W16. Repair the receiver, then resume the endpoint.',
  },
  endpoint_paused: {
    status: 400,
    message: 'The webhook endpoint is paused.',
    meaning: 'Nothing is sent to a paused endpoint. Resume it: with {"send_now": true} it sends what waits.',
  },
  endpoint_unchecked: {
    status: 400,
    message: 'The deliveries of the webhook endpoint wait for its check.',
    meaning:
      'The platform requires a go-live check, and none has passed for the present URL. POST .../check on the endpoint.',
  },
  endpoint_in_use: {
    status: 400,
    message: 'The live webhook endpoint is in use.',
    meaning:
      'A check sends examples, which a receiver takes for events. Check a live endpoint before its first event, or a sandbox endpoint with the same code.',
  },
  check_running: {
    status: 400,
    message: 'A check of this webhook endpoint is already running.',
    meaning: 'One check of an endpoint runs at a time. GET it to see its progress.',
  },
  not_pending: {
    status: 400,
    message: 'The delivery is not pending.',
    meaning: 'Only a pending delivery can be sent now. Replay a delivery that was delivered or has failed.',
  },
  delivery_held: {
    status: 400,
    message: 'The delivery is held after a restore.',
    meaning: 'An operator chooses what is sent after a restore: POST /platform/held-deliveries.',
  },
  event_type_built_in: {
    status: 400,
    message: 'This event type is built in and cannot be changed.',
    meaning: 'PUT a type with another name.',
  },
  event_type_in_use: {
    status: 400,
    message: 'Endpoints name this event type.',
    meaning:
      '`message` says how many webhook endpoints would lose the type. Change the endpoints, or send ?force=true: they keep the name, and get no events of it.',
  },
  event_type_refuses_events: {
    status: 400,
    message: 'The new schema refuses events of this type.',
    meaning:
      '`message` says how many of the last 1,000 events of the type the new schema refuses, and `errors` has the first fault. Correct the schema, or send ?force=true.',
  },
  headers_required: {
    status: 400,
    message: 'The endpoint has headers, and its URL changes to another origin. Send the headers again.',
    meaning:
      'The stored headers may be secrets of the present receiver. Send `headers` with the new `url`, or `{}` to remove them. `errors` names the member.',
  },
  endpoint_authentication_required: {
    status: 400,
    message:
      'The endpoint has an authentication, and its URL changes to another origin. Send the authentication again.',
    meaning:
      'Tokens of the present receiver must not go to another one. Send `authentication` with its secret and the new `url`, or null to remove it. `errors` names the member.',
  },
  endpoint_deleted: {
    status: 400,
    message: 'The webhook endpoint is deleted.',
    meaning: 'Deliveries of a deleted endpoint can be read, but not sent.',
  },
  replay_running: {
    status: 400,
    message: 'A replay or a send-now of this partner is already running.',
    meaning: 'Another one runs (rules W31, W46). GET it to see its progress, or stop it.',
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
    meaning: 'The token of an invitation works only for a user, or a sign-up, with the invited address.',
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
      'Enable the second factor, then step up with POST /api/auth/two-factor/verify-totp. An access token carries the proof of the session that created it.',
  },
  sso_required: {
    status: 403,
    message:
      "A sign-in with the partner's identity provider is required. Sign in with it in the console. A program needs the token of a service account.",
    meaning:
      'Prove it in this session with POST /api/auth/connections/prove. Access tokens of persons do not work here; those of service accounts do.',
  },
  membership_refused: {
    status: 403,
    message: 'You are not a member of the partner, and cannot become one by this sign-in.',
    meaning:
      'The connection does not admit new members, or the person who set their terms may not grant them any more. `message` says which. An owner of the partner can invite the person.',
  },
  step_up_required: {
    status: 403,
    message:
      'This change requires a proof that is at most ten minutes old. Send your password to POST /api/auth/step-up, with a code of your second factor if you have one, or sign in again.',
    meaning:
      'The session has no recent proof (rule T6). A user without a password signs in again with their provider.',
  },
  insecure_base_url: {
    status: 403,
    message: 'Signing in to the console requires https.',
    meaning:
      'CONCORD_BASE_URL is an http URL of another machine, so others could read the cookie. Set it to an https URL.',
  },
  email_not_verified: {
    status: 403,
    message: 'The e-mail address is not verified.',
    meaning:
      'Open the link in the mail. POST /api/auth/send-verification-email sends it again. After a provider: verify the address there, and set a new password if you have an account.',
  },
  forbidden: {
    status: 403,
    message: 'You do not have permission to do this.',
    meaning: 'The caller can see the resource but does not have the permission.',
  },
  not_found: {
    status: 404,
    message: 'Not found.',
    meaning: 'The path or the resource does not exist, or is hidden from the caller.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not support this method.',
    meaning: 'The Allow header lists the methods of the path.',
  },
  unsupported_version: {
    status: 406,
    message: 'This version of the interface is not available. Use Accept-Version: 2.0.',
    meaning: 'Accept-Version names a version other than 2.0.',
  },
  idempotency_in_flight: {
    status: 409,
    message: 'A request with this Idempotency-Key is still in progress. Try again shortly.',
    meaning: 'The first request with this key has not finished yet.',
  },
  access_request_settled: {
    status: 409,
    message: 'The access request is no longer in the state that this needs.',
    meaning:
      'A request is answered or withdrawn once, while it is pending, and ended while it gives access (rule A31). `message` says what it is now.',
  },
  access_review_settled: {
    status: 409,
    message: 'The access review can no longer be changed in this way.',
    meaning:
      'An agreement is confirmed or ended once in a review, while the review is open and the agreement lives (rule A36).',
  },
  import_plan_changed: {
    status: 409,
    message: 'The plan of this import has changed.',
    meaning:
      'An event type, its events or the document is another one since the plan was made. Ask for a new plan.',
  },
  precondition_failed: {
    status: 412,
    message: 'The resource has changed: its ETag does not match If-Match.',
    meaning: 'Read the resource again, then repeat the change with its new ETag.',
  },
  body_too_large: {
    status: 413,
    message: 'The request body is too large.',
    meaning: 'The body exceeds the limit of the operation: 64 KiB unless its description says otherwise.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'The content type is not supported. Send application/json.',
    meaning: 'The Content-Type or Content-Encoding is not accepted, or the Content-Type is missing.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used with another request body.',
    meaning: 'Use a new key for each new request.',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests. Try again after the time in Retry-After.',
    meaning: 'The message and `RateLimit-Policy` name the limit (rule L7).',
  },
  internal: {
    status: 500,
    message: 'Something went wrong on our side. Try again later.',
    meaning: 'Concord failed, or its database is not available. Quote request_id when you report it.',
  },
  not_ready: {
    status: 500,
    message: 'The service is not ready.',
    meaning: 'From /health/ready: the database does not answer, or the service is stopping.',
  },
  provider_unavailable: {
    status: 503,
    message: 'The identity provider cannot be reached. Try again after the time in Retry-After.',
    meaning: 'Concord could not discover the OpenID Connect provider.',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof catalogue;

/** What can be wrong with one member or parameter of a request. */
export const faultCodes = {
  required: 'A required member is missing.',
  unknown_member: 'The request has a member or filter that does not exist.',
  wrong_type: 'The value does not have the type that the schema requires.',
  too_long: 'The text has too many characters, or the list has too many items.',
  invalid_value: 'The schema does not allow this value.',
} as const;
