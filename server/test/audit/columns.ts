// What the deletion of a person does to each column with text, JSON or bytes (behaviour U13).
import { addressTexts, textNames } from '../../src/partners/columns.ts';

const none = 'none: names nobody';
const erased = 'erased';
const blanked = 'erased: emptied, or deleted with its row';
const pseudonym = 'kept: the id of the user, which leads to nobody once the user is deleted';
const ofPartner = 'kept: belongs to the partner, which can change it';
const ofOperators = 'kept: belongs to the operators';
const hash = 'kept: a hash or a MAC';

const all = (table: string, columns: string, fate: string) =>
  Object.fromEntries(columns.split(' ').map((column) => [`${table}.${column}`, fate]));

export const classified: Readonly<Record<string, string>> = {
  ...all('access_token', 'name prefix scopes token_hash user_id', erased),
  ...all(
    'device_authorization',
    'device_code_hash user_code_mac client_name address token_hash token_prefix',
    'kept: of a program that nobody has approved yet; gone after an hour',
  ),
  ...all('identity_connection', 'authentication client_id issuer name public_jwk secret', ofPartner),
  ...all('identity_connection', 'terms_by', blanked),
  ...all('identity_domain', 'domain proof', ofPartner),
  ...all('identity_domain', 'last_check', none),
  ...all('provisioned_user', 'document external_id user_name_key email_key', blanked),
  ...all('provisioned_group', 'document external_id', ofPartner),
  ...all('provisioning_request', 'method path detail', none),
  ...all('provisioning_token', 'prefix token_hash', ofPartner),
  ...all('break_glass', 'session_id', erased),
  ...all('connection_session', 'provider_session session_id subject', erased),
  ...all('session_proof', 'acr amr provider_session session_id subject', erased),
  ...all('identity_visit', 'browser_hash page purpose secrets session_id state_hash', erased),
  ...all(
    'identity_claim',
    'acr amr browser_hash email kind provider_session subject token_hash user_id',
    erased,
  ),
  ...all('identity_logout', 'jti_hash session_hash subject_hash', hash),
  // Pending agreements with the address are deleted too.
  ...all('agreement', 'acl_permissions email email_key user_id', erased),
  // They go with the agreement of the person.
  ...all('access_request', 'permissions reason state user_id', erased),
  ...all('access_request', 'decided_by note', blanked),
  ...all('access_review', 'counts', none),
  ...all('access_review_item', 'acl_permissions decision group_names', none),
  ...all('access_review_item', 'decided_by email name user_id', blanked),
  ...all('attempt', 'error response_body', 'kept: what a receiver of the partner answered'),
  ...all('attempt', 'key_id signature', none),
  ...all('attempt', 'url', ofPartner),
  ...all(
    'audit_erasure',
    'subject',
    'erased: by the task, when the last value is deleted. The id of the user stays for a minute',
  ),
  ...all('audit_log', 'action actor_kind outcome details', none),
  ...all('audit_log', 'actor_id target credential request_id', pseudonym),
  ...all(
    'audit_log',
    'changes',
    'kept: personal members are in audit_person. Members of a partner can have any text',
  ),
  ...all('audit_log', 'address_commitment person_commitment', 'kept: hashes with a salt that is erased'),
  ...all('audit_person', 'part personal salt subject', erased),
  ...all('audit_seal', 'mac row_macs dropped_mac', hash),
  ...all(
    'auth.account',
    'access_token account_id id id_token password provider_id refresh_token scope user_id',
    erased,
  ),
  ...all('auth.invitation_token', 'email inviter_id', blanked),
  ...all('auth.invitation_token', 'ended token_hash', none),
  ...all('auth.mail_link', 'email purpose session_id token_hash user_id', erased),
  ...all('auth.passkey', 'credential_id name public_key transports user_id', erased),
  ...all('auth.pending_sign_up', 'email name password token_hash', erased),
  ...all('auth.proof_use', 'proof_hash user_id', erased),
  ...all('auth.provider_code', 'answer browser_hash code_hash user_id', erased),
  ...all('auth.session', 'id impersonated_by ip_address replaced_by token user_agent user_id', erased),
  ...all('auth.two_factor', 'backup_codes id secret user_id', erased),
  ...all('auth.unlinked_provider', 'provider_id user_id', erased),
  ...all('auth.user', 'ban_reason email id image name role', erased),
  // A visit to a provider is sealed, names no user yet, and lasts ten minutes.
  ...all('auth.verification', 'id identifier value', erased),
  ...all('checkpoint', 'jws root', none),
  ...all('delivery', 'environment event_type last_reason proof status', none),
  ...all('delivery_hour', 'outcome', none),
  ...all('delivery_minute', 'outcome', none),
  ...all('endpoint_check', 'status results', none),
  ...all('endpoint_check', 'url', ofPartner),
  ...all('endpoint_check', 'waived_reason', 'kept: what an operator wrote about the endpoint'),
  ...all('platform_event', 'type', none),
  ...all('platform_event', 'data', 'kept: ids, for the seconds until it is published'),
  ...all('event', 'traceparent', none),
  ...all(
    'event',
    'body environment producer_id type',
    'kept: business data of the partner, until its retention ends',
  ),
  ...all('event_type', 'description example name schema successor', ofOperators),
  ...all('event_type_partner', 'type', ofOperators),
  ...all('deprecation_notice', 'type', ofOperators),
  ...all('guard_count', 'key', `${hash}, for a day at most`),
  ...all('held_deliveries', 'choice', none),
  ...all('idempotent_answer', 'body headers key path principal_id', blanked),
  ...all('idempotent_answer', 'body_hash method', `${hash}, for 24 hours`),
  ...all('held_deliveries', 'choice', none),
  ...all('instance', 'host_name role version', none),
  ...all('known_producer_id', 'content_hash environment producer_id', ofPartner),
  // Only the mail about the deletion itself waits afterwards, until it is sent.
  ...all('mail', 'last_error recipient refusing_domain sealed', erased),
  ...all('partner', [...textNames, ...addressTexts].join(' '), ofPartner),
  ...all('permission_group', 'acl_permissions name', ofPartner),
  ...all('replay', 'action', none),
  ...all('replay', 'filter', ofPartner),
  ...all('request_window', 'key', `${hash}, until the window ends`),
  ...all(
    'listener_request',
    'answer headers url',
    'none: test requests of the partner, deleted within minutes',
  ),
  ...all('sandbox_receiver', 'token', ofPartner),
  ...all(
    'sandbox_receiver_request',
    'body headers method verification',
    'kept: test events of the partner, until 50 others came or their retention ends',
  ),
  ...all('scheduled_task', 'name', none),
  ...all('schema_migration', 'name hash', none),
  ...all('secret_check', 'check_value', none),
  ...all('service_account', 'user_id', 'none: a program'),
  ...all('setup', 'token_hash', `${hash}, until an operator has signed in`),
  ...all('signing_key', 'environment kid public_jwk sealed', none),
  ...all(
    'webhook_endpoint',
    'authentication batch check_status client_certificate description disabled_reason environment event_types filter header_names ordering payload retry_schedule sealed_authentication sealed_client_certificate sealed_headers sealed_signing_secret status url',
    ofPartner,
  ),
};
