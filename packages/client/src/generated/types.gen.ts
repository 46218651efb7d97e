// Generated from openapi.json by `npm run generate`.
// @ts-nocheck

export type Webhooks = OnAgreementAcceptedWebhookRequest | OnAgreementEndedWebhookRequest | OnDeliveryFailedWebhookRequest | OnInventoryUpdatedWebhookRequest | OnOrderStatusChangedWebhookRequest | OnPartnerCreatedWebhookRequest | OnPartnerDeletedWebhookRequest | OnSigningKeyRotatedWebhookRequest | OnWebhookEndpointCheckpointWebhookRequest | OnWebhookEndpointDisabledWebhookRequest | OnWebhookEndpointFailingWebhookRequest | OnWebhookEndpointRecoveredWebhookRequest;

export type AccessRequest = {
    id: string;
    /**
     * The agreement of the person who asks
     */
    agreement_id: string;
    /**
     * The name of the person who asks
     */
    name: string;
    /**
     * The address of the agreement
     */
    email: string;
    permissions: Array<PermissionName>;
    /**
     * For how long, from the approval on. The access ends with the agreement at the latest
     */
    duration_seconds: number;
    reason: string;
    /**
     * `lapsed`: nobody answered in time. `ended`: the approved access has ended
     */
    state: 'pending' | 'approved' | 'denied' | 'withdrawn' | 'lapsed' | 'ended';
    /**
     * RFC 3339, UTC, milliseconds
     */
    created_at: string;
    /**
     * A pending request can be answered until then
     */
    lapses_at: string;
    /**
     * When it was answered, withdrawn or marked as lapsed. null: not yet
     */
    settled_at: string | null;
    /**
     * The name of the person who answered. null: nobody did, or the user is deleted
     */
    decided_by: string | null;
    /**
     * What that person wrote
     */
    note: string | null;
    /**
     * When the access ends, or ended. null: the request was not approved
     */
    ends_at: string | null;
};

export type AccessReview = {
    id: string;
    state: 'open' | 'closed';
    /**
     * RFC 3339, UTC, milliseconds
     */
    opened_at: string;
    /**
     * When a mail warned the owners. null: not yet
     */
    warned_at: string | null;
    /**
     * What nobody confirmed ends from then on
     */
    due_at: string;
    /**
     * null: the review is open
     */
    closed_at: string | null;
    agreements: AccessReviewAgreements;
};

/**
 * How many agreements have which decision
 */
export type AccessReviewAgreements = {
    total: number;
    pending: number;
    confirmed: number;
    ended: number;
    lapsed: number;
    kept: number;
    gone: number;
    undecided: number;
};

export type AccessReviewItem = {
    /**
     * The agreement
     */
    id: string;
    /**
     * The name of the person or service account. null: the account of the person is deleted
     */
    name: string | null;
    /**
     * The address of the agreement. null: as for `name`, or a service account
     */
    email: string | null;
    /**
     * `lapsed`: nobody confirmed it, so the review ended it. `kept`: as `lapsed`, but the last owner stays. `gone`: it ended, or was deleted, before anybody decided. `undecided`: the review was closed early
     */
    decision: 'pending' | 'confirmed' | 'ended' | 'lapsed' | 'kept' | 'gone' | 'undecided';
    /**
     * null: nothing is decided
     */
    decided_at: string | null;
    service_account: boolean;
    owner: boolean;
    /**
     * What the agreement gave directly when the review opened, such as `deliveries.query`
     */
    permissions: Array<string>;
    /**
     * Its permission groups when the review opened
     */
    group_names: Array<string>;
    /**
     * The name of the person. null: the review itself, or the account of the person is deleted
     */
    decided_by: string | null;
    /**
     * As for `decided_by`
     */
    decided_by_email: string | null;
};

export type AccessReviewPolicy = {
    /**
     * A review opens this often. null: never
     */
    interval_days: number | null;
    /**
     * The owners are warned so long after the opening, and what nobody confirmed ends so long after the warning. At most half of `interval_days`
     */
    warning_days: number;
    /**
     * When the next review opens, unless one is open. null: never
     */
    next_review_at: string | null;
};

export type AccessToken = {
    id: string;
    name: string;
    /**
     * The first 18 characters of the token, to recognise it
     */
    prefix: string;
    /**
     * The token may do what both its scopes and its user may do
     */
    scopes: Array<AclPermission>;
    /**
     * The token works only with these partners. null: with every partner of its user
     */
    partner_ids: Array<string> | null;
    /**
     * When the token stops working
     */
    expires_at: string;
    /**
     * RFC 3339, UTC, milliseconds
     */
    created_at: string;
};

export type AclPermission = {
    /**
     * `*` stands for all resources
     */
    resource: '*' | 'partner' | 'agreements' | 'acl_permission_groups' | 'audit_log' | 'webhook_endpoints' | 'events' | 'deliveries';
    /**
     * Read one object
     */
    get: boolean;
    /**
     * Replace an object
     */
    put: boolean;
    /**
     * Create an object, or run an action
     */
    post: boolean;
    /**
     * Update an object
     */
    patch: boolean;
    /**
     * Delete an object
     */
    delete: boolean;
    /**
     * List or search objects
     */
    query: boolean;
};

export type AclPermissionGroup = {
    id: string;
    /**
     * The partner that the group belongs to. Managed groups have ptr_00000000000000000000000000.
     */
    account_id: string;
    name: string;
    /**
     * `managed`: built in, read-only, and the same for every partner. `custom`: belongs to one partner
     */
    type: 'managed' | 'custom';
    /**
     * RFC 3339, UTC, milliseconds
     */
    created_at: string;
    /**
     * When a member last changed
     */
    updated_at: string;
    acl_permissions: Array<AclPermission>;
};

export type AclPermissionGroupPreview = {
    /**
     * How many agreements carry the group
     */
    total: number;
    /**
     * The first 1,000 agreements that carry the group, by id
     */
    agreements: Array<AclPermissionGroupPreviewAgreement>;
};

export type AclPermissionGroupPreviewAgreement = {
    /**
     * null: you lack the permission agreements.query
     */
    agreement_id: string | null;
    /**
     * null: you lack the permission agreements.query
     */
    email: string | null;
    /**
     * null: the agreement is pending, or you lack the permission agreements.query
     */
    name: string | null;
    owner: boolean;
    /**
     * An agreement that is not active gains and loses nothing
     */
    state: 'pending' | 'active' | 'expired';
    /**
     * What it will allow, and does not allow now, as `resource.method`
     */
    gained: Array<string>;
    /**
     * What it allows now, and will not allow, as `resource.method`
     */
    lost: Array<string>;
};

export type AclResource = {
    resource: 'partner' | 'agreements' | 'acl_permission_groups' | 'audit_log' | 'webhook_endpoints' | 'events' | 'deliveries';
    description: string;
    methods: Array<AclResourceMethod>;
};

export type AclResourceMethod = {
    method: 'get' | 'put' | 'post' | 'patch' | 'delete' | 'query';
    description: string;
};

export type AddDomain = {
    /**
     * Its subdomains are domains of their own
     */
    domain: string;
};

export type AddPasskey = {
    /**
     * For people
     */
    name: string;
    /**
     * From the options. It works once, for five minutes, and only for whom the options were made
     */
    sealedChallenge: string;
    credential: PasskeyAttestation;
};

export type AddedPasskey = {
    passkey: Passkey;
    /**
     * The first second factor of the user brings these. Only this response shows them.
     */
    backupCodes?: Array<string>;
    /**
     * Replaces the session token that you sent, which has ended
     */
    token?: string;
};

export type Agreement = {
    id: string;
    /**
     * false: the invited user has not accepted it
     */
    accepted: boolean;
    /**
     * An owner holds all permissions on the partner
     */
    owner: boolean;
    /**
     * The agreement grants nothing without a second factor. True from the start if the member who created it needs one
     */
    mfa_required: boolean;
    /**
     * RFC 3339, UTC, milliseconds
     */
    created_at: string;
    /**
     * When a member last changed
     */
    updated_at: string;
    /**
     * When the agreement ends. null: never
     */
    expires_at: string | null;
    user: AgreementUser;
    /**
     * Granted directly, in addition to the groups
     */
    acl_permissions: Array<AclPermission>;
    /**
     * The groups that the agreement carries, in order
     */
    acl_permission_groups: Array<AclPermissionGroup>;
    /**
     * The ids of the same groups
     */
    acl_permission_group_ids: Array<string>;
};

export type AgreementAcceptedWebhook = {
    /**
     * The event
     */
    id: string;
    type: 'agreement.accepted';
    created_at: string;
    partner_id: string;
    environment: 'live' | 'sandbox';
    data: AgreementAcceptedWebhookData;
};

export type AgreementAcceptedWebhookData = {
    occurred_at: string;
    partner_id: string;
    agreement_id: string;
    user_id: string;
    owner: boolean;
};

export type AgreementEndedWebhook = {
    /**
     * The event
     */
    id: string;
    type: 'agreement.ended';
    created_at: string;
    partner_id: string;
    environment: 'live' | 'sandbox';
    data: AgreementEndedWebhookData;
};

export type AgreementEndedWebhookData = {
    occurred_at: string;
    partner_id: string;
    agreement_id: string;
    user_id: string;
    owner: boolean;
    reason: 'expired' | 'deleted';
};

export type AgreementUser = {
    /**
     * The address that was invited
     */
    email: string;
    /**
     * null: not accepted yet
     */
    name: string | null;
};

export type AskSecondFactor = {
    /**
     * From the sign-in to complete. Absent: the request has a session token.
     */
    twoFactorToken?: string;
};

export type AskSignInMethods = {
    email: string;
};

export type Attempt = {
    /**
     * Counts the attempts of the delivery, of all rounds
     */
    number: number;
    /**
     * RFC 3339, UTC, milliseconds
     */
    started_at: string;
    /**
     * The duration of the request, in milliseconds
     */
    duration_ms: number;
    /**
     * The HTTP status of the answer. null: there was no answer
     */
    status_code: number | null;
    /**
     * A reason and its details, such as `timeout: ...` (docs/webhooks.md). null: there was an answer, and no redirect
     */
    error: string | null;
    /**
     * The first 16 KiB of the answer, with U+FFFD for control characters. null: there was no answer
     */
    response_body: string | null;
    batch: SentBatch | null;
};

export type AttemptWithRequest = {
    /**
     * Counts the attempts of the delivery, of all rounds
     */
    number: number;
    /**
     * RFC 3339, UTC, milliseconds
     */
    started_at: string;
    /**
     * The duration of the request, in milliseconds
     */
    duration_ms: number;
    /**
     * The HTTP status of the answer. null: there was no answer
     */
    status_code: number | null;
    /**
     * A reason and its details, such as `timeout: ...` (docs/webhooks.md). null: there was an answer, and no redirect
     */
    error: string | null;
    /**
     * The first 16 KiB of the answer, with U+FFFD for control characters. null: there was no answer
     */
    response_body: string | null;
    batch: SentBatch | null;
    request: SentRequest | null;
    /**
     * The text that was signed (RFC 9421, section 2.5). null: no request was signed, or an earlier version sent it
     */
    signature_base: string | null;
    /**
     * The key that signed. null: no request was signed, or an earlier version sent it
     */
    key_id: string | null;
    /**
     * When the request was signed, in Unix seconds. null: no request was signed, or an earlier version sent it
     */
    created: number | null;
    /**
     * The signature in base64: r and s of ECDSA (IEEE P1363). null: no request was signed, or an earlier version sent it
     */
    signature: string | null;
};

export type AuditRecord = {
    id: string;
    /**
     * When the transaction of the change began
     */
    at: string;
    /**
     * The partner. null: the change does not concern one
     */
    partner_id: string | null;
    /**
     * The present name of the partner. null: the record has none, or it is purged
     */
    partner_name: string | null;
    actor: AuditRecordActor;
    credential: AuditRecordCredential;
    /**
     * The id of the request. null: there was none
     */
    request_id: string | null;
    action: string;
    /**
     * The id of the object. null: the action has none
     */
    target: string | null;
    /**
     * The name of the object at that time. null: it has none, or as for the name of the actor
     */
    target_name: string | null;
    /**
     * `intended`: an account change starts; another record says how it ended. `denied`: a permission was missing
     */
    outcome: 'done' | 'intended' | 'failed' | 'denied';
    /**
     * What else is known, by name
     */
    details: {
        [key: string]: unknown;
    };
    /**
     * Each member of the object that changed. null before: it is new. null after: it is deleted
     */
    changes: {
        [key: string]: AuditRecordChange;
    };
    /**
     * The e-mail address of the target, a user or an agreement. null: there is none, or it was erased
     */
    email: string | null;
    /**
     * Personal values of this record were erased
     */
    erased: boolean;
};

export type AuditRecordActor = {
    /**
     * What the actor was at that time. `nobody`: a sign-in that was refused
     */
    kind: 'person' | 'service_account' | 'operator' | 'connection' | 'command' | 'task' | 'nobody';
    /**
     * The id of the user. `system` and `command line` are not users
     */
    id: string;
    /**
     * The name at that time. null: there was none, it was erased, or an earlier version wrote the record
     */
    name: string | null;
    /**
     * The e-mail address at that time. null: as for `name`, or the actor is an operator and you are not
     */
    email: string | null;
    /**
     * The network address. null: there was none, or it was erased
     */
    address: string | null;
};

export type AuditRecordChange = {
    before: unknown;
    after: unknown;
};

export type AuditRecordCredential = {
    kind: 'session' | 'token' | 'provisioning_token' | 'mail_link' | 'provider' | 'task' | 'command' | 'none';
    id: string;
};

export type AuthzenConfiguration = {
    policy_decision_point: string;
    access_evaluation_endpoint: string;
    access_evaluations_endpoint: string;
};

export type BackupCodes = {
    status: boolean;
    /**
     * Each code works once. Only this response shows them.
     */
    backupCodes: Array<string>;
};

export type BanUser = {
    /**
     * Operators see it. null: none. Default: null
     */
    reason?: string | null;
    /**
     * When the ban ends. null: never. Default: null
     */
    expires_at?: string | null;
};

/**
 * Each member is null when it is not known
 */
export type BillingAddress = {
    street: string | null;
    postal_code: string | null;
    city: string | null;
    region: string | null;
    country: string | null;
    /**
     * Latitude: any number, or one of the texts NaN, Infinity and -Infinity. null: not known
     */
    latitude: number | 'NaN' | 'Infinity' | '-Infinity' | null;
    /**
     * Longitude: any number, or one of the texts NaN, Infinity and -Infinity. null: not known
     */
    longitude: number | 'NaN' | 'Infinity' | '-Infinity' | null;
};

export type BreakGlass = {
    /**
     * What happened. All owners read it
     */
    reason: string;
};

export type BrokenGlass = {
    /**
     * When the access without the identity provider ends
     */
    until: string;
};

export type CapturedRequest = {
    /**
     * The method of the request, `POST` for a webhook
     */
    method: string;
    /**
     * The URL of the endpoint, as it is registered
     */
    url: string;
    /**
     * The headers of the request, in its order, as an attempt and the sandbox receiver show them. Also valid: an array of pairs `["name", "value"]`, and an object with a value, or an array of values, for each name.
     */
    headers: Array<HeaderLine>;
    /**
     * The body as it was received, byte for byte
     */
    body: string;
    /**
     * The encoding of `body`. Default: utf8
     */
    body_encoding?: 'utf8' | 'base64';
    /**
     * The environment whose keys verify the request. Default: live
     */
    environment?: 'live' | 'sandbox';
    /**
     * The time at which to verify, which an older request requires: a signature is valid for 5 minutes. Default: `received_at`, or else now
     */
    at?: string;
    /**
     * As the sandbox receiver gives it: the default of `at`
     */
    received_at?: string;
    /**
     * As the sandbox receiver gives it. It has no effect
     */
    verification?: unknown;
};

export type ChangeEmail = {
    newEmail: string;
};

export type ChangePassword = {
    /**
     * The current password
     */
    currentPassword: string;
    /**
     * 12 to 128 characters, and not one of the most common passwords
     */
    newPassword: string;
    /**
     * Also ends your other sessions and your access tokens. Default: true
     */
    revokeOtherSessions?: boolean;
};

export type CheckEventType = {
    /**
     * The JSON Schema (draft 2020-12) that the `data` of the events must fit
     */
    schema: {
        [key: string]: unknown;
    };
};

export type CheckFilter = {
    filter: EventFilter;
    /**
     * The event types that the endpoint wants. Default: null, every type
     */
    event_types?: Array<string> | null;
    /**
     * The environment of the endpoint. Default: live
     */
    environment?: 'live' | 'sandbox';
};

export type CheckPasswordReset = {
    /**
     * The token from the mail: what follows `#token=` in its link
     */
    token: string;
};

export type Checkpoint = {
    id: string;
    /**
     * The id of the endpoint
     */
    endpoint_id: string;
    /**
     * The id of the checkpoint before. null: the first of its chain
     */
    previous_id: string | null;
    /**
     * About when the first event that it covers could be published
     */
    covers_from: string;
    /**
     * About when the last one could
     */
    covers_until: string;
    /**
     * RFC 3339, UTC, milliseconds
     */
    created_at: string;
    /**
     * How many deliveries it covers
     */
    count: number;
    /**
     * How many of them were delivered when it was made
     */
    delivered: number;
    /**
     * How many were pending
     */
    pending: number;
    /**
     * How many had failed
     */
    failed: number;
    /**
     * How many were cancelled
     */
    cancelled: number;
    /**
     * The Merkle root of the ids of the events, in hexadecimal digits (RFC 9162, section 2.1.1)
     */
    root: string;
    /**
     * The statement, signed with the key of the environment: a compact JWS
     */
    jws: string;
};

export type CheckpointDelivery = {
    /**
     * A leaf of the Merkle tree
     */
    event_id: string;
    delivery_id: string;
    /**
     * The present status. `pending`: it is on its way
     */
    status: 'delivered' | 'pending' | 'failed' | 'cancelled';
};

export type ChooseHeldDeliveries = {
    /**
     * `send`: they are due now. `fail`: deliveries fail with the reason `restored`, and mails are dropped
     */
    choice: 'send' | 'fail';
};

export type ClientCertificate = {
    /**
     * The name in the certificate
     */
    subject: string;
    /**
     * When it ends
     */
    not_after: string;
    /**
     * The SHA-256 hash of the certificate, in hexadecimal
     */
    fingerprint_sha256: string;
    /**
     * The name of the authority that signed it
     */
    issuer: string;
    /**
     * The serial number, in hexadecimal
     */
    serial: string;
    /**
     * When it begins
     */
    not_before: string;
    /**
     * The certificate in PEM, with its chain if it was given
     */
    certificate: string;
    /**
     * The request for a certificate (CSR) in PEM, which an authority can sign. null: the key was not made by Concord
     */
    csr: string | null;
    /**
     * Whether Concord made the key
     */
    made_by_concord: boolean;
};

export type ConfirmAgreements = {
    agreement_ids: Array<string>;
};

export type ConfirmDeletion = {
    /**
     * The token from the mail: what follows `#token=` in its link
     */
    token: string;
};

export type ConsoleSettings = {
    /**
     * The URL at which clients reach the service
     */
    base_url: string;
    version: string;
    cookie_sign_in: ConsoleSettingsCookieSignIn;
    /**
     * The providers that are configured for sign-in
     */
    providers: Array<ConsoleSettingsProvider>;
    mail: ConsoleSettingsMail;
    endpoint_retries: ConsoleSettingsEndpointRetries;
    /**
     * How long events, deliveries and attempts are kept
     */
    webhook_retention_seconds: number;
    /**
     * false: no operator has signed in yet
     */
    set_up: boolean;
    /**
     * Whether the request of the console has the cookie of a session, which can have ended. false outside the console
     */
    session_cookie: boolean;
};

export type ConsoleSettingsCookieSignIn = {
    /**
     * Whether a browser can sign in to the console
     */
    allowed: boolean;
    /**
     * Why it cannot, for people. null: it can
     */
    reason: string | null;
};

/**
 * What null in these members of a webhook endpoint means, and the most that an endpoint can ask for
 */
export type ConsoleSettingsEndpointRetries = {
    retry_schedule: Array<number>;
    timeout_seconds: number;
    disable_after_hours: number;
    most_retry_seconds: number;
    most_timeout_seconds: number;
    most_disable_after_hours: number;
};

export type ConsoleSettingsMail = {
    /**
     * `files`: there is no SMTP server, so each mail becomes a file
     */
    kind: 'smtp' | 'files';
    /**
     * The folder of these files, if the base URL is on the machine of the service. Otherwise null
     */
    folder: string | null;
};

export type ConsoleSettingsProvider = {
    provider: 'google' | 'github' | 'microsoft' | 'oidc';
    name: string;
};

export type CreateAccessRequest = {
    permissions: Array<PermissionName>;
    /**
     * For how long, from the approval on. The access ends with the agreement at the latest
     */
    duration_seconds: number;
    /**
     * Why. Those who can approve the request read it
     */
    reason: string;
};

export type CreateAccessToken = {
    name: string;
    /**
     * Lists each resource at most once
     */
    scopes: Array<AclPermission>;
    /**
     * At most 365 days from now. null: 90 days from now. Default: null
     */
    expires_at?: string | null;
    /**
     * The token works only with these partners. null: with every partner of its user. Default: null
     */
    partner_ids?: Array<string> | null;
};

export type CreateAclPermissionGroup = {
    /**
     * Unique among the groups of the partner and the managed groups. Case does not matter.
     */
    name: string;
    /**
     * Lists each resource at most once
     */
    acl_permissions: Array<AclPermission>;
};

export type CreateAgreement = {
    /**
     * The address of the person to invite
     */
    email: string;
    /**
     * Only owners and operators can set true. null: false. Default: false
     */
    owner?: boolean | null;
};

export type CreateIdentityConnection = {
    name: string;
    /**
     * Exactly as the provider states it: an issuer with a slash at its end is another one
     */
    issuer: string;
    client_id: string;
    /**
     * How Concord authenticates at the token endpoint (OpenID Connect Core 1.0, section 9). `private_key_jwt`: with a key that Concord makes
     */
    authentication: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';
    /**
     * Not for `private_key_jwt`. A change of the issuer needs it again. No answer shows it
     */
    client_secret?: string;
    /**
     * Default: false
     */
    admits_new_members?: boolean;
    terms?: CreateIdentityConnectionTerms;
};

/**
 * For agreements that a sign-in or provisioning makes. None is that of an owner.
 */
export type CreateIdentityConnectionTerms = {
    acl_permission_group_ids: Array<string>;
    /**
     * After how many days an agreement ends. null: it does not end
     */
    days: number | null;
    mfa_required: boolean;
};

export type CreateListener = {
    /**
     * Where the command forwards requests, usually on the own machine. They are signed for this URL. Concord sends nothing to it
     */
    forward_to: string;
    /**
     * The event types that the listener wants. null: every type. Default: null
     */
    event_types?: Array<string> | null;
    /**
     * `thin`: requests have events without their `data`. Default: full
     */
    payload?: 'full' | 'thin';
    description?: string | null;
};

export type CreatePartner = {
    name: string;
    description?: string | null;
    phone?: string | null;
    vat_no?: string | null;
    website?: string | null;
    /**
     * Any text; the form is not checked
     */
    billing_email?: string | null;
    /**
     * Any text; the form is not checked
     */
    support_email?: string | null;
    support_phone?: string | null;
    /**
     * Any JSON value. An object is merged into the address (RFC 7396). null clears the address. Unknown members and invalid values are ignored; the response header `Ignored-Members` lists them.
     */
    billing_address?: unknown;
};

export type CreateServiceAccessToken = {
    name: string;
    /**
     * Lists each resource at most once
     */
    scopes: Array<AclPermission>;
    /**
     * At most 365 days from now. null: 90 days from now. Default: null
     */
    expires_at?: string | null;
};

export type CreateServiceAccount = {
    name: string;
};

export type CreateWebhookEndpoint = {
    /**
     * Where webhooks are sent: an https URL without credentials and fragment. An operator can allow http. It is normalised, and the answer shows the result. A change of scheme, host or port requires `headers` if the endpoint has headers, and `authentication` if it has that
     */
    url: string;
    /**
     * The environment of the events that are sent. Default: live
     */
    environment?: 'live' | 'sandbox';
    description?: string | null;
    /**
     * The event types that the endpoint wants. null: every type, including types that are added later
     */
    event_types?: Array<string> | null;
    filter?: EventFilter | null;
    /**
     * `none`: deliveries do not wait for each other. `strict`: each delivery waits until the one before is delivered or has failed. Default: none
     */
    ordering?: 'none' | 'strict';
    /**
     * The most requests at the same time. Default: 8
     */
    max_concurrency?: number;
    /**
     * The most requests in a second. null: no limit
     */
    rate_limit_per_second?: number | null;
    /**
     * The seconds from each failed attempt to the next, up to 20 % shorter or longer. []: no second attempt. null: as the platform does
     */
    retry_schedule?: Array<number> | null;
    /**
     * The longest time of an attempt. null: as the platform does
     */
    timeout_seconds?: number | null;
    /**
     * The endpoint is disabled when every attempt has failed for so long. null: five days
     */
    disable_after_hours?: number | null;
    /**
     * `full`: webhooks have the whole event. `thin`: they lack `data`, which the receiver fetches with GET /partners/{id}/events/{event_id}. Default: full
     */
    payload?: 'full' | 'thin';
    /**
     * How often a checkpoint is made and sent: a signed statement that shows whether deliveries are missing. null: never
     */
    checkpoint_minutes?: number | null;
    batch?: CreateWebhookEndpointBatch | null;
    /**
     * Headers to send with each webhook, 8 KiB at most. They are never shown again, and replace all earlier headers
     */
    headers?: {
        [key: string]: string;
    } | null;
    authentication?: CreateWebhookEndpointAuthentication | null;
};

/**
 * How Concord gets the access token that its requests have in the header Authorization: OAuth 2.0 client credentials (RFC 6749, section 4.4). It replaces the earlier one, and excludes an own header Authorization. Default of `client_authentication`: basic. null: requests have no token
 */
export type CreateWebhookEndpointAuthentication = {
    type: 'oauth2_client_credentials';
    /**
     * Where Concord requests tokens, by POST. The rules for the URL of an endpoint hold for it too
     */
    token_url: string;
    /**
     * The id by which the token URL knows Concord
     */
    client_id: string;
    /**
     * The secret of the client. It is never shown again
     */
    client_secret: string;
    /**
     * The scopes to ask for, with a space between them. null: none is asked for
     */
    scope?: string | null;
    /**
     * For whom the token is, where the token URL asks for it. null: it is not sent
     */
    audience?: string | null;
    /**
     * How the id and the secret are sent: `basic` in the header Authorization, `form` in the body
     */
    client_authentication?: 'basic' | 'form';
};

/**
 * Several events are sent in one request: the body is an array of them, and `Webhook-Id` is that of the batch. null: one event in each request
 */
export type CreateWebhookEndpointBatch = {
    /**
     * The most events in a request
     */
    max_events: number;
    /**
     * How long an event waits for others at most. 0: it goes with those that wait already
     */
    max_wait_seconds: number;
};

export type CreatedAccessToken = {
    id: string;
    name: string;
    /**
     * The first 18 characters of the token, to recognise it
     */
    prefix: string;
    /**
     * The token may do what both its scopes and its user may do
     */
    scopes: Array<AclPermission>;
    /**
     * The token works only with these partners. null: with every partner of its user
     */
    partner_ids: Array<string> | null;
    /**
     * When the token stops working
     */
    expires_at: string;
    /**
     * RFC 3339, UTC, milliseconds
     */
    created_at: string;
    /**
     * Send it as `Authorization: Bearer <token>`. Only this response shows it.
     */
    token: string;
};

export type CreatedProvisioningToken = {
    /**
     * Only this answer shows it
     */
    token: string;
    prefix: string;
};

export type DefaultAclPermissionGroup = {
    /**
     * A custom group of the partner, which new agreements carry. null: none
     */
    acl_permission_group_id: string | null;
};

export type DeleteUser = {
    /**
     * The current password. Absent: a mail with a link asks you to confirm the deletion
     */
    password?: string;
};

export type DeletedPartner = {
    id: string;
    name: string;
    /**
     * RFC 3339, UTC, milliseconds
     */
    deleted_at: string;
    /**
     * 30 days after the deletion. From then on the partner cannot be restored
     */
    restorable_until: string;
};

export type Delivery = {
    id: string;
    /**
     * The id of the event that is delivered
     */
    event_id: string;
    /**
     * The type of the event
     */
    event_type: string;
    /**
     * The id of the endpoint, which may be deleted by now
     */
    endpoint_id: string;
    /**
     * The environment of the event and the endpoint
     */
    environment: 'live' | 'sandbox';
    /**
     * `failed`: the last attempt of the round failed, or the delivery expired. `cancelled`: the endpoint was deleted
     */
    status: 'pending' | 'delivered' | 'failed' | 'cancelled';
    /**
     * `queued`: pending, and its round has no attempt yet. `retrying`: pending after a failed attempt. `waiting`: pending, and its endpoint is paused, disabled or unchecked, or it is held after a restore. The others are as in `status`
     */
    state: 'queued' | 'retrying' | 'waiting' | 'delivered' | 'failed' | 'cancelled';
    /**
     * The number of attempts so far, of all rounds
     */
    attempt_count: number;
    /**
     * The HTTP status that answered the last attempt. null: there was no attempt, or no answer
     */
    status_code: number | null;
    /**
     * Why the last attempt failed. null: it did not, or its status says why
     */
    reason: 'address_refused' | 'dns' | 'connection' | 'tls' | 'tls_client' | 'token' | 'timeout' | 'invalid_answer' | 'proxy' | 'internal' | 'expired' | 'restored' | 'redirect' | null;
    /**
     * When the next attempt is due. null: the delivery is not pending, or it is `waiting`
     */
    next_attempt_at: string | null;
    /**
     * When the event was published
     */
    created_at: string;
    /**
     * When the delivery was delivered, failed or cancelled. null: it is pending
     */
    completed_at: string | null;
};

export type DeliveryCounts = {
    /**
     * How many deliveries match the filters. The least there are, if `complete` is false
     */
    matching: number;
    /**
     * How many of them a replay would send again. The least there are, if `complete` is false
     */
    replayable: number;
    /**
     * How many of them are pending and can be sent now. The least there are, if `complete` is false
     */
    sendable: number;
    /**
     * How many deliveries of such events to such endpoints their filters prevented, in the last 100,000 events with any. Only the filters by event, type, environment, endpoint and time count
     */
    filtered: number;
    /**
     * Whether all deliveries were counted
     */
    complete: boolean;
};

export type DeliveryFailedWebhook = {
    /**
     * The event
     */
    id: string;
    type: 'delivery.failed';
    created_at: string;
    partner_id: string;
    environment: 'live' | 'sandbox';
    data: DeliveryFailedWebhookData;
};

export type DeliveryFailedWebhookData = {
    occurred_at: string;
    partner_id: string;
    endpoint_id: string;
    delivery_id: string;
    event_id: string;
    event_type: string;
    attempt_count: number;
    status_code: number | null;
    reason: string | null;
};

export type DeliveryWithAttempts = {
    id: string;
    /**
     * The id of the event that is delivered
     */
    event_id: string;
    /**
     * The type of the event
     */
    event_type: string;
    /**
     * The id of the endpoint, which may be deleted by now
     */
    endpoint_id: string;
    /**
     * The environment of the event and the endpoint
     */
    environment: 'live' | 'sandbox';
    /**
     * `failed`: the last attempt of the round failed, or the delivery expired. `cancelled`: the endpoint was deleted
     */
    status: 'pending' | 'delivered' | 'failed' | 'cancelled';
    /**
     * `queued`: pending, and its round has no attempt yet. `retrying`: pending after a failed attempt. `waiting`: pending, and its endpoint is paused, disabled or unchecked, or it is held after a restore. The others are as in `status`
     */
    state: 'queued' | 'retrying' | 'waiting' | 'delivered' | 'failed' | 'cancelled';
    /**
     * The number of attempts so far, of all rounds
     */
    attempt_count: number;
    /**
     * The HTTP status that answered the last attempt. null: there was no attempt, or no answer
     */
    status_code: number | null;
    /**
     * Why the last attempt failed. null: it did not, or its status says why
     */
    reason: 'address_refused' | 'dns' | 'connection' | 'tls' | 'tls_client' | 'token' | 'timeout' | 'invalid_answer' | 'proxy' | 'internal' | 'expired' | 'restored' | 'redirect' | null;
    /**
     * When the next attempt is due. null: the delivery is not pending, or it is `waiting`
     */
    next_attempt_at: string | null;
    /**
     * When the event was published
     */
    created_at: string;
    /**
     * When the delivery was delivered, failed or cancelled. null: it is pending
     */
    completed_at: string | null;
    /**
     * All attempts, the oldest first
     */
    attempts: Array<Attempt>;
};

export type DenyAccessRequest = {
    /**
     * Why not. The person who asked reads it
     */
    note?: string;
};

export type DeviceAuthorization = {
    /**
     * The secret of the program
     */
    device_code: string;
    /**
     * The person types it in the console. Case and dash do not matter
     */
    user_code: string;
    /**
     * Where the person types it
     */
    verification_uri: string;
    /**
     * The same page with the code
     */
    verification_uri_complete: string;
    /**
     * In seconds
     */
    expires_in: number;
    /**
     * The seconds between two questions for the token, at least
     */
    interval: number;
};

export type DeviceAuthorizationForm = {
    /**
     * `concord-cli`
     */
    client_id: string;
    /**
     * What the person sees, such as the name of the machine: 1 to 100 visible characters
     */
    client_name?: string;
    [key: string]: unknown;
};

export type Done = {
    status: boolean;
};

export type EffectivePermission = {
    resource: 'partner' | 'agreements' | 'acl_permission_groups' | 'audit_log' | 'webhook_endpoints' | 'events' | 'deliveries';
    method: 'get' | 'put' | 'post' | 'patch' | 'delete' | 'query';
    allowed: boolean;
    /**
     * The part of the agreement that grants the permission, or the reason why it does not
     */
    because: 'owner' | 'direct' | 'group' | 'access_request' | 'pending' | 'expired' | 'not_granted';
    /**
     * The group that grants the permission. null unless `because` is `group`
     */
    acl_permission_group_id: string | null;
};

export type EmailOnly = {
    email: string;
};

export type EndpointCheck = {
    id: string;
    endpoint_id: string;
    /**
     * The URL that is checked. Another URL of the endpoint needs another check
     */
    url: string;
    /**
     * `passed`: every case passed. `failed`: one failed, or a restore of the database ended the check. `waived`: an operator waived it, and none has passed since
     */
    status: 'running' | 'passed' | 'failed' | 'waived';
    waived: EndpointCheckWaiver | null;
    /**
     * RFC 3339, UTC, milliseconds
     */
    started_at: string;
    /**
     * null: it is running
     */
    finished_at: string | null;
    /**
     * In the order in which they are sent. Empty: the check was waived, and never run
     */
    cases: Array<EndpointCheckCase>;
};

export type EndpointCheckCase = {
    name: 'accepts_good' | 'refuses_missing_signature' | 'refuses_wrong_signature' | 'refuses_stale' | 'refuses_foreign_partner' | 'refuses_foreign_url' | 'refuses_changed_body' | 'refuses_unknown_key' | 'accepts_largest_body' | 'accepts_same_delivery_twice';
    status: 'waiting' | 'passed' | 'failed';
    /**
     * What the receiver must answer
     */
    expected: '2xx' | 'not 2xx';
    /**
     * What it answered. null: nothing yet, or it gave no answer
     */
    status_code: number | null;
    /**
     * How long the request took. null: it was not sent yet
     */
    duration_ms: number | null;
    /**
     * What is wrong. null: nothing, or the case has not ended
     */
    problem: string | null;
    /**
     * What to change in the code of the receiver. null: nothing
     */
    advice: string | null;
};

export type EndpointCheckSummary = {
    /**
     * The go-live check of the present URL. A change of the URL begins again with `none`
     */
    status: 'none' | 'running' | 'passed' | 'failed' | 'waived';
    /**
     * When the last check of the present URL ended, or was waived. null: never
     */
    checked_at: string | null;
    /**
     * Whether deliveries wait until a check of the present URL passes, or is waived. Only for live endpoints, where the platform requires a check
     */
    blocks_deliveries: boolean;
};

/**
 * Why an operator lets the endpoint do without the check. null: nobody does
 */
export type EndpointCheckWaiver = {
    reason: string;
    /**
     * RFC 3339, UTC, milliseconds
     */
    waived_at: string;
};

export type EndpointStats = {
    /**
     * The id of the endpoint
     */
    endpoint_id: string;
    /**
     * The beginning of the first step
     */
    from: string;
    /**
     * The end of the last step
     */
    to: string;
    step: '1m' | '5m' | '15m' | '1h' | '6h' | '1d';
    /**
     * Attempts that began in this time
     */
    attempts: number;
    /**
     * Attempts that were answered with 2xx
     */
    delivered: number;
    /**
     * The other attempts, by the reason of their failure. Reasons without an attempt are left out
     */
    failed: Array<FailureCount>;
    /**
     * Half of the answers took at most so many milliseconds, rounded up by 10 % at most. null: no answer
     */
    p50_ms: number | null;
    /**
     * 95 % of the answers took at most so many milliseconds, rounded up by 10 % at most. null: no answer
     */
    p95_ms: number | null;
    /**
     * Events of this time that filters of endpoints refused, counted for each endpoint. They have no attempt
     */
    filtered: number;
    /**
     * Deliveries that are pending now. The largest number is 100000: so many, or more
     */
    pending: number;
    /**
     * How long ago the oldest of them was published. null: nothing is pending
     */
    oldest_pending_age_seconds: number | null;
    /**
     * The steps with attempts or filtered events, in the order of time
     */
    steps: Array<StepStats>;
    recent: EndpointStatsRecent;
};

/**
 * The last attempts, whatever the period: those of the latest minutes of 24 hours that have five attempts together
 */
export type EndpointStatsRecent = {
    attempts: number;
    delivered: number;
};

export type Error = {
    /**
     * For people. The text may change.
     */
    message: string;
    /**
     * For programs. One of the codes in docs/errors.md.
     */
    code: string;
    /**
     * The X-Request-Id of this response.
     */
    request_id: string;
    /**
     * The faults of the request, 20 at most. `pointer` is a JSON pointer (RFC 6901) into the body, the query or the headers. The empty one is the request as a whole. `invalid_request` always has them.
     */
    errors?: Array<ErrorFault>;
};

export type ErrorFault = {
    pointer: string;
    code: string;
    message: string;
};

export type Evaluation = {
    decision: boolean;
    context: EvaluationContext;
};

/**
 * The method
 */
export type EvaluationAction = {
    /**
     * One of get, put, post, patch, delete, query
     */
    name: string;
    /**
     * Any members. They have no effect
     */
    properties?: {
        [key: string]: unknown;
    };
};

export type EvaluationContext = {
    /**
     * The grant that allows it, or why it is denied. Absent with `error`
     */
    reason?: 'operator' | 'owner' | 'direct' | 'group' | 'access_request' | 'hidden' | 'mfa_required' | 'sso_required' | 'not_granted' | 'out_of_scope' | 'unknown_subject_type' | 'unknown_resource_type' | 'unknown_action';
    /**
     * The group that allows it, when `reason` is `group`
     */
    acl_permission_group_id?: string;
    error?: EvaluationContextError;
};

/**
 * In a list of evaluations: the caller may not ask this
 */
export type EvaluationContextError = {
    status: number;
    code: string;
    message: string;
};

export type EvaluationRequest = {
    subject: EvaluationSubject;
    action: EvaluationAction;
    resource: EvaluationResource;
    /**
     * Any members. They have no effect
     */
    context?: {
        [key: string]: unknown;
    };
};

/**
 * The resource, and the partner that it belongs to
 */
export type EvaluationResource = {
    /**
     * One of partner, agreements, acl_permission_groups, audit_log, webhook_endpoints, events, deliveries
     */
    type: string;
    /**
     * The id of the partner (`ptr_...`)
     */
    id: string;
    /**
     * Any members. They have no effect
     */
    properties?: {
        [key: string]: unknown;
    };
};

/**
 * The person
 */
export type EvaluationSubject = {
    /**
     * `user`
     */
    type: string;
    /**
     * The id of a user (`usr_...`), or an e-mail address
     */
    id: string;
    /**
     * Any members. They have no effect
     */
    properties?: {
        [key: string]: unknown;
    };
};

export type Evaluations = {
    evaluations: Array<Evaluation>;
};

export type EvaluationsAnswer = Evaluations | Evaluation;

export type EvaluationsRequest = {
    subject?: EvaluationSubject;
    action?: EvaluationAction;
    resource?: EvaluationResource;
    /**
     * Any members. They have no effect
     */
    context?: {
        [key: string]: unknown;
    };
    /**
     * Each takes the members that it lacks from the top level. Without evaluations, the request asks once
     */
    evaluations?: Array<EvaluationsRequestEvaluation>;
    options?: EvaluationsRequestOptions;
};

export type EvaluationsRequestEvaluation = {
    subject?: EvaluationSubject;
    action?: EvaluationAction;
    resource?: EvaluationResource;
    /**
     * Any members. They have no effect
     */
    context?: {
        [key: string]: unknown;
    };
};

export type EvaluationsRequestOptions = {
    /**
     * `execute_all` unless given. The others end the list at the first denial, or at the first permit
     */
    evaluations_semantic?: 'execute_all' | 'deny_on_first_deny' | 'permit_on_first_permit';
};

export type Event = {
    id: string;
    /**
     * The name of the event type
     */
    type: string;
    /**
     * The environment whose endpoints get the event
     */
    environment: 'live' | 'sandbox';
    /**
     * The publisher's own id of the event. null: it has none
     */
    producer_id: string | null;
    /**
     * When the event was published
     */
    created_at: string;
    /**
     * The endpoints that do not get the event because of their filters. null: the caller may not list deliveries
     */
    filtered_endpoint_ids: Array<string> | null;
    /**
     * The data as it was published
     */
    data: unknown;
};

/**
 * Which events are wanted, by their data: `{"all": [...]}`, `{"any": [...]}`, `{"not": ...}`, or a condition with a `path` and one operator. It has at most 16 KiB, 100 conditions and 10 levels
 */
export type EventFilter = {
    /**
     * Filters that must all match
     */
    all?: Array<EventFilter>;
    /**
     * Filters of which at least one must match
     */
    any?: Array<EventFilter>;
    not?: EventFilter;
    /**
     * A JSON Pointer (RFC 6901) into `data`, such as `/items/0/sku`, with at most 20 steps. The schema of a chosen event type must know it
     */
    path?: string;
    /**
     * The value: a text, a number, true, false or null. Numbers compare as binary64
     */
    equals?: unknown;
    /**
     * The possible values
     */
    one_of?: Array<unknown>;
    /**
     * How the text begins
     */
    prefix?: string;
    /**
     * How the text ends
     */
    suffix?: string;
    /**
     * Whether there is a value, also null
     */
    exists?: boolean;
    range?: NumberRange;
};

export type EventType = {
    /**
     * The name that events have as their `type`
     */
    name: string;
    /**
     * What the event means
     */
    description: string;
    /**
     * The JSON Schema (draft 2020-12) that the `data` of the events must fit
     */
    schema: {
        [key: string]: unknown;
    };
    /**
     * Data that fits the schema. Test events have it
     */
    example: unknown;
    /**
     * The partners that see the type, and can publish and subscribe to it, of those that you have access to. null: all partners
     */
    partner_ids: Array<string> | null;
    deprecated: EventTypeDeprecated | null;
    /**
     * When the type stopped taking events and subscriptions. null: it is not archived
     */
    archived_at: string | null;
};

export type EventTypeCheck = {
    /**
     * How many of the last 1,000 events were checked
     */
    checked: number;
    /**
     * How many of them do not fit the schema
     */
    failed: number;
    /**
     * false: older events were left out, since the check took 10 seconds or 16 MiB
     */
    complete: boolean;
    /**
     * The latest 20 events that do not fit, the latest first, each with its first fault
     */
    failures: Array<EventTypeCheckFailure>;
};

export type EventTypeCheckFailure = {
    event_id: string;
    partner_id: string;
    /**
     * The place in the event, as a JSON pointer
     */
    pointer: string;
    /**
     * What the schema asks for there
     */
    message: string;
};

/**
 * When subscribers should stop relying on the type, and what to use instead. null: the type is not deprecated
 */
export type EventTypeDeprecated = {
    /**
     * RFC 3339, UTC, milliseconds
     */
    at: string;
    /**
     * The type to use instead. null: there is none
     */
    successor: string | null;
};

export type EventWithDeliveries = {
    id: string;
    /**
     * The name of the event type
     */
    type: string;
    /**
     * The environment whose endpoints get the event
     */
    environment: 'live' | 'sandbox';
    /**
     * The publisher's own id of the event. null: it has none
     */
    producer_id: string | null;
    /**
     * When the event was published
     */
    created_at: string;
    /**
     * The endpoints that do not get the event because of their filters. null: the caller may not list deliveries
     */
    filtered_endpoint_ids: Array<string> | null;
    /**
     * The data as it was published
     */
    data: unknown;
    /**
     * Its deliveries, without their attempts. null: the caller may not list deliveries
     */
    deliveries: Array<Delivery> | null;
};

export type FailingEndpoint = {
    partner: FailingEndpointPartner;
    endpoint_id: string;
    url: string;
    description: string | null;
    environment: 'live' | 'sandbox';
    status: 'active' | 'disabled';
    /**
     * Why it is disabled. null: it is not
     */
    disabled_reason: string | null;
    /**
     * When it was disabled, or since when every attempt fails. null: it fails in part
     */
    since: string | null;
    recent: FailingEndpointRecent;
};

export type FailingEndpointPartner = {
    id: string;
    name: string;
};

/**
 * The last attempts, whatever the period: those of the latest minutes of 24 hours that have five attempts together
 */
export type FailingEndpointRecent = {
    attempts: number;
    delivered: number;
};

export type FailureCount = {
    reason: 'address_refused' | 'dns' | 'connection' | 'tls' | 'tls_client' | 'token' | 'timeout' | 'invalid_answer' | 'proxy' | 'internal' | 'expired' | 'restored' | 'redirect' | 'status_4xx' | 'status_5xx';
    count: number;
};

export type FilterCheck = {
    /**
     * How many of the last 1,000 events of the environment have one of the types
     */
    examined: number;
    /**
     * How many of them match the filter
     */
    matching: number;
    /**
     * False: the check ended after 10 seconds, or 16 MiB of events
     */
    complete: boolean;
    /**
     * The latest 20 of them that do not match, the latest first
     */
    filtered_event_ids: Array<string>;
};

export type GenerateBackupCodes = {
    /**
     * The current password
     */
    password: string;
};

export type Grantor = {
    name: string;
    owner: boolean;
    /**
     * null: you lack the permission agreements.query
     */
    email: string | null;
    /**
     * null: you lack the permission agreements.query
     */
    agreement_id: string | null;
};

export type HeaderLine = {
    name: string;
    value: string;
};

export type Health = {
    status: 'ok';
};

export type HeldDeliveries = {
    /**
     * `waiting`: nobody has chosen yet. `sending`, `failing`: a task works on the choice. `none`: nothing is held
     */
    state: 'none' | 'waiting' | 'sending' | 'failing';
    /**
     * Deliveries that are held. The largest number is 100000: so many, or more
     */
    deliveries: number;
    /**
     * Mails that are held. The largest number is 10000: so many, or more
     */
    mails: number;
    /**
     * When the backup was taken. null: nothing is held
     */
    taken_at: string | null;
    /**
     * When it was restored. null: nothing is held
     */
    restored_at: string | null;
};

export type IdentityConnection = {
    id: string;
    name: string;
    issuer: string;
    client_id: string;
    /**
     * How Concord authenticates at the token endpoint (OpenID Connect Core 1.0, section 9). `private_key_jwt`: with a key that Concord makes
     */
    authentication: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';
    public_jwk: IdentityConnectionPublicJwk | null;
    /**
     * To register at the provider
     */
    redirect_uri: string;
    /**
     * To register at the provider, if it can tell Concord of logouts
     */
    backchannel_logout_uri: string;
    enabled: boolean;
    /**
     * When a sign-in of an owner last succeeded with this issuer and client. null: it was not tested
     */
    tested_at: string | null;
    /**
     * People of its domains become members at their first sign-in
     */
    admits_new_members: boolean;
    terms: IdentityConnectionTerms;
    /**
     * RFC 3339, UTC, milliseconds
     */
    created_at: string;
    /**
     * RFC 3339, UTC, milliseconds
     */
    updated_at: string;
};

/**
 * The public key to register at the provider, for `private_key_jwt`
 */
export type IdentityConnectionPublicJwk = {
    kty: string;
    crv: string;
    x: string;
    y: string;
    use: string;
    alg: string;
    kid: string;
};

/**
 * For agreements that a sign-in or provisioning makes. None is that of an owner.
 */
export type IdentityConnectionTerms = {
    acl_permission_group_ids: Array<string>;
    /**
     * After how many days an agreement ends. null: it does not end
     */
    days: number | null;
    mfa_required: boolean;
};

export type ImportEventTypes = {
    /**
     * The text of an OpenAPI 3.1 document with webhooks, or of an AsyncAPI 3 document, in JSON or YAML. References to other documents are refused
     */
    document: string;
    /**
     * Whether the plan is applied. Default: false, which changes nothing
     */
    apply?: boolean;
    /**
     * The `plan` of the answer that is applied. Required with `apply`
     */
    plan?: string;
};

export type ImportPlan = {
    /**
     * The hash of the plan. It changes with everything that the plan depends on
     */
    plan: string;
    /**
     * Whether the plan was applied
     */
    applied: boolean;
    /**
     * What happens to each type, in the order of the document
     */
    types: Array<ImportPlanType>;
};

export type ImportPlanType = {
    name: string;
    action: 'new' | 'changed' | 'unchanged' | 'refused';
    /**
     * Why the type is refused. Refused types stay as they are. null: it is not refused
     */
    reason: string | null;
};

export type InventoryUpdatedWebhook = {
    /**
     * The event
     */
    id: string;
    type: 'inventory.updated';
    created_at: string;
    partner_id: string;
    environment: 'live' | 'sandbox';
    data: InventoryUpdatedWebhookData;
};

export type InventoryUpdatedWebhookData = {
    sku: string;
    quantity: number;
    location?: string | null;
    updated_at?: string;
};

export type Invitation = {
    id: string;
    partner: PartnerName;
    inviter: InvitationInviter | null;
    /**
     * The invited address. Sign in or sign up with it
     */
    email: string;
    /**
     * false: sign up first, with the same token
     */
    has_account: boolean;
    /**
     * An owner holds all permissions on the partner
     */
    owner: boolean;
    /**
     * The agreement grants nothing without a second factor. True from the start if the member who created it needs one
     */
    mfa_required: boolean;
    /**
     * When the agreement ends. null: never
     */
    expires_at: string | null;
    /**
     * Granted directly, in addition to the groups
     */
    acl_permissions: Array<AclPermission>;
    /**
     * The groups that the agreement carries, in order
     */
    acl_permission_groups: Array<AclPermissionGroup>;
    /**
     * Until when the invitation can be accepted
     */
    invitation_expires_at: string;
};

/**
 * Who sent the mail. null: the user was deleted
 */
export type InvitationInviter = {
    name: string;
};

export type IssuedToken = {
    access_token: string;
    token_type: 'Bearer';
    /**
     * In seconds
     */
    expires_in: number;
    /**
     * What the token may do: resources and methods, with spaces between them
     */
    scope: string;
    /**
     * The partner, if the token works with one only
     */
    partner_id: string | null;
};

export type Jwk = {
    kty: 'EC';
    crv: 'P-384';
    /**
     * The x coordinate, base64url
     */
    x: string;
    /**
     * The y coordinate, base64url
     */
    y: string;
    /**
     * The RFC 7638 thumbprint of the key, which signatures name as `keyid`
     */
    kid: string;
    key_ops: Array<'verify'>;
};

export type Jwks = {
    /**
     * The keys that are pending, active or retired
     */
    keys: Array<Jwk>;
};

export type LinkConnection = {
    /**
     * The `linkCode` of the answer
     */
    code: string;
};

export type LinkedAccount = {
    id: string;
    /**
     * `credential` for the password, or the name of the provider
     */
    providerId: string;
    /**
     * RFC 3339, UTC, milliseconds
     */
    createdAt: string;
    /**
     * RFC 3339, UTC, milliseconds
     */
    updatedAt: string;
    /**
     * The id of the user at the provider
     */
    accountId: string;
    /**
     * Your user
     */
    userId: string;
    /**
     * The OAuth scopes that the provider granted
     */
    scopes: Array<string>;
};

export type ListenerAnswer = {
    /**
     * The status of the receiver
     */
    status?: number;
    /**
     * The body of its answer, as text. Default: empty
     */
    body?: string;
    /**
     * Why there is no answer, such as `connection refused`. Either this or `status` is required
     */
    error?: string;
    /**
     * How long the receiver took, in milliseconds
     */
    duration_ms: number;
};

export type LoggedOutByConnection = {
    status: boolean;
};

export type LogoutToken = {
    logout_token: string;
};

export type MapProvisionedGroup = {
    /**
     * Null: its members get nothing by it
     */
    acl_permission_group_id: string | null;
};

export type MayBreakGlass = {
    /**
     * Whether the caller may use break glass, which requires a second factor
     */
    allowed: boolean;
};

export type Me = {
    id: string;
    email: string;
    name: string;
    email_verified: boolean;
    /**
     * Operators may do everything, on every partner
     */
    role: 'operator' | 'user';
    two_factor_enabled: boolean;
    /**
     * RFC 3339, UTC, milliseconds
     */
    created_at: string;
    /**
     * RFC 3339, UTC, milliseconds
     */
    updated_at: string;
    credential: MeCredential;
};

/**
 * What this request was sent with
 */
export type MeCredential = {
    /**
     * `token`: an access token
     */
    kind: 'session' | 'token';
    id: string;
    /**
     * When it stops working. A session that is used is extended.
     */
    expires_at: string;
    /**
     * What limits an access token. null: a session, which has no such limit
     */
    scopes: Array<AclPermission> | null;
    /**
     * The access token works only with these partners. null: no such limit
     */
    partner_ids: Array<string> | null;
    /**
     * Always false if you have no second factor
     */
    second_factor_proven: boolean;
    /**
     * When this session last proved every factor that you have. For ten minutes it may make changes that answer 403 `step_up_required` without a proof. null: never, or an access token
     */
    proven_at: string | null;
};

export type MyAgreement = {
    id: string;
    /**
     * false: the invited user has not accepted it
     */
    accepted: boolean;
    /**
     * An owner holds all permissions on the partner
     */
    owner: boolean;
    /**
     * The agreement grants nothing without a second factor. True from the start if the member who created it needs one
     */
    mfa_required: boolean;
    /**
     * RFC 3339, UTC, milliseconds
     */
    created_at: string;
    /**
     * When a member last changed
     */
    updated_at: string;
    /**
     * When the agreement ends. null: never
     */
    expires_at: string | null;
    user: AgreementUser;
    /**
     * Granted directly, in addition to the groups
     */
    acl_permissions: Array<AclPermission>;
    /**
     * The groups that the agreement carries, in order
     */
    acl_permission_groups: Array<AclPermissionGroup>;
    /**
     * The ids of the same groups
     */
    acl_permission_group_ids: Array<string>;
    partner: PartnerName;
};

export type NewToken = {
    /**
     * Replaces the session token that you sent
     */
    token: string;
};

/**
 * Bounds of the number, one or two
 */
export type NumberRange = {
    gt?: number;
    gte?: number;
    lt?: number;
    lte?: number;
};

/**
 * What went wrong, as RFC 6749 (section 5.2) and RFC 8628 (section 3.5) name it
 */
export type OauthError = {
    error: 'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token' | 'invalid_grant' | 'invalid_client' | 'invalid_request' | 'unsupported_grant_type';
    error_description: string;
    message: string;
    code: 'invalid_request' | 'malformed_http';
    request_id: string;
};

export type OpenDeviceAuthorization = {
    user_code: string;
    /**
     * What the program calls itself. Anybody can choose it
     */
    client_name: string | null;
    /**
     * The network address of the program
     */
    requested_from: string;
    /**
     * RFC 3339, UTC, milliseconds
     */
    created_at: string;
    /**
     * RFC 3339, UTC, milliseconds
     */
    expires_at: string;
};

export type OrderStatusChangedWebhook = {
    /**
     * The event
     */
    id: string;
    type: 'order.status_changed';
    created_at: string;
    partner_id: string;
    environment: 'live' | 'sandbox';
    data: OrderStatusChangedWebhookData;
};

export type OrderStatusChangedWebhookData = {
    order_id: string;
    status: string;
    previous_status?: string | null;
    changed_at?: string;
};

export type OwnAccessReviewItem = {
    /**
     * The agreement
     */
    id: string;
    /**
     * The name of the person or service account. null: the account of the person is deleted
     */
    name: string | null;
    /**
     * The address of the agreement. null: as for `name`, or a service account
     */
    email: string | null;
    /**
     * `lapsed`: nobody confirmed it, so the review ended it. `kept`: as `lapsed`, but the last owner stays. `gone`: it ended, or was deleted, before anybody decided. `undecided`: the review was closed early
     */
    decision: 'pending' | 'confirmed' | 'ended' | 'lapsed' | 'kept' | 'gone' | 'undecided';
    /**
     * null: nothing is decided
     */
    decided_at: string | null;
    review_id: string;
    partner_id: string;
};

export type Partner = {
    id: string;
    name: string;
    description: string | null;
    phone: string | null;
    vat_no: string | null;
    website: string | null;
    billing_email: string | null;
    support_email: string | null;
    support_phone: string | null;
    billing_address: BillingAddress;
    /**
     * RFC 3339, UTC, milliseconds
     */
    created_at: string;
    /**
     * When a member last changed
     */
    updated_at: string;
};

export type PartnerCreatedWebhook = {
    /**
     * The event
     */
    id: string;
    type: 'partner.created';
    created_at: string;
    partner_id: string;
    environment: 'live' | 'sandbox';
    data: PartnerCreatedWebhookData;
};

export type PartnerCreatedWebhookData = {
    occurred_at: string;
    partner_id: string;
};

export type PartnerDeletedWebhook = {
    /**
     * The event
     */
    id: string;
    type: 'partner.deleted';
    created_at: string;
    partner_id: string;
    environment: 'live' | 'sandbox';
    data: PartnerDeletedWebhookData;
};

export type PartnerDeletedWebhookData = {
    occurred_at: string;
    partner_id: string;
};

export type PartnerName = {
    id: string;
    name: string;
};

export type Passkey = {
    id: string;
    name: string;
    /**
     * The model of the authenticator, as it says. Zeros: it does not say
     */
    aaguid: string;
    /**
     * true: its user has it on several devices
     */
    backed_up: boolean;
    /**
     * RFC 3339, UTC, milliseconds
     */
    created_at: string;
    /**
     * null: never
     */
    last_used_at: string | null;
};

export type PasskeyAlgorithm = {
    type: 'public-key';
    alg: number;
};

export type PasskeyAttestation = {
    /**
     * The id of the credential
     */
    id: string;
    /**
     * The id of the credential
     */
    rawId: string;
    type: 'public-key';
    response: PasskeyAttestationResponse;
    authenticatorAttachment?: string | null;
    /**
     * Ignored
     */
    clientExtensionResults?: {
        [key: string]: unknown;
    };
};

export type PasskeyAttestationResponse = {
    clientDataJSON: string;
    attestationObject: string;
    /**
     * How browsers reach the authenticator
     */
    transports?: Array<string>;
    authenticatorData?: string;
    publicKey?: string;
    publicKeyAlgorithm?: number;
};

export type PasskeyCreation = {
    /**
     * From the options. It works once, for five minutes, and only for whom the options were made
     */
    sealedChallenge: string;
    publicKey: PasskeyCreationOptions;
};

export type PasskeyCreationOptions = {
    rp: PasskeyRelyingParty;
    user: PasskeyUser;
    /**
     * 32 random bytes
     */
    challenge: string;
    pubKeyCredParams: Array<PasskeyAlgorithm>;
    /**
     * In milliseconds
     */
    timeout: number;
    attestation: 'none';
    authenticatorSelection: PasskeySelection;
    excludeCredentials: Array<PasskeyDescriptor>;
};

export type PasskeyCredential = {
    /**
     * The id of the credential
     */
    id: string;
    /**
     * The id of the credential
     */
    rawId: string;
    type: 'public-key';
    response: PasskeyResponse;
    authenticatorAttachment?: string | null;
    /**
     * Ignored
     */
    clientExtensionResults?: {
        [key: string]: unknown;
    };
};

export type PasskeyDescriptor = {
    id: string;
    type: 'public-key';
    transports: Array<string>;
};

export type PasskeyProof = {
    /**
     * From the options. It works once, for five minutes, and only for whom the options were made
     */
    sealedChallenge: string;
    credential: PasskeyCredential;
};

export type PasskeyRelyingParty = {
    id: string;
    name: string;
};

export type PasskeyRequest = {
    /**
     * From the options. It works once, for five minutes, and only for whom the options were made
     */
    sealedChallenge: string;
    publicKey: PasskeyRequestOptions;
};

export type PasskeyRequestOptions = {
    /**
     * The host of this Concord
     */
    rpId: string;
    /**
     * 32 random bytes
     */
    challenge: string;
    /**
     * In milliseconds
     */
    timeout: number;
    userVerification: 'required' | 'preferred';
    /**
     * Empty: any passkey of this Concord
     */
    allowCredentials: Array<PasskeyDescriptor>;
};

export type PasskeyResponse = {
    clientDataJSON: string;
    authenticatorData: string;
    signature: string;
    userHandle?: string | null;
};

export type PasskeySelection = {
    residentKey: 'preferred';
    userVerification: 'preferred';
};

export type PasskeyUser = {
    id: string;
    name: string;
    displayName: string;
};

export type PasswordOnly = {
    /**
     * The current password
     */
    password: string;
};

/**
 * A resource and a method, as the message of a 403 names them
 */
export type PermissionName = 'partner.get' | 'partner.put' | 'partner.post' | 'partner.patch' | 'partner.delete' | 'partner.query' | 'agreements.get' | 'agreements.put' | 'agreements.post' | 'agreements.patch' | 'agreements.delete' | 'agreements.query' | 'acl_permission_groups.get' | 'acl_permission_groups.put' | 'acl_permission_groups.post' | 'acl_permission_groups.patch' | 'acl_permission_groups.delete' | 'acl_permission_groups.query' | 'audit_log.get' | 'audit_log.put' | 'audit_log.post' | 'audit_log.patch' | 'audit_log.delete' | 'audit_log.query' | 'webhook_endpoints.get' | 'webhook_endpoints.put' | 'webhook_endpoints.post' | 'webhook_endpoints.patch' | 'webhook_endpoints.delete' | 'webhook_endpoints.query' | 'events.get' | 'events.put' | 'events.post' | 'events.patch' | 'events.delete' | 'events.query' | 'deliveries.get' | 'deliveries.put' | 'deliveries.post' | 'deliveries.patch' | 'deliveries.delete' | 'deliveries.query';

export type PersonalData = {
    /**
     * When the export began. Later changes may be in it too
     */
    exported_at: string;
    profile: User;
    linked_accounts: Array<LinkedAccount>;
    passkeys: Array<Passkey>;
    sessions: Array<Session>;
    access_tokens: Array<AccessToken>;
    pending_changes: Array<PersonalDataPendingChange>;
    agreements: Array<MyAgreement>;
    invitations: Array<MyAgreement>;
    access_requests: Array<AccessRequest>;
    access_reviews: Array<OwnAccessReviewItem>;
    provisioned_users: Array<ProvisionedPerson>;
    waiting_mails: Array<PersonalDataWaitingMail>;
    audit_records: Array<AuditRecord>;
};

export type PersonalDataPendingChange = {
    /**
     * `reset_password`, `change_email` or `delete_user`
     */
    purpose: string;
    /**
     * The new address. null: the change is another one
     */
    email: string | null;
    /**
     * RFC 3339, UTC, milliseconds
     */
    expires_at: string;
};

export type PersonalDataWaitingMail = {
    subject: string;
    /**
     * RFC 3339, UTC, milliseconds
     */
    created_at: string;
    /**
     * How often Concord tried to send it
     */
    attempts: number;
};

export type PlatformStatus = {
    /**
     * The version of the instance that answers
     */
    version: string;
    database: PlatformStatusDatabase;
    /**
     * The last heartbeat first. At most 1,000
     */
    instances: Array<PlatformStatusInstance>;
    mail: PlatformStatusMail;
    /**
     * The clock of the instance that answers, minus the database's clock. Half the time of a query can be added
     */
    clock_difference_ms: number;
    backlog: PlatformStatusBacklog;
};

export type PlatformStatusBacklog = {
    /**
     * Deliveries that are pending now. The largest number is 100000: so many, or more
     */
    pending: number;
    /**
     * How long ago the oldest of them was published. null: nothing is pending
     */
    oldest_pending_age_seconds: number | null;
};

export type PlatformStatusDatabase = {
    server_version: string;
    /**
     * The size of the files of this database
     */
    size_bytes: number;
    /**
     * false: a standby, or a database that is set to read only
     */
    writable: boolean;
    /**
     * The connections to the server, of all programs, to all databases
     */
    connections: number;
    /**
     * The most connections that the server accepts from ordinary roles, to all databases
     */
    max_connections: number;
};

export type PlatformStatusInstance = {
    /**
     * A new UUID for each start
     */
    id: string;
    host_name: string;
    role: 'all' | 'api' | 'worker';
    /**
     * Its version of Concord
     */
    version: string;
    /**
     * When it started
     */
    started_at: string;
    /**
     * Its last heartbeat. There is one every 5 seconds
     */
    seen_at: string;
    /**
     * The last sign is at most 20 seconds old
     */
    alive: boolean;
    /**
     * The lanes that it owned then
     */
    lanes: number;
};

export type PlatformStatusMail = {
    /**
     * Mails that are not sent yet. The largest number is 10000: so many, or more
     */
    waiting: number;
    /**
     * Those of them whose last attempt failed
     */
    failing: number;
    /**
     * How long ago the oldest of them was written. null: no mail waits
     */
    oldest_age_seconds: number | null;
};

export type PreviewAclPermissionGroup = {
    /**
     * Lists each resource at most once
     */
    acl_permissions: Array<AclPermission>;
};

export type ProveSignIn = {
    partner_id: string;
};

export type ProvedSignIn = {
    /**
     * The partner whose proof the session has now
     */
    proved: string;
};

export type ProviderCode = {
    /**
     * The code in the fragment of the page
     */
    code: string;
};

export type ProviderName = {
    /**
     * A provider that is configured
     */
    provider: 'google' | 'github' | 'microsoft' | 'oidc';
};

export type ProviderRedirect = {
    /**
     * Redirect the browser to this URL.
     */
    url: string;
};

export type ProvisionedGroup = {
    /**
     * The id that SCIM shows too
     */
    id: string;
    /**
     * At the directory. It gives nothing by itself
     */
    name: string;
    member_count: number;
    /**
     * What its members get. Null: nothing
     */
    acl_permission_group_id: string | null;
    /**
     * RFC 3339, UTC, milliseconds
     */
    created_at: string;
    /**
     * RFC 3339, UTC, milliseconds
     */
    updated_at: string;
};

export type ProvisionedPerson = {
    /**
     * The id that SCIM shows too
     */
    id: string;
    /**
     * The partner whose directory it is
     */
    partner_id: string;
    /**
     * As SCIM shows them
     */
    attributes: {
        [key: string]: unknown;
    };
    /**
     * RFC 3339, UTC, milliseconds
     */
    created_at: string;
    /**
     * RFC 3339, UTC, milliseconds
     */
    updated_at: string;
};

export type Provisioning = {
    /**
     * To enter at the directory
     */
    base_url: string;
    provisioning_token: ProvisioningToken | null;
    user_count: number;
    active_user_count: number;
    /**
     * Active users without an address of a verified domain. They have no agreement
     */
    users_without_address_count: number;
    group_count: number;
    /**
     * The last 50, newest first
     */
    requests: Array<ProvisioningRequest>;
};

export type ProvisioningRequest = {
    /**
     * RFC 3339, UTC, milliseconds
     */
    created_at: string;
    method: string;
    /**
     * Below the base URL, without the query
     */
    path: string;
    status: number;
    /**
     * What was wrong. Null: nothing
     */
    detail: string | null;
};

export type ProvisioningToken = {
    /**
     * The beginning of the token
     */
    prefix: string;
    /**
     * RFC 3339, UTC, milliseconds
     */
    created_at: string;
    /**
     * To the minute
     */
    last_used_at: string | null;
};

export type PublishEvent = {
    /**
     * The name of an event type; GET /event-types lists them
     */
    type: string;
    /**
     * Data that fits the schema of the event type
     */
    data: unknown;
    /**
     * The environment whose endpoints get the event. Default: live
     */
    environment?: 'live' | 'sandbox';
    /**
     * Your own id of the event. Publishing it again with the same content returns the same event
     */
    producer_id?: string;
};

export type PublishedPackage = {
    /**
     * The name by which programs import it
     */
    name: string;
    /**
     * The version of Concord that it belongs to
     */
    version: string;
    /**
     * The tarball of the running version
     */
    url: string;
    /**
     * Always the same tarball. After an upgrade, the answer is 404
     */
    immutable_url: string;
    /**
     * The SHA-512 of the tarball, as in package-lock.json (Subresource Integrity)
     */
    integrity: string;
    /**
     * In bytes
     */
    size: number;
};

export type PutClientCertificate = {
    /**
     * The certificate in PEM. The certificates of its issuers can follow, each after the one that it signed: 5 at most
     */
    certificate: string;
    /**
     * The private key in PEM, without a passphrase: RSA with 2,048 to 4,096 bits, P-256, P-384, P-521 or Ed25519. It is never shown again. Left out: the key that Concord made stays
     */
    private_key?: string;
};

export type PutEventType = {
    /**
     * What the event means
     */
    description: string;
    /**
     * The JSON Schema (draft 2020-12) that the `data` of the events must fit
     */
    schema: {
        [key: string]: unknown;
    };
    /**
     * Data that fits the schema. Test events have it
     */
    example: unknown;
    /**
     * The partners that see the type, and can publish and subscribe to it. []: only operators see it. null: all partners. Default: as it is, and null for a new type
     */
    partner_ids?: Array<string> | null;
    deprecated?: PutEventTypeDeprecated | null;
    /**
     * Whether the type takes no events and no subscriptions. Default: as it is, and false for a new type
     */
    archived?: boolean;
};

/**
 * When subscribers should stop relying on the type, and what to use instead. null: not deprecated. Default: as it is, and null for a new type
 */
export type PutEventTypeDeprecated = {
    /**
     * RFC 3339, UTC, milliseconds
     */
    at: string;
    /**
     * The type to use instead. null: there is none. Default: null
     */
    successor?: string | null;
};

export type RenamePasskey = {
    /**
     * For people
     */
    name: string;
};

export type Replay = {
    id: string;
    /**
     * `replay`: each delivery gets a new round of attempts. `send_now`: the next attempt of each pending delivery is due
     */
    action: 'replay' | 'send_now';
    status: 'running' | 'completed' | 'stopped';
    filter: ReplayFilter;
    /**
     * How many deliveries matched when it was requested. It grows if more match later. null: more than Concord counts
     */
    total: number | null;
    /**
     * How many of them the replay has gone through so far: those that it has replayed, or sent now, and those that it has skipped
     */
    examined: number;
    /**
     * How many matching deliveries got a new round, or were sent now, so far
     */
    replayed: number;
    /**
     * How many matching deliveries stayed as they are. `replay`: they are pending, had 200 attempts, or their endpoint is disabled or deleted. `send_now`: they are held, have completed meanwhile, or their endpoint is paused or disabled
     */
    skipped: number;
    /**
     * How many deliveries filters of endpoints prevented, of the same events and endpoints, when it was requested. A replay does not send them. null: a send-now
     */
    filtered: number | null;
    /**
     * RFC 3339, UTC, milliseconds
     */
    created_at: string;
    /**
     * When the last delivery was examined, or somebody stopped it. null: it is running
     */
    completed_at: string | null;
};

/**
 * The filters of the request
 */
export type ReplayFilter = {
    /**
     * Deliveries in this status
     */
    status?: 'pending' | 'delivered' | 'failed' | 'cancelled';
    /**
     * Deliveries in this state. `queued`: pending, and its round has no attempt yet. `retrying`: pending after a failed attempt. `waiting`: pending, and its endpoint is paused, disabled or unchecked, or it is held after a restore. The others are as in `status`
     */
    state?: 'queued' | 'retrying' | 'waiting' | 'delivered' | 'failed' | 'cancelled';
    /**
     * Deliveries of this environment
     */
    environment?: 'live' | 'sandbox';
    /**
     * Deliveries to this endpoint
     */
    endpoint_id?: string;
    /**
     * Deliveries of this event
     */
    event_id?: string;
    /**
     * Deliveries of events of this type
     */
    event_type?: string;
    /**
     * Deliveries created in the period `<from>..<to>`, without `to` itself. One of the two times may be left out
     */
    created_at?: string;
    /**
     * Deliveries whose last attempt got this status, such as `404`, or a status of this class, such as `5xx`
     */
    status_code?: string;
    /**
     * Deliveries whose last attempt has an error with this reason
     */
    reason?: 'address_refused' | 'dns' | 'connection' | 'tls' | 'tls_client' | 'token' | 'timeout' | 'invalid_answer' | 'proxy' | 'internal' | 'expired' | 'restored' | 'redirect';
    /**
     * Deliveries with this number of attempts, such as `3`. `3..` is at least 3
     */
    attempt_count?: string;
    /**
     * Only these deliveries. Default: all that match the filters
     */
    delivery_ids?: Array<string>;
};

export type ResetPassword = {
    /**
     * The token from the mail: what follows `#token=` in its link
     */
    token: string;
    /**
     * 12 to 128 characters, and not one of the most common passwords
     */
    newPassword: string;
};

export type ResumeEndpoint = {
    /**
     * Whether deliveries that wait for a retry are sent now. Default: false
     */
    send_now?: boolean;
};

export type ReturnedFromConnection = {
    /**
     * The session token. Send it as `Authorization: Bearer <token>`.
     */
    token?: string;
    user?: SignedInUser;
    /**
     * Send it with the next sign-in from this device, to skip the second factor.
     */
    trustDeviceToken?: string;
    /**
     * The account of the provider is linked to the user
     */
    linked?: boolean;
    /**
     * The sign-in requires a second factor, so there is no session yet
     */
    twoFactorRedirect?: boolean;
    /**
     * Send it with the code of the second factor.
     */
    twoFactorToken?: string;
    /**
     * Sign in to the account of your address, and link it with this code
     */
    linkCode?: string;
    /**
     * The partner whose proof the session has now
     */
    proved?: string;
    /**
     * The connection that passed its test
     */
    tested?: string;
};

export type RevokeForm = {
    /**
     * The access token
     */
    token: string;
    /**
     * `concord-cli`
     */
    client_id?: string;
    [key: string]: unknown;
};

export type RevokeSession = {
    /**
     * The id of the session
     */
    id: string;
};

/**
 * The token does not work, or never did
 */
export type Revoked = {
    [key: string]: never;
};

export type RotateSigningKey = {
    /**
     * The environment whose key is rotated
     */
    environment: 'live' | 'sandbox';
    /**
     * Only for sandbox: the next key signs at once, so that you can test how a receiver reads the JWKS again. Default: false
     */
    immediately?: boolean;
};

export type RotateSigningSecret = {
    /**
     * A secret that receivers have already: `whsec_` and the base64 of 24 to 64 bytes. Default: a new one
     */
    secret?: string;
};

export type Rotation = {
    /**
     * When the next key starts to sign
     */
    rotates_at: string;
};

export type SandboxReceiver = {
    /**
     * The URL for an endpoint. Whoever knows it can send requests to the receiver
     */
    url: string;
    /**
     * RFC 3339, UTC, milliseconds
     */
    created_at: string;
};

export type SandboxReceiverRequest = {
    method: string;
    /**
     * As they came, without the headers that the endpoint was given
     */
    headers: Array<HeaderLine>;
    /**
     * The body, byte for byte
     */
    body: string;
    /**
     * `base64`: the body is not UTF-8, or has control characters
     */
    body_encoding: 'utf8' | 'base64';
    /**
     * When it came
     */
    received_at: string;
    verification: SandboxReceiverRequestVerification;
};

export type SandboxReceiverRequestVerification = {
    /**
     * Whether the request is a valid sandbox webhook for this partner
     */
    verified: boolean;
    /**
     * The step that fails (docs/receiving-webhooks.md). null: no step fails
     */
    step: string | null;
    /**
     * The code of the failure, for programs. null: no step fails
     */
    code: string | null;
    /**
     * The reason for the failure, for people. null: no step fails
     */
    reason: string | null;
    /**
     * The key that the signature names. null: it names none
     */
    key_id: string | null;
    /**
     * The event that the request names. null: it names none
     */
    event_id: string | null;
    /**
     * The delivery that sent the request. null: it is not verified, or several deliveries can have sent it
     */
    delivery_id: string | null;
};

export type SearchResult = {
    kind: 'partner' | 'agreement' | 'user' | 'webhook_endpoint' | 'event' | 'delivery' | 'event_type';
    /**
     * The id of what was found. The name of an event type
     */
    id: string;
    /**
     * The name of a partner, the address of an agreement or user, the URL of an endpoint, the type of an event, the name of an event type
     */
    label: string;
    /**
     * The partner that it belongs to. null: a user, or an event type
     */
    partner_id: string | null;
    /**
     * The name of that partner
     */
    partner_name: string | null;
};

export type SecondFactorOptions = {
    /**
     * Codes of an authenticator app work
     */
    app: boolean;
    passkey?: PasskeyRequest;
};

/**
 * The batch that was sent. null: the request carried this event alone
 */
export type SentBatch = {
    /**
     * The `Webhook-Id` of the request
     */
    id: string;
    /**
     * How many events the request carried
     */
    events: number;
};

/**
 * The request as it was signed. null: no request was signed, or an earlier version sent it
 */
export type SentRequest = {
    method: string;
    /**
     * The URL as it was signed, which the endpoint may no longer have
     */
    url: string;
    /**
     * In the order in which they are sent, without the headers that the endpoint was given, and without Connection
     */
    headers: Array<HeaderLine>;
    /**
     * The body, byte for byte
     */
    body: string;
};

export type ServiceAccount = {
    /**
     * The id of its user
     */
    id: string;
    name: string;
    /**
     * The agreement that gives it permissions
     */
    agreement_id: string;
    /**
     * RFC 3339, UTC, milliseconds
     */
    created_at: string;
};

export type Session = {
    id: string;
    /**
     * true: the session of this request
     */
    current: boolean;
    /**
     * RFC 3339, UTC, milliseconds
     */
    createdAt: string;
    /**
     * When the session was last extended
     */
    updatedAt: string;
    /**
     * 7 days after the last extension, and 30 days after the sign-in at most
     */
    expiresAt: string;
    /**
     * The address of the sign-in. null: not known
     */
    ipAddress: string | null;
    /**
     * The client of the sign-in. null: not known
     */
    userAgent: string | null;
    /**
     * When the session proved a second factor. null: never
     */
    mfaVerifiedAt: string | null;
};

export type SetAccessReviewPolicy = {
    /**
     * A review opens this often. null: never
     */
    interval_days: number | null;
    /**
     * The owners are warned so long after the opening, and what nobody confirmed ends so long after the warning. At most half of `interval_days`
     */
    warning_days?: number;
};

export type SetUp = {
    /**
     * The token in the link that the start printed, behind the #
     */
    token: string;
    /**
     * 12 to 128 characters, and not one of the most common passwords
     */
    password: string;
};

export type SetUserRole = {
    /**
     * Operators may do everything, on every partner
     */
    role: 'operator' | 'user';
};

export type SignIn = {
    email: string;
    /**
     * The current password
     */
    password: string;
    /**
     * From an earlier sign-in with a second factor. Skips the second factor on this device.
     */
    trustDeviceToken?: string;
};

export type SignInMethods = {
    connection: SignInMethodsConnection | null;
};

/**
 * The identity provider of the domain. null: there is none
 */
export type SignInMethodsConnection = {
    id: string;
    name: string;
};

export type SignInPolicy = {
    /**
     * Agreements of the partner work only in sessions that its identity provider proved
     */
    sso_required: boolean;
    /**
     * How long such a proof counts
     */
    max_age_seconds: number;
    /**
     * Agreements that require it even if the partner does not require it of all
     */
    sso_required_agreement_ids: Array<string>;
    /**
     * Agreements of owners who may work without the identity provider in an emergency
     */
    break_glass_agreement_ids: Array<string>;
};

export type SignInWithConnection = {
    email?: string;
    connection_id?: string;
};

export type SignUp = {
    name: string;
    email: string;
    /**
     * 12 to 128 characters, and not one of the most common passwords
     */
    password: string;
};

export type SignedIn = {
    /**
     * The session token. Send it as `Authorization: Bearer <token>`.
     */
    token?: string;
    user?: SignedInUser;
    /**
     * Send it with the next sign-in from this device, to skip the second factor.
     */
    trustDeviceToken?: string;
    /**
     * The account of the provider is linked to the user
     */
    linked?: boolean;
    /**
     * The sign-in requires a second factor, so there is no session yet
     */
    twoFactorRedirect?: boolean;
    /**
     * Send it with the code of the second factor.
     */
    twoFactorToken?: string;
};

export type SignedInUser = {
    id: string;
    email: string;
    name: string;
};

export type SigningKey = {
    /**
     * The RFC 7638 thumbprint of the key
     */
    kid: string;
    /**
     * The environment whose webhooks the key signs
     */
    environment: 'live' | 'sandbox';
    /**
     * The JWKS has keys that are pending (not signing yet), active (signing) or retired (no longer signing)
     */
    state: 'pending' | 'active' | 'retired' | 'removed' | 'revoked';
    /**
     * RFC 3339, UTC, milliseconds
     */
    created_at: string;
    /**
     * When the key starts to sign
     */
    activates_at: string;
    /**
     * When the key stops signing. It is removed from the JWKS 21 days later
     */
    retires_at: string;
    /**
     * When the key was revoked. null: it is not revoked
     */
    revoked_at: string | null;
};

export type SigningKeyRotatedWebhook = {
    /**
     * The event
     */
    id: string;
    type: 'signing_key.rotated';
    created_at: string;
    partner_id: string;
    environment: 'live' | 'sandbox';
    data: SigningKeyRotatedWebhookData;
};

export type SigningKeyRotatedWebhookData = {
    occurred_at: string;
    environment: 'live' | 'sandbox';
    kid: string;
};

export type SigningSecret = {
    /**
     * The secret: `whsec_` and base64. Only this answer has it
     */
    secret: string;
    /**
     * When the present secret was made
     */
    created_at: string;
    /**
     * Until when requests are signed with the secret before, too. null: there was none
     */
    previous_valid_until: string | null;
};

export type StartReplay = {
    /**
     * Deliveries in this status
     */
    status?: 'pending' | 'delivered' | 'failed' | 'cancelled';
    /**
     * Deliveries in this state. `queued`: pending, and its round has no attempt yet. `retrying`: pending after a failed attempt. `waiting`: pending, and its endpoint is paused, disabled or unchecked, or it is held after a restore. The others are as in `status`
     */
    state?: 'queued' | 'retrying' | 'waiting' | 'delivered' | 'failed' | 'cancelled';
    /**
     * Deliveries of this environment
     */
    environment?: 'live' | 'sandbox';
    /**
     * Deliveries to this endpoint
     */
    endpoint_id?: string;
    /**
     * Deliveries of this event
     */
    event_id?: string;
    /**
     * Deliveries of events of this type
     */
    event_type?: string;
    /**
     * Deliveries created in the period `<from>..<to>`, without `to` itself. One of the two times may be left out
     */
    created_at?: string;
    /**
     * Deliveries whose last attempt got this status, such as `404`, or a status of this class, such as `5xx`
     */
    status_code?: string;
    /**
     * Deliveries whose last attempt has an error with this reason
     */
    reason?: 'address_refused' | 'dns' | 'connection' | 'tls' | 'tls_client' | 'token' | 'timeout' | 'invalid_answer' | 'proxy' | 'internal' | 'expired' | 'restored' | 'redirect';
    /**
     * Deliveries with this number of attempts, such as `3`. `3..` is at least 3
     */
    attempt_count?: string;
};

export type StartSendNow = {
    /**
     * Only pending deliveries can be sent now
     */
    status?: 'pending';
    /**
     * Deliveries in this state. `queued`: pending, and its round has no attempt yet. `retrying`: pending after a failed attempt. `waiting`: pending, and its endpoint is paused, disabled or unchecked, or it is held after a restore. The others are as in `status`
     */
    state?: 'queued' | 'retrying' | 'waiting' | 'delivered' | 'failed' | 'cancelled';
    /**
     * Deliveries of this environment
     */
    environment?: 'live' | 'sandbox';
    /**
     * Deliveries to this endpoint
     */
    endpoint_id?: string;
    /**
     * Deliveries of this event
     */
    event_id?: string;
    /**
     * Deliveries of events of this type
     */
    event_type?: string;
    /**
     * Deliveries created in the period `<from>..<to>`, without `to` itself. One of the two times may be left out
     */
    created_at?: string;
    /**
     * Deliveries whose last attempt got this status, such as `404`, or a status of this class, such as `5xx`
     */
    status_code?: string;
    /**
     * Deliveries whose last attempt has an error with this reason
     */
    reason?: 'address_refused' | 'dns' | 'connection' | 'tls' | 'tls_client' | 'token' | 'timeout' | 'invalid_answer' | 'proxy' | 'internal' | 'expired' | 'restored' | 'redirect';
    /**
     * Deliveries with this number of attempts, such as `3`. `3..` is at least 3
     */
    attempt_count?: string;
    /**
     * Only these deliveries. Default: all that match the filters
     */
    delivery_ids?: Array<string>;
};

export type Stats = {
    /**
     * The beginning of the first step
     */
    from: string;
    /**
     * The end of the last step
     */
    to: string;
    step: '1m' | '5m' | '15m' | '1h' | '6h' | '1d';
    /**
     * Attempts that began in this time
     */
    attempts: number;
    /**
     * Attempts that were answered with 2xx
     */
    delivered: number;
    /**
     * The other attempts, by the reason of their failure. Reasons without an attempt are left out
     */
    failed: Array<FailureCount>;
    /**
     * Half of the answers took at most so many milliseconds, rounded up by 10 % at most. null: no answer
     */
    p50_ms: number | null;
    /**
     * 95 % of the answers took at most so many milliseconds, rounded up by 10 % at most. null: no answer
     */
    p95_ms: number | null;
    /**
     * Events of this time that filters of endpoints refused, counted for each endpoint. They have no attempt
     */
    filtered: number;
    /**
     * Deliveries that are pending now. The largest number is 100000: so many, or more
     */
    pending: number;
    /**
     * How long ago the oldest of them was published. null: nothing is pending
     */
    oldest_pending_age_seconds: number | null;
    /**
     * The steps with attempts or filtered events, in the order of time
     */
    steps: Array<StepStats>;
};

export type StepStats = {
    /**
     * The beginning of the step
     */
    at: string;
    /**
     * Attempts that began in this time
     */
    attempts: number;
    /**
     * Attempts that were answered with 2xx
     */
    delivered: number;
    /**
     * The other attempts, by the reason of their failure. Reasons without an attempt are left out
     */
    failed: Array<FailureCount>;
    /**
     * Half of the answers took at most so many milliseconds, rounded up by 10 % at most. null: no answer
     */
    p50_ms: number | null;
    /**
     * 95 % of the answers took at most so many milliseconds, rounded up by 10 % at most. null: no answer
     */
    p95_ms: number | null;
    /**
     * Events of this time that filters of endpoints refused, counted for each endpoint. They have no attempt
     */
    filtered: number;
};

export type StepTraffic = {
    /**
     * The beginning of the step
     */
    at: string;
    /**
     * Answered requests of operations, without health checks and metrics
     */
    requests: number;
    /**
     * Those of them with a status of 4xx
     */
    client_errors: number;
    /**
     * Those of them with a status of 5xx
     */
    server_errors: number;
    /**
     * Events that were published, also test events, without repeated ones
     */
    events: number;
};

export type StepUp = {
    /**
     * The current password. Required unless the passkey verifies its user
     */
    password?: string;
    /**
     * Six digits from the authenticator app, or a backup code. If you have a second factor, this or `passkey` is required.
     */
    code?: string;
    passkey?: PasskeyProof;
};

export type TestEndpoint = {
    /**
     * The type of the event. Default: the first type that the endpoint wants
     */
    type?: string;
    /**
     * Data that fits the schema of the type. Default: its example
     */
    data?: unknown;
};

export type TokenForm = {
    /**
     * `urn:ietf:params:oauth:grant-type:device_code`
     */
    grant_type: string;
    /**
     * That of the device authorization, which this grant requires
     */
    device_code?: string;
    /**
     * `concord-cli`
     */
    client_id: string;
    [key: string]: unknown;
};

export type TotpEnrolment = {
    /**
     * The secret as an otpauth URI. Show it as a QR code to the authenticator app.
     */
    totpURI: string;
    /**
     * Each code works once. Only this response shows them.
     */
    backupCodes: Array<string>;
};

export type TotpUri = {
    /**
     * The secret as an otpauth URI. Show it as a QR code to the authenticator app.
     */
    totpURI: string;
};

export type Traffic = {
    /**
     * The beginning of the first step
     */
    from: string;
    /**
     * The end of the last step
     */
    to: string;
    step: '1m' | '5m' | '15m' | '1h' | '6h' | '1d';
    /**
     * Answered requests of operations, without health checks and metrics
     */
    requests: number;
    /**
     * Those of them with a status of 4xx
     */
    client_errors: number;
    /**
     * Those of them with a status of 5xx
     */
    server_errors: number;
    /**
     * Events that were published, also test events, without repeated ones
     */
    events: number;
    /**
     * The steps with a request or an event, in the order of time
     */
    steps: Array<StepTraffic>;
};

export type UnlinkAccount = {
    /**
     * The id of the linked account, from list-accounts
     */
    id: string;
};

export type UpdateAclPermissionGroup = {
    /**
     * Unique among the groups of the partner and the managed groups. Case does not matter.
     */
    name?: string;
    /**
     * Lists each resource at most once
     */
    acl_permissions?: Array<AclPermission>;
};

export type UpdateAgreement = {
    /**
     * true: accepts the invitation. Only the invited user can send it.
     */
    accepted?: boolean;
    /**
     * Only owners and operators can change it
     */
    owner?: boolean;
    /**
     * Only owners and operators can change it from true to false
     */
    mfa_required?: boolean;
    /**
     * When the agreement ends. null: never
     */
    expires_at?: string | null;
    /**
     * Lists each resource at most once
     */
    acl_permissions?: Array<AclPermission>;
    /**
     * Groups of the partner and managed groups. Replaces all groups of the agreement.
     */
    acl_permission_group_ids?: Array<string>;
};

export type UpdateIdentityConnection = {
    name?: string;
    /**
     * Exactly as the provider states it: an issuer with a slash at its end is another one
     */
    issuer?: string;
    client_id?: string;
    /**
     * How Concord authenticates at the token endpoint (OpenID Connect Core 1.0, section 9). `private_key_jwt`: with a key that Concord makes
     */
    authentication?: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';
    /**
     * Not for `private_key_jwt`. A change of the issuer needs it again. No answer shows it
     */
    client_secret?: string;
    /**
     * Default: false
     */
    admits_new_members?: boolean;
    terms?: UpdateIdentityConnectionTerms;
};

/**
 * For agreements that a sign-in or provisioning makes. None is that of an owner.
 */
export type UpdateIdentityConnectionTerms = {
    acl_permission_group_ids: Array<string>;
    /**
     * After how many days an agreement ends. null: it does not end
     */
    days: number | null;
    mfa_required: boolean;
};

export type UpdateMe = {
    name?: string;
};

/**
 * Members that are absent do not change. null clears a member.
 */
export type UpdatePartner = {
    /**
     * null does not change the name
     */
    name?: string | null;
    description?: string | null;
    phone?: string | null;
    vat_no?: string | null;
    website?: string | null;
    /**
     * Any text; the form is not checked
     */
    billing_email?: string | null;
    /**
     * Any text; the form is not checked
     */
    support_email?: string | null;
    support_phone?: string | null;
    /**
     * Any JSON value. An object is merged into the address (RFC 7396). null clears the address. Unknown members and invalid values are ignored; the response header `Ignored-Members` lists them.
     */
    billing_address?: unknown;
};

export type UpdateWebhookEndpoint = {
    /**
     * Where webhooks are sent: an https URL without credentials and fragment. An operator can allow http. It is normalised, and the answer shows the result. A change of scheme, host or port requires `headers` if the endpoint has headers, and `authentication` if it has that
     */
    url?: string;
    description?: string | null;
    /**
     * The event types that the endpoint wants. null: every type, including types that are added later
     */
    event_types?: Array<string> | null;
    filter?: EventFilter | null;
    /**
     * `none`: deliveries do not wait for each other. `strict`: each delivery waits until the one before is delivered or has failed. Default: none
     */
    ordering?: 'none' | 'strict';
    /**
     * The most requests at the same time. Default: 8
     */
    max_concurrency?: number;
    /**
     * The most requests in a second. null: no limit
     */
    rate_limit_per_second?: number | null;
    /**
     * The seconds from each failed attempt to the next, up to 20 % shorter or longer. []: no second attempt. null: as the platform does
     */
    retry_schedule?: Array<number> | null;
    /**
     * The longest time of an attempt. null: as the platform does
     */
    timeout_seconds?: number | null;
    /**
     * The endpoint is disabled when every attempt has failed for so long. null: five days
     */
    disable_after_hours?: number | null;
    /**
     * `full`: webhooks have the whole event. `thin`: they lack `data`, which the receiver fetches with GET /partners/{id}/events/{event_id}. Default: full
     */
    payload?: 'full' | 'thin';
    /**
     * How often a checkpoint is made and sent: a signed statement that shows whether deliveries are missing. null: never
     */
    checkpoint_minutes?: number | null;
    batch?: UpdateWebhookEndpointBatch | null;
    /**
     * Headers to send with each webhook, 8 KiB at most. They are never shown again, and replace all earlier headers
     */
    headers?: {
        [key: string]: string;
    } | null;
    authentication?: UpdateWebhookEndpointAuthentication | null;
};

/**
 * How Concord gets the access token that its requests have in the header Authorization: OAuth 2.0 client credentials (RFC 6749, section 4.4). It replaces the earlier one, and excludes an own header Authorization. Default of `client_authentication`: basic. null: requests have no token
 */
export type UpdateWebhookEndpointAuthentication = {
    type: 'oauth2_client_credentials';
    /**
     * Where Concord requests tokens, by POST. The rules for the URL of an endpoint hold for it too
     */
    token_url: string;
    /**
     * The id by which the token URL knows Concord
     */
    client_id: string;
    /**
     * The secret of the client. It is never shown again
     */
    client_secret: string;
    /**
     * The scopes to ask for, with a space between them. null: none is asked for
     */
    scope?: string | null;
    /**
     * For whom the token is, where the token URL asks for it. null: it is not sent
     */
    audience?: string | null;
    /**
     * How the id and the secret are sent: `basic` in the header Authorization, `form` in the body
     */
    client_authentication?: 'basic' | 'form';
};

/**
 * Several events are sent in one request: the body is an array of them, and `Webhook-Id` is that of the batch. null: one event in each request
 */
export type UpdateWebhookEndpointBatch = {
    /**
     * The most events in a request
     */
    max_events: number;
    /**
     * How long an event waits for others at most. 0: it goes with those that wait already
     */
    max_wait_seconds: number;
};

export type User = {
    id: string;
    email: string;
    name: string;
    email_verified: boolean;
    /**
     * Operators may do everything, on every partner
     */
    role: 'operator' | 'user';
    /**
     * A ban has no effect after `ban_expires_at`
     */
    banned: boolean;
    /**
     * null: no reason was given
     */
    ban_reason: string | null;
    /**
     * When the ban ends. null: never, or the user is not banned
     */
    ban_expires_at: string | null;
    two_factor_enabled: boolean;
    /**
     * RFC 3339, UTC, milliseconds
     */
    created_at: string;
    /**
     * RFC 3339, UTC, milliseconds
     */
    updated_at: string;
};

export type UserSession = {
    id: string;
    /**
     * true: the session of this request
     */
    current: boolean;
    /**
     * When the user signed in
     */
    created_at: string;
    /**
     * When the session was last extended
     */
    updated_at: string;
    /**
     * 7 days after the last extension, and 30 days after the sign-in at most
     */
    expires_at: string;
    /**
     * The address of the sign-in. null: not known
     */
    ip_address: string | null;
    /**
     * The client of the sign-in. null: not known
     */
    user_agent: string | null;
    /**
     * When the session proved a second factor. null: never
     */
    mfa_verified_at: string | null;
};

export type Verification = {
    /**
     * Whether the request is a valid webhook
     */
    verified: boolean;
    /**
     * The step that fails (docs/receiving-webhooks.md). null: no step fails
     */
    step: string | null;
    /**
     * The code of the failure, for programs. null: no step fails
     */
    code: string | null;
    /**
     * The reason for the failure, for people. null: no step fails
     */
    reason: string | null;
    /**
     * The URL that was checked, if the signature is invalid; otherwise null
     */
    checked_url: string | null;
    /**
     * The signature base that was checked, if the signature is invalid; otherwise null
     */
    signature_base: string | null;
    /**
     * A similar URL for which the signature is valid: the one that Concord signed. null: none was found, or the signature is valid
     */
    matching_url: string | null;
};

export type VerifiedDomain = {
    id: string;
    /**
     * In lower case. Labels of other scripts are in their ASCII form (IDNA)
     */
    domain: string;
    /**
     * `lost`: it was verified, and the record is missing. Until it is back, nobody new joins by it
     */
    status: 'pending' | 'verified' | 'lost';
    record: VerifiedDomainRecord;
    /**
     * `failed`: the DNS gave no answer. null: it was not checked
     */
    last_check: 'found' | 'missing' | 'failed' | null;
    checked_at: string | null;
    verified_at: string | null;
    /**
     * When the record was found missing. 7 days later, the domain is no longer verified
     */
    lost_at: string | null;
    /**
     * RFC 3339, UTC, milliseconds
     */
    created_at: string;
};

/**
 * The DNS record that proves the domain. It must stay
 */
export type VerifiedDomainRecord = {
    type: 'TXT';
    name: string;
    value: string;
};

export type VerifyBackupCode = {
    /**
     * A backup code that was not used yet
     */
    code: string;
    /**
     * Answers with a `trustDeviceToken`, which skips the second factor. Default: false
     */
    trustDevice?: boolean;
    /**
     * From the sign-in to complete. Absent: the request has a session token.
     */
    twoFactorToken?: string;
};

export type VerifyEmail = {
    /**
     * The token from the mail: what follows `#token=` in its link
     */
    token: string;
    /**
     * The password of the sign-up, or of the account whose address changes. Absent: the session that asked for the new address sends the request
     */
    password?: string;
};

export type VerifyPasskey = {
    /**
     * From the options. It works once, for five minutes, and only for whom the options were made
     */
    sealedChallenge: string;
    credential: PasskeyCredential;
    /**
     * From the sign-in to complete.
     */
    twoFactorToken?: string;
};

export type VerifyTotp = {
    /**
     * Six digits from the authenticator app
     */
    code: string;
    /**
     * Answers with a `trustDeviceToken`, which skips the second factor. Default: false
     */
    trustDevice?: boolean;
    /**
     * From the sign-in to complete. Absent: the request has a session token.
     */
    twoFactorToken?: string;
};

export type WaiveEndpointCheck = {
    /**
     * Why the endpoint needs no check. The audit log keeps it
     */
    reason: string;
};

export type WebhookEndpoint = {
    id: string;
    /**
     * Where webhooks are sent, as it is signed and sent: an https URL without credentials and fragment. An operator can allow http
     */
    url: string;
    description: string | null;
    /**
     * The event types that the endpoint wants. null: every type, including types that are added later
     */
    event_types: Array<string> | null;
    filter: EventFilter | null;
    /**
     * The environment of the events that are sent. It cannot be changed
     */
    environment: 'live' | 'sandbox';
    /**
     * Whether its requests go to a command that listens (`concord listen`), not to the URL
     */
    listener: boolean;
    /**
     * `none`: deliveries do not wait for each other. `strict`: each delivery waits until the one before is delivered or has failed
     */
    ordering: 'none' | 'strict';
    /**
     * The most requests at the same time. Default: 8
     */
    max_concurrency: number;
    /**
     * The most requests in a second. null: no limit
     */
    rate_limit_per_second: number | null;
    /**
     * The seconds from each failed attempt to the next, up to 20 % shorter or longer. []: no second attempt. null: as the platform does
     */
    retry_schedule: Array<number> | null;
    /**
     * The longest time of an attempt. null: as the platform does
     */
    timeout_seconds: number | null;
    /**
     * The endpoint is disabled when every attempt has failed for so long. null: five days
     */
    disable_after_hours: number | null;
    /**
     * `full`: webhooks have the whole event. `thin`: they lack `data`, which the receiver fetches with GET /partners/{id}/events/{event_id}
     */
    payload: 'full' | 'thin';
    /**
     * How often a checkpoint is made and sent: a signed statement that shows whether deliveries are missing. null: never
     */
    checkpoint_minutes: number | null;
    batch: WebhookEndpointBatch | null;
    /**
     * The names of the headers that are sent with each webhook. Their values are never shown
     */
    header_names: Array<string>;
    authentication: WebhookEndpointAuthentication | null;
    signing_secret: WebhookEndpointSigningSecret | null;
    /**
     * `disabled`: every attempt failed for too long, or the receiver answered 410. Deliveries wait unless it is active
     */
    status: 'active' | 'paused' | 'disabled';
    client_certificate: WebhookEndpointClientCertificate | null;
    /**
     * Why the endpoint is disabled. null: it is not disabled
     */
    disabled_reason: string | null;
    check: EndpointCheckSummary;
    /**
     * RFC 3339, UTC, milliseconds
     */
    created_at: string;
    /**
     * When the endpoint last changed
     */
    updated_at: string;
};

/**
 * How Concord gets the access token that its requests have in the header Authorization: OAuth 2.0 client credentials (RFC 6749, section 4.4), without its secret. null: requests have no token
 */
export type WebhookEndpointAuthentication = {
    type: 'oauth2_client_credentials';
    /**
     * Where Concord requests tokens, by POST. The rules for the URL of an endpoint hold for it too
     */
    token_url: string;
    /**
     * The id by which the token URL knows Concord
     */
    client_id: string;
    /**
     * The scopes to ask for, with a space between them. null: none is asked for
     */
    scope: string | null;
    /**
     * For whom the token is, where the token URL asks for it. null: it is not sent
     */
    audience: string | null;
    /**
     * How the id and the secret are sent: `basic` in the header Authorization, `form` in the body
     */
    client_authentication: 'basic' | 'form';
};

/**
 * Several events are sent in one request: the body is an array of them, and `Webhook-Id` is that of the batch. null: one event in each request
 */
export type WebhookEndpointBatch = {
    /**
     * The most events in a request
     */
    max_events: number;
    /**
     * How long an event waits for others at most. 0: it goes with those that wait already
     */
    max_wait_seconds: number;
};

export type WebhookEndpointCheckpointWebhook = {
    /**
     * The event
     */
    id: string;
    type: 'webhook_endpoint.checkpoint';
    created_at: string;
    partner_id: string;
    environment: 'live' | 'sandbox';
    data: WebhookEndpointCheckpointWebhookData;
};

export type WebhookEndpointCheckpointWebhookData = {
    checkpoint_id: string;
    endpoint_id: string;
    partner_id: string;
    environment: 'live' | 'sandbox';
    previous_id: string | null;
    covers_from: string;
    covers_until: string;
    created_at: string;
    count: number;
    delivered: number;
    pending: number;
    failed: number;
    cancelled: number;
    root: string;
    jws: string;
};

/**
 * The certificate that Concord shows to receivers that ask for one in TLS. null: there is none
 */
export type WebhookEndpointClientCertificate = {
    /**
     * The name in the certificate
     */
    subject: string;
    /**
     * When it ends
     */
    not_after: string;
    /**
     * The SHA-256 hash of the certificate, in hexadecimal
     */
    fingerprint_sha256: string;
};

export type WebhookEndpointDisabledWebhook = {
    /**
     * The event
     */
    id: string;
    type: 'webhook_endpoint.disabled';
    created_at: string;
    partner_id: string;
    environment: 'live' | 'sandbox';
    data: WebhookEndpointDisabledWebhookData;
};

export type WebhookEndpointDisabledWebhookData = {
    occurred_at: string;
    partner_id: string;
    endpoint_id: string;
    host: string;
    reason: string;
};

export type WebhookEndpointFailingWebhook = {
    /**
     * The event
     */
    id: string;
    type: 'webhook_endpoint.failing';
    created_at: string;
    partner_id: string;
    environment: 'live' | 'sandbox';
    data: WebhookEndpointFailingWebhookData;
};

export type WebhookEndpointFailingWebhookData = {
    occurred_at: string;
    partner_id: string;
    endpoint_id: string;
    host: string;
    failing_since: string;
};

export type WebhookEndpointRecoveredWebhook = {
    /**
     * The event
     */
    id: string;
    type: 'webhook_endpoint.recovered';
    created_at: string;
    partner_id: string;
    environment: 'live' | 'sandbox';
    data: WebhookEndpointRecoveredWebhookData;
};

export type WebhookEndpointRecoveredWebhookData = {
    occurred_at: string;
    partner_id: string;
    endpoint_id: string;
    host: string;
    failing_since: string;
};

/**
 * The shared secret with which requests are also signed as Standard Webhooks v1 does. null: there is none
 */
export type WebhookEndpointSigningSecret = {
    /**
     * When the present secret was made
     */
    created_at: string;
    /**
     * Until when requests are signed with the secret before, too. null: there was none
     */
    previous_valid_until: string | null;
};

export type SignUpData = {
    body: SignUp;
    headers?: {
        /**
         * The token from the mail: what follows `#` in its link
         */
        'invitation-token'?: string;
    };
    path?: never;
    query?: never;
    url: '/api/auth/sign-up/email';
};

export type SignUpErrors = {
    /**
     * An error
     */
    default: Error;
};

export type SignUpError = SignUpErrors[keyof SignUpErrors];

export type SignUpResponses = {
    /**
     * OK
     */
    200: Done;
};

export type SignUpResponse = SignUpResponses[keyof SignUpResponses];

export type SendVerificationEmailData = {
    body: EmailOnly;
    path?: never;
    query?: never;
    url: '/api/auth/send-verification-email';
};

export type SendVerificationEmailErrors = {
    /**
     * An error
     */
    default: Error;
};

export type SendVerificationEmailError = SendVerificationEmailErrors[keyof SendVerificationEmailErrors];

export type SendVerificationEmailResponses = {
    /**
     * OK
     */
    200: Done;
};

export type SendVerificationEmailResponse = SendVerificationEmailResponses[keyof SendVerificationEmailResponses];

export type SignInData = {
    body: SignIn;
    path?: never;
    query?: never;
    url: '/api/auth/sign-in/email';
};

export type SignInErrors = {
    /**
     * An error
     */
    default: Error;
};

export type SignInError = SignInErrors[keyof SignInErrors];

export type SignInResponses = {
    /**
     * OK
     */
    200: SignedIn;
};

export type SignInResponse = SignInResponses[keyof SignInResponses];

export type SetUpData = {
    body: SetUp;
    path?: never;
    query?: never;
    url: '/api/auth/set-up';
};

export type SetUpErrors = {
    /**
     * An error
     */
    default: Error;
};

export type SetUpError = SetUpErrors[keyof SetUpErrors];

export type SetUpResponses = {
    /**
     * OK
     */
    200: SignedIn;
};

export type SetUpResponse = SetUpResponses[keyof SetUpResponses];

export type VerifyEmailData = {
    body: VerifyEmail;
    path?: never;
    query?: never;
    url: '/api/auth/verify-email';
};

export type VerifyEmailErrors = {
    /**
     * An error
     */
    default: Error;
};

export type VerifyEmailError = VerifyEmailErrors[keyof VerifyEmailErrors];

export type VerifyEmailResponses = {
    /**
     * OK
     */
    200: Done;
};

export type VerifyEmailResponse = VerifyEmailResponses[keyof VerifyEmailResponses];

export type RequestPasswordResetData = {
    body: EmailOnly;
    path?: never;
    query?: never;
    url: '/api/auth/request-password-reset';
};

export type RequestPasswordResetErrors = {
    /**
     * An error
     */
    default: Error;
};

export type RequestPasswordResetError = RequestPasswordResetErrors[keyof RequestPasswordResetErrors];

export type RequestPasswordResetResponses = {
    /**
     * OK
     */
    200: Done;
};

export type RequestPasswordResetResponse = RequestPasswordResetResponses[keyof RequestPasswordResetResponses];

export type ResetPasswordData = {
    body: ResetPassword;
    path?: never;
    query?: never;
    url: '/api/auth/reset-password';
};

export type ResetPasswordErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ResetPasswordError = ResetPasswordErrors[keyof ResetPasswordErrors];

export type ResetPasswordResponses = {
    /**
     * OK
     */
    200: Done;
};

export type ResetPasswordResponse = ResetPasswordResponses[keyof ResetPasswordResponses];

export type CheckPasswordResetData = {
    body: CheckPasswordReset;
    path?: never;
    query?: never;
    url: '/api/auth/reset-password/check';
};

export type CheckPasswordResetErrors = {
    /**
     * An error
     */
    default: Error;
};

export type CheckPasswordResetError = CheckPasswordResetErrors[keyof CheckPasswordResetErrors];

export type CheckPasswordResetResponses = {
    /**
     * OK
     */
    200: Done;
};

export type CheckPasswordResetResponse = CheckPasswordResetResponses[keyof CheckPasswordResetResponses];

export type ConfirmDeletionData = {
    body: ConfirmDeletion;
    path?: never;
    query?: never;
    url: '/api/auth/delete-user/confirm';
};

export type ConfirmDeletionErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ConfirmDeletionError = ConfirmDeletionErrors[keyof ConfirmDeletionErrors];

export type ConfirmDeletionResponses = {
    /**
     * OK
     */
    200: Done;
};

export type ConfirmDeletionResponse = ConfirmDeletionResponses[keyof ConfirmDeletionResponses];

export type SignInWithProviderData = {
    body: ProviderName;
    path?: never;
    query?: never;
    url: '/api/auth/sign-in/social';
};

export type SignInWithProviderErrors = {
    /**
     * An error
     */
    default: Error;
};

export type SignInWithProviderError = SignInWithProviderErrors[keyof SignInWithProviderErrors];

export type SignInWithProviderResponses = {
    /**
     * OK
     */
    200: ProviderRedirect;
};

export type SignInWithProviderResponse = SignInWithProviderResponses[keyof SignInWithProviderResponses];

export type LinkProviderData = {
    body: ProviderName;
    path?: never;
    query?: never;
    url: '/api/auth/link-social';
};

export type LinkProviderErrors = {
    /**
     * An error
     */
    default: Error;
};

export type LinkProviderError = LinkProviderErrors[keyof LinkProviderErrors];

export type LinkProviderResponses = {
    /**
     * OK
     */
    200: ProviderRedirect;
};

export type LinkProviderResponse = LinkProviderResponses[keyof LinkProviderResponses];

export type UnlinkAccountData = {
    body: UnlinkAccount;
    path?: never;
    query?: never;
    url: '/api/auth/unlink-account';
};

export type UnlinkAccountErrors = {
    /**
     * An error
     */
    default: Error;
};

export type UnlinkAccountError = UnlinkAccountErrors[keyof UnlinkAccountErrors];

export type UnlinkAccountResponses = {
    /**
     * OK
     */
    200: Done;
};

export type UnlinkAccountResponse = UnlinkAccountResponses[keyof UnlinkAccountResponses];

export type ReturnFromProviderData = {
    body?: never;
    path: {
        /**
         * The provider
         */
        provider: string;
    };
    query?: {
        /**
         * The code that Concord exchanges for the identity
         */
        code?: string;
        /**
         * The value that began the visit
         */
        state?: string;
        /**
         * Why the provider refused
         */
        error?: string;
        /**
         * The same, for people
         */
        error_description?: string;
        /**
         * The issuer that answers (RFC 9207)
         */
        iss?: string;
    };
    url: '/api/auth/callback/{provider}';
};

export type ReturnFromProviderErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ReturnFromProviderError = ReturnFromProviderErrors[keyof ReturnFromProviderErrors];

export type ReturnFromProviderResponses = {
    /**
     * OK
     */
    200: SignedIn;
};

export type ReturnFromProviderResponse = ReturnFromProviderResponses[keyof ReturnFromProviderResponses];

export type CompleteProviderSignInData = {
    body: ProviderCode;
    path?: never;
    query?: never;
    url: '/api/auth/sign-in/provider-code';
};

export type CompleteProviderSignInErrors = {
    /**
     * An error
     */
    default: Error;
};

export type CompleteProviderSignInError = CompleteProviderSignInErrors[keyof CompleteProviderSignInErrors];

export type CompleteProviderSignInResponses = {
    /**
     * OK
     */
    200: SignedIn;
};

export type CompleteProviderSignInResponse = CompleteProviderSignInResponses[keyof CompleteProviderSignInResponses];

export type SignOutData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/auth/sign-out';
};

export type SignOutErrors = {
    /**
     * An error
     */
    default: Error;
};

export type SignOutError = SignOutErrors[keyof SignOutErrors];

export type SignOutResponses = {
    /**
     * Signed out
     */
    204: void;
};

export type SignOutResponse = SignOutResponses[keyof SignOutResponses];

export type ListLinkedAccountsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/auth/list-accounts';
};

export type ListLinkedAccountsErrors = {
    /**
     * Missing or invalid parameters
     */
    400: Error;
    /**
     * Missing or invalid authentication
     */
    401: Error;
    /**
     * No permission for the resource or action
     */
    403: Error;
    /**
     * Resource not found
     */
    404: Error;
    /**
     * Rate limit exceeded
     */
    429: Error;
    /**
     * Fault of the service
     */
    500: Error;
    /**
     * An error
     */
    default: Error;
};

export type ListLinkedAccountsError = ListLinkedAccountsErrors[keyof ListLinkedAccountsErrors];

export type ListLinkedAccountsResponses = {
    /**
     * OK
     */
    200: Array<LinkedAccount>;
};

export type ListLinkedAccountsResponse = ListLinkedAccountsResponses[keyof ListLinkedAccountsResponses];

export type ListSessionsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/auth/list-sessions';
};

export type ListSessionsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListSessionsError = ListSessionsErrors[keyof ListSessionsErrors];

export type ListSessionsResponses = {
    /**
     * OK
     */
    200: Array<Session>;
};

export type ListSessionsResponse = ListSessionsResponses[keyof ListSessionsResponses];

export type RevokeSessionData = {
    body: RevokeSession;
    path?: never;
    query?: never;
    url: '/api/auth/revoke-session';
};

export type RevokeSessionErrors = {
    /**
     * An error
     */
    default: Error;
};

export type RevokeSessionError = RevokeSessionErrors[keyof RevokeSessionErrors];

export type RevokeSessionResponses = {
    /**
     * OK
     */
    200: Done;
};

export type RevokeSessionResponse = RevokeSessionResponses[keyof RevokeSessionResponses];

export type RevokeOtherSessionsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/auth/revoke-other-sessions';
};

export type RevokeOtherSessionsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type RevokeOtherSessionsError = RevokeOtherSessionsErrors[keyof RevokeOtherSessionsErrors];

export type RevokeOtherSessionsResponses = {
    /**
     * OK
     */
    200: Done;
};

export type RevokeOtherSessionsResponse = RevokeOtherSessionsResponses[keyof RevokeOtherSessionsResponses];

export type ChangePasswordData = {
    body: ChangePassword;
    path?: never;
    query?: never;
    url: '/api/auth/change-password';
};

export type ChangePasswordErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ChangePasswordError = ChangePasswordErrors[keyof ChangePasswordErrors];

export type ChangePasswordResponses = {
    /**
     * OK
     */
    200: Done;
};

export type ChangePasswordResponse = ChangePasswordResponses[keyof ChangePasswordResponses];

export type ChangeEmailData = {
    body: ChangeEmail;
    path?: never;
    query?: never;
    url: '/api/auth/change-email';
};

export type ChangeEmailErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ChangeEmailError = ChangeEmailErrors[keyof ChangeEmailErrors];

export type ChangeEmailResponses = {
    /**
     * OK
     */
    200: Done;
};

export type ChangeEmailResponse = ChangeEmailResponses[keyof ChangeEmailResponses];

export type DeleteOwnUserData = {
    body: DeleteUser;
    path?: never;
    query?: never;
    url: '/api/auth/delete-user';
};

export type DeleteOwnUserErrors = {
    /**
     * An error
     */
    default: Error;
};

export type DeleteOwnUserError = DeleteOwnUserErrors[keyof DeleteOwnUserErrors];

export type DeleteOwnUserResponses = {
    /**
     * OK
     */
    200: Done;
};

export type DeleteOwnUserResponse = DeleteOwnUserResponses[keyof DeleteOwnUserResponses];

export type StepUpData = {
    body: StepUp;
    path?: never;
    query?: never;
    url: '/api/auth/step-up';
};

export type StepUpErrors = {
    /**
     * An error
     */
    default: Error;
};

export type StepUpError = StepUpErrors[keyof StepUpErrors];

export type StepUpResponses = {
    /**
     * OK
     */
    200: Done;
};

export type StepUpResponse = StepUpResponses[keyof StepUpResponses];

export type VerifyTotpData = {
    body: VerifyTotp;
    path?: never;
    query?: never;
    url: '/api/auth/two-factor/verify-totp';
};

export type VerifyTotpErrors = {
    /**
     * An error
     */
    default: Error;
};

export type VerifyTotpError = VerifyTotpErrors[keyof VerifyTotpErrors];

export type VerifyTotpResponses = {
    /**
     * OK
     */
    200: SignedIn;
};

export type VerifyTotpResponse = VerifyTotpResponses[keyof VerifyTotpResponses];

export type VerifyBackupCodeData = {
    body: VerifyBackupCode;
    path?: never;
    query?: never;
    url: '/api/auth/two-factor/verify-backup-code';
};

export type VerifyBackupCodeErrors = {
    /**
     * An error
     */
    default: Error;
};

export type VerifyBackupCodeError = VerifyBackupCodeErrors[keyof VerifyBackupCodeErrors];

export type VerifyBackupCodeResponses = {
    /**
     * OK
     */
    200: SignedIn;
};

export type VerifyBackupCodeResponse = VerifyBackupCodeResponses[keyof VerifyBackupCodeResponses];

export type EnrolSecondFactorData = {
    body: PasswordOnly;
    path?: never;
    query?: never;
    url: '/api/auth/two-factor/enable';
};

export type EnrolSecondFactorErrors = {
    /**
     * An error
     */
    default: Error;
};

export type EnrolSecondFactorError = EnrolSecondFactorErrors[keyof EnrolSecondFactorErrors];

export type EnrolSecondFactorResponses = {
    /**
     * OK
     */
    200: TotpEnrolment;
};

export type EnrolSecondFactorResponse = EnrolSecondFactorResponses[keyof EnrolSecondFactorResponses];

export type GetTotpUriData = {
    body: PasswordOnly;
    path?: never;
    query?: never;
    url: '/api/auth/two-factor/get-totp-uri';
};

export type GetTotpUriErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetTotpUriError = GetTotpUriErrors[keyof GetTotpUriErrors];

export type GetTotpUriResponses = {
    /**
     * OK
     */
    200: TotpUri;
};

export type GetTotpUriResponse = GetTotpUriResponses[keyof GetTotpUriResponses];

export type DisableSecondFactorData = {
    body: PasswordOnly;
    path?: never;
    query?: never;
    url: '/api/auth/two-factor/disable';
};

export type DisableSecondFactorErrors = {
    /**
     * An error
     */
    default: Error;
};

export type DisableSecondFactorError = DisableSecondFactorErrors[keyof DisableSecondFactorErrors];

export type DisableSecondFactorResponses = {
    /**
     * OK
     */
    200: NewToken;
};

export type DisableSecondFactorResponse = DisableSecondFactorResponses[keyof DisableSecondFactorResponses];

export type GenerateBackupCodesData = {
    body: GenerateBackupCodes;
    path?: never;
    query?: never;
    url: '/api/auth/two-factor/generate-backup-codes';
};

export type GenerateBackupCodesErrors = {
    /**
     * Missing or invalid parameters
     */
    400: Error;
    /**
     * Missing or invalid authentication
     */
    401: Error;
    /**
     * No permission for the resource or action
     */
    403: Error;
    /**
     * Resource not found
     */
    404: Error;
    /**
     * Rate limit exceeded
     */
    429: Error;
    /**
     * Fault of the service
     */
    500: Error;
    /**
     * An error
     */
    default: Error;
};

export type GenerateBackupCodesError = GenerateBackupCodesErrors[keyof GenerateBackupCodesErrors];

export type GenerateBackupCodesResponses = {
    /**
     * OK
     */
    200: BackupCodes;
};

export type GenerateBackupCodesResponse = GenerateBackupCodesResponses[keyof GenerateBackupCodesResponses];

export type ListPasskeysData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/auth/passkeys';
};

export type ListPasskeysErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListPasskeysError = ListPasskeysErrors[keyof ListPasskeysErrors];

export type ListPasskeysResponses = {
    /**
     * OK
     */
    200: Array<Passkey>;
};

export type ListPasskeysResponse = ListPasskeysResponses[keyof ListPasskeysResponses];

export type AddPasskeyData = {
    body: AddPasskey;
    path?: never;
    query?: never;
    url: '/api/auth/passkeys';
};

export type AddPasskeyErrors = {
    /**
     * An error
     */
    default: Error;
};

export type AddPasskeyError = AddPasskeyErrors[keyof AddPasskeyErrors];

export type AddPasskeyResponses = {
    /**
     * OK
     */
    200: AddedPasskey;
};

export type AddPasskeyResponse = AddPasskeyResponses[keyof AddPasskeyResponses];

export type BeginPasskeyData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/auth/passkeys/options';
};

export type BeginPasskeyErrors = {
    /**
     * An error
     */
    default: Error;
};

export type BeginPasskeyError = BeginPasskeyErrors[keyof BeginPasskeyErrors];

export type BeginPasskeyResponses = {
    /**
     * OK
     */
    200: PasskeyCreation;
};

export type BeginPasskeyResponse = BeginPasskeyResponses[keyof BeginPasskeyResponses];

export type RemovePasskeyData = {
    body?: never;
    path: {
        /**
         * The passkey
         */
        id: string;
    };
    query?: never;
    url: '/api/auth/passkeys/{id}';
};

export type RemovePasskeyErrors = {
    /**
     * An error
     */
    default: Error;
};

export type RemovePasskeyError = RemovePasskeyErrors[keyof RemovePasskeyErrors];

export type RemovePasskeyResponses = {
    /**
     * Removed
     */
    204: void;
};

export type RemovePasskeyResponse = RemovePasskeyResponses[keyof RemovePasskeyResponses];

export type RenamePasskeyData = {
    body: RenamePasskey;
    path: {
        /**
         * The passkey
         */
        id: string;
    };
    query?: never;
    url: '/api/auth/passkeys/{id}';
};

export type RenamePasskeyErrors = {
    /**
     * An error
     */
    default: Error;
};

export type RenamePasskeyError = RenamePasskeyErrors[keyof RenamePasskeyErrors];

export type RenamePasskeyResponses = {
    /**
     * OK
     */
    200: Passkey;
};

export type RenamePasskeyResponse = RenamePasskeyResponses[keyof RenamePasskeyResponses];

export type BeginPasskeySignInData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/auth/passkey/sign-in/options';
};

export type BeginPasskeySignInErrors = {
    /**
     * An error
     */
    default: Error;
};

export type BeginPasskeySignInError = BeginPasskeySignInErrors[keyof BeginPasskeySignInErrors];

export type BeginPasskeySignInResponses = {
    /**
     * OK
     */
    200: PasskeyRequest;
};

export type BeginPasskeySignInResponse = BeginPasskeySignInResponses[keyof BeginPasskeySignInResponses];

export type SignInWithPasskeyData = {
    body: PasskeyProof;
    path?: never;
    query?: never;
    url: '/api/auth/passkey/sign-in';
};

export type SignInWithPasskeyErrors = {
    /**
     * An error
     */
    default: Error;
};

export type SignInWithPasskeyError = SignInWithPasskeyErrors[keyof SignInWithPasskeyErrors];

export type SignInWithPasskeyResponses = {
    /**
     * OK
     */
    200: SignedIn;
};

export type SignInWithPasskeyResponse = SignInWithPasskeyResponses[keyof SignInWithPasskeyResponses];

export type BeginSecondFactorData = {
    body: AskSecondFactor;
    path?: never;
    query?: never;
    url: '/api/auth/two-factor/options';
};

export type BeginSecondFactorErrors = {
    /**
     * An error
     */
    default: Error;
};

export type BeginSecondFactorError = BeginSecondFactorErrors[keyof BeginSecondFactorErrors];

export type BeginSecondFactorResponses = {
    /**
     * OK
     */
    200: SecondFactorOptions;
};

export type BeginSecondFactorResponse = BeginSecondFactorResponses[keyof BeginSecondFactorResponses];

export type VerifyPasskeyData = {
    body: VerifyPasskey;
    path?: never;
    query?: never;
    url: '/api/auth/two-factor/verify-passkey';
};

export type VerifyPasskeyErrors = {
    /**
     * An error
     */
    default: Error;
};

export type VerifyPasskeyError = VerifyPasskeyErrors[keyof VerifyPasskeyErrors];

export type VerifyPasskeyResponses = {
    /**
     * OK
     */
    200: SignedIn;
};

export type VerifyPasskeyResponse = VerifyPasskeyResponses[keyof VerifyPasskeyResponses];

export type GetMeData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path?: never;
    query?: never;
    url: '/me';
};

export type GetMeErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetMeError = GetMeErrors[keyof GetMeErrors];

export type GetMeResponses = {
    /**
     * OK
     */
    200: Me;
};

export type GetMeResponse = GetMeResponses[keyof GetMeResponses];

export type UpdateMeData = {
    body: UpdateMe;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path?: never;
    query?: never;
    url: '/me';
};

export type UpdateMeErrors = {
    /**
     * An error
     */
    default: Error;
};

export type UpdateMeError = UpdateMeErrors[keyof UpdateMeErrors];

export type UpdateMeResponses = {
    /**
     * OK
     */
    200: Me;
};

export type UpdateMeResponse = UpdateMeResponses[keyof UpdateMeResponses];

export type ListUsersData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The number of items in a page. Default: 100 with page_from. Without page_size and page_from the answer is the whole list.
         */
        page_size?: number;
        /**
         * The cursor from the Link header of the previous page. In a list sorted by id, also the id of the last item that you have.
         */
        page_from?: string;
        /**
         * The member to sort by. Default: id, oldest first.
         */
        sort_by?: 'id' | 'email' | 'name' | 'created_at';
        /**
         * The direction of the order. Default: asc.
         */
        sort_dir?: 'asc' | 'desc';
        /**
         * Only users whose e-mail contains this text. Ignores case.
         */
        'filter[email]'?: string;
        /**
         * Only users whose name contains this text. Ignores case.
         */
        'filter[name]'?: string;
    };
    url: '/users';
};

export type ListUsersErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListUsersError = ListUsersErrors[keyof ListUsersErrors];

export type ListUsersResponses = {
    /**
     * OK
     */
    200: Array<User>;
};

export type ListUsersResponse = ListUsersResponses[keyof ListUsersResponses];

export type BanUserData = {
    body: BanUser;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The user
         */
        id: string;
    };
    query?: {
        /**
         * Allows an operator to remove the last owner of a partner. Default: false
         */
        orphan?: boolean;
    };
    url: '/users/{id}/ban';
};

export type BanUserErrors = {
    /**
     * An error
     */
    default: Error;
};

export type BanUserError = BanUserErrors[keyof BanUserErrors];

export type BanUserResponses = {
    /**
     * OK
     */
    200: User;
};

export type BanUserResponse = BanUserResponses[keyof BanUserResponses];

export type UnbanUserData = {
    body?: never;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The user
         */
        id: string;
    };
    query?: never;
    url: '/users/{id}/unban';
};

export type UnbanUserErrors = {
    /**
     * An error
     */
    default: Error;
};

export type UnbanUserError = UnbanUserErrors[keyof UnbanUserErrors];

export type UnbanUserResponses = {
    /**
     * OK
     */
    200: User;
};

export type UnbanUserResponse = UnbanUserResponses[keyof UnbanUserResponses];

export type SetUserRoleData = {
    body: SetUserRole;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The user
         */
        id: string;
    };
    query?: never;
    url: '/users/{id}/role';
};

export type SetUserRoleErrors = {
    /**
     * An error
     */
    default: Error;
};

export type SetUserRoleError = SetUserRoleErrors[keyof SetUserRoleErrors];

export type SetUserRoleResponses = {
    /**
     * OK
     */
    200: User;
};

export type SetUserRoleResponse = SetUserRoleResponses[keyof SetUserRoleResponses];

export type DeleteUserData = {
    body?: never;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The user
         */
        id: string;
    };
    query?: {
        /**
         * Allows an operator to remove the last owner of a partner. Default: false
         */
        orphan?: boolean;
    };
    url: '/users/{id}';
};

export type DeleteUserErrors = {
    /**
     * An error
     */
    default: Error;
};

export type DeleteUserError = DeleteUserErrors[keyof DeleteUserErrors];

export type DeleteUserResponses = {
    /**
     * Deleted
     */
    204: void;
};

export type DeleteUserResponse = DeleteUserResponses[keyof DeleteUserResponses];

export type EndUserSessionsData = {
    body?: never;
    path: {
        /**
         * The user
         */
        id: string;
    };
    query?: never;
    url: '/users/{id}/sessions';
};

export type EndUserSessionsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type EndUserSessionsError = EndUserSessionsErrors[keyof EndUserSessionsErrors];

export type EndUserSessionsResponses = {
    /**
     * Ended
     */
    204: void;
};

export type EndUserSessionsResponse = EndUserSessionsResponses[keyof EndUserSessionsResponses];

export type ListUserSessionsData = {
    body?: never;
    path: {
        /**
         * The user
         */
        id: string;
    };
    query?: never;
    url: '/users/{id}/sessions';
};

export type ListUserSessionsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListUserSessionsError = ListUserSessionsErrors[keyof ListUserSessionsErrors];

export type ListUserSessionsResponses = {
    /**
     * OK
     */
    200: Array<UserSession>;
};

export type ListUserSessionsResponse = ListUserSessionsResponses[keyof ListUserSessionsResponses];

export type EndUserSessionData = {
    body?: never;
    path: {
        /**
         * The user
         */
        id: string;
        /**
         * The session
         */
        session_id: string;
    };
    query?: never;
    url: '/users/{id}/sessions/{session_id}';
};

export type EndUserSessionErrors = {
    /**
     * An error
     */
    default: Error;
};

export type EndUserSessionError = EndUserSessionErrors[keyof EndUserSessionErrors];

export type EndUserSessionResponses = {
    /**
     * Ended
     */
    204: void;
};

export type EndUserSessionResponse = EndUserSessionResponses[keyof EndUserSessionResponses];

export type RemoveUserSecondFactorData = {
    body?: never;
    path: {
        /**
         * The user
         */
        id: string;
    };
    query?: never;
    url: '/users/{id}/second-factor';
};

export type RemoveUserSecondFactorErrors = {
    /**
     * An error
     */
    default: Error;
};

export type RemoveUserSecondFactorError = RemoveUserSecondFactorErrors[keyof RemoveUserSecondFactorErrors];

export type RemoveUserSecondFactorResponses = {
    /**
     * Removed
     */
    204: void;
};

export type RemoveUserSecondFactorResponse = RemoveUserSecondFactorResponses[keyof RemoveUserSecondFactorResponses];

export type ListAccessTokensData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The number of items in a page. Default: 100 with page_from. Without page_size and page_from the answer is the whole list.
         */
        page_size?: number;
        /**
         * The cursor from the Link header of the previous page. In a list sorted by id, also the id of the last item that you have.
         */
        page_from?: string;
        /**
         * The member to sort by. Default: id, oldest first.
         */
        sort_by?: 'id' | 'name' | 'created_at' | 'expires_at';
        /**
         * The direction of the order. Default: asc.
         */
        sort_dir?: 'asc' | 'desc';
    };
    url: '/me/access-tokens';
};

export type ListAccessTokensErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListAccessTokensError = ListAccessTokensErrors[keyof ListAccessTokensErrors];

export type ListAccessTokensResponses = {
    /**
     * OK
     */
    200: Array<AccessToken>;
};

export type ListAccessTokensResponse = ListAccessTokensResponses[keyof ListAccessTokensResponses];

export type CreateAccessTokenData = {
    body: CreateAccessToken;
    path?: never;
    query?: never;
    url: '/me/access-tokens';
};

export type CreateAccessTokenErrors = {
    /**
     * An error
     */
    default: Error;
};

export type CreateAccessTokenError = CreateAccessTokenErrors[keyof CreateAccessTokenErrors];

export type CreateAccessTokenResponses = {
    /**
     * Created
     */
    201: CreatedAccessToken;
};

export type CreateAccessTokenResponse = CreateAccessTokenResponses[keyof CreateAccessTokenResponses];

export type RevokeAccessTokenData = {
    body?: never;
    path: {
        /**
         * The access token
         */
        token_id: string;
    };
    query?: never;
    url: '/me/access-tokens/{token_id}';
};

export type RevokeAccessTokenErrors = {
    /**
     * An error
     */
    default: Error;
};

export type RevokeAccessTokenError = RevokeAccessTokenErrors[keyof RevokeAccessTokenErrors];

export type RevokeAccessTokenResponses = {
    /**
     * Revoked
     */
    204: void;
};

export type RevokeAccessTokenResponse = RevokeAccessTokenResponses[keyof RevokeAccessTokenResponses];

export type BeginDeviceAuthorizationData = {
    body: DeviceAuthorizationForm;
    path?: never;
    query?: never;
    url: '/oauth/device_authorization';
};

export type BeginDeviceAuthorizationErrors = {
    /**
     * What went wrong, as RFC 6749 (section 5.2) and RFC 8628 (section 3.5) name it
     */
    400: OauthError;
    /**
     * An error
     */
    default: Error;
};

export type BeginDeviceAuthorizationError = BeginDeviceAuthorizationErrors[keyof BeginDeviceAuthorizationErrors];

export type BeginDeviceAuthorizationResponses = {
    /**
     * OK
     */
    200: DeviceAuthorization;
};

export type BeginDeviceAuthorizationResponse = BeginDeviceAuthorizationResponses[keyof BeginDeviceAuthorizationResponses];

export type FetchDeviceTokenData = {
    body: TokenForm;
    path?: never;
    query?: never;
    url: '/oauth/token';
};

export type FetchDeviceTokenErrors = {
    /**
     * What went wrong, as RFC 6749 (section 5.2) and RFC 8628 (section 3.5) name it
     */
    400: OauthError;
    /**
     * An error
     */
    default: Error;
};

export type FetchDeviceTokenError = FetchDeviceTokenErrors[keyof FetchDeviceTokenErrors];

export type FetchDeviceTokenResponses = {
    /**
     * OK
     */
    200: IssuedToken;
};

export type FetchDeviceTokenResponse = FetchDeviceTokenResponses[keyof FetchDeviceTokenResponses];

export type RevokeOwnTokenData = {
    body: RevokeForm;
    path?: never;
    query?: never;
    url: '/oauth/revoke';
};

export type RevokeOwnTokenErrors = {
    /**
     * What went wrong, as RFC 6749 (section 5.2) and RFC 8628 (section 3.5) name it
     */
    400: OauthError;
    /**
     * An error
     */
    default: Error;
};

export type RevokeOwnTokenError = RevokeOwnTokenErrors[keyof RevokeOwnTokenErrors];

export type RevokeOwnTokenResponses = {
    /**
     * The token does not work, or never did
     */
    200: Revoked;
};

export type RevokeOwnTokenResponse = RevokeOwnTokenResponses[keyof RevokeOwnTokenResponses];

export type GetDeviceAuthorizationData = {
    body?: never;
    path: {
        /**
         * The code that the program shows
         */
        user_code: string;
    };
    query?: never;
    url: '/me/device-authorizations/{user_code}';
};

export type GetDeviceAuthorizationErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetDeviceAuthorizationError = GetDeviceAuthorizationErrors[keyof GetDeviceAuthorizationErrors];

export type GetDeviceAuthorizationResponses = {
    /**
     * OK
     */
    200: OpenDeviceAuthorization;
};

export type GetDeviceAuthorizationResponse = GetDeviceAuthorizationResponses[keyof GetDeviceAuthorizationResponses];

export type ApproveDeviceAuthorizationData = {
    body: CreateAccessToken;
    path: {
        /**
         * The code that the program shows
         */
        user_code: string;
    };
    query?: never;
    url: '/me/device-authorizations/{user_code}/approve';
};

export type ApproveDeviceAuthorizationErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ApproveDeviceAuthorizationError = ApproveDeviceAuthorizationErrors[keyof ApproveDeviceAuthorizationErrors];

export type ApproveDeviceAuthorizationResponses = {
    /**
     * OK
     */
    200: AccessToken;
};

export type ApproveDeviceAuthorizationResponse = ApproveDeviceAuthorizationResponses[keyof ApproveDeviceAuthorizationResponses];

export type DenyDeviceAuthorizationData = {
    body?: never;
    path: {
        /**
         * The code that the program shows
         */
        user_code: string;
    };
    query?: never;
    url: '/me/device-authorizations/{user_code}/deny';
};

export type DenyDeviceAuthorizationErrors = {
    /**
     * An error
     */
    default: Error;
};

export type DenyDeviceAuthorizationError = DenyDeviceAuthorizationErrors[keyof DenyDeviceAuthorizationErrors];

export type DenyDeviceAuthorizationResponses = {
    /**
     * Denied
     */
    204: void;
};

export type DenyDeviceAuthorizationResponse = DenyDeviceAuthorizationResponses[keyof DenyDeviceAuthorizationResponses];

export type ListPartnerAgreementsData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: {
        /**
         * The number of items in a page. Default: 100 with page_from. Without page_size and page_from the answer is the whole list.
         */
        page_size?: number;
        /**
         * The cursor from the Link header of the previous page. In a list sorted by id, also the id of the last item that you have.
         */
        page_from?: string;
        /**
         * The member to sort by. Default: id, oldest first.
         */
        sort_by?: 'id' | 'created_at' | 'updated_at' | 'expires_at';
        /**
         * The direction of the order. Default: asc.
         */
        sort_dir?: 'asc' | 'desc';
        /**
         * Only agreements in this state
         */
        'filter[state]'?: 'pending' | 'active' | 'expired';
        /**
         * Only agreements whose e-mail contains this text. Ignores case.
         */
        'filter[email]'?: string;
    };
    url: '/partners/{id}/agreements';
};

export type ListPartnerAgreementsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListPartnerAgreementsError = ListPartnerAgreementsErrors[keyof ListPartnerAgreementsErrors];

export type ListPartnerAgreementsResponses = {
    /**
     * OK
     */
    200: Array<Agreement>;
};

export type ListPartnerAgreementsResponse = ListPartnerAgreementsResponses[keyof ListPartnerAgreementsResponses];

export type CreatePartnerAgreementData = {
    body: CreateAgreement;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}/agreements';
};

export type CreatePartnerAgreementErrors = {
    /**
     * Missing or invalid parameters
     */
    400: Error;
    /**
     * Resource not found
     */
    404: Error;
    /**
     * An error
     */
    default: Error;
};

export type CreatePartnerAgreementError = CreatePartnerAgreementErrors[keyof CreatePartnerAgreementErrors];

export type CreatePartnerAgreementResponses = {
    /**
     * Created
     */
    201: Agreement;
};

export type CreatePartnerAgreementResponse = CreatePartnerAgreementResponses[keyof CreatePartnerAgreementResponses];

export type DeletePartnerAgreementData = {
    body?: never;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The agreement
         */
        agreement_id: string;
    };
    query?: {
        /**
         * Allows an operator to remove the last owner of a partner. Default: false
         */
        orphan?: boolean;
    };
    url: '/partners/{id}/agreements/{agreement_id}';
};

export type DeletePartnerAgreementErrors = {
    /**
     * Missing or invalid parameters
     */
    400: Error;
    /**
     * Resource not found
     */
    404: Error;
    /**
     * An error
     */
    default: Error;
};

export type DeletePartnerAgreementError = DeletePartnerAgreementErrors[keyof DeletePartnerAgreementErrors];

export type DeletePartnerAgreementResponses = {
    /**
     * Deleted
     */
    204: void;
};

export type DeletePartnerAgreementResponse = DeletePartnerAgreementResponses[keyof DeletePartnerAgreementResponses];

export type GetPartnerAgreementData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The agreement
         */
        agreement_id: string;
    };
    query?: never;
    url: '/partners/{id}/agreements/{agreement_id}';
};

export type GetPartnerAgreementErrors = {
    /**
     * Resource not found
     */
    404: Error;
    /**
     * An error
     */
    default: Error;
};

export type GetPartnerAgreementError = GetPartnerAgreementErrors[keyof GetPartnerAgreementErrors];

export type GetPartnerAgreementResponses = {
    /**
     * OK
     */
    200: Agreement;
};

export type GetPartnerAgreementResponse = GetPartnerAgreementResponses[keyof GetPartnerAgreementResponses];

export type UpdatePartnerAgreementData = {
    body: UpdateAgreement;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The agreement
         */
        agreement_id: string;
    };
    query?: {
        /**
         * Allows an operator to remove the last owner of a partner. Default: false
         */
        orphan?: boolean;
    };
    url: '/partners/{id}/agreements/{agreement_id}';
};

export type UpdatePartnerAgreementErrors = {
    /**
     * Missing or invalid parameters
     */
    400: Error;
    /**
     * Resource not found
     */
    404: Error;
    /**
     * An error
     */
    default: Error;
};

export type UpdatePartnerAgreementError = UpdatePartnerAgreementErrors[keyof UpdatePartnerAgreementErrors];

export type UpdatePartnerAgreementResponses = {
    /**
     * OK
     */
    200: Agreement;
};

export type UpdatePartnerAgreementResponse = UpdatePartnerAgreementResponses[keyof UpdatePartnerAgreementResponses];

export type ResendInvitationData = {
    body?: never;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The agreement
         */
        agreement_id: string;
    };
    query?: never;
    url: '/partners/{id}/agreements/{agreement_id}/resend';
};

export type ResendInvitationErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ResendInvitationError = ResendInvitationErrors[keyof ResendInvitationErrors];

export type ResendInvitationResponses = {
    /**
     * OK
     */
    200: Agreement;
};

export type ResendInvitationResponse = ResendInvitationResponses[keyof ResendInvitationResponses];

export type GetEffectivePermissionsData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The agreement
         */
        agreement_id: string;
    };
    query?: never;
    url: '/partners/{id}/agreements/{agreement_id}/effective-permissions';
};

export type GetEffectivePermissionsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetEffectivePermissionsError = GetEffectivePermissionsErrors[keyof GetEffectivePermissionsErrors];

export type GetEffectivePermissionsResponses = {
    /**
     * OK
     */
    200: Array<EffectivePermission>;
};

export type GetEffectivePermissionsResponse = GetEffectivePermissionsResponses[keyof GetEffectivePermissionsResponses];

export type ListOwnAgreementsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The number of items in a page. Default: 100 with page_from. Without page_size and page_from the answer is the whole list.
         */
        page_size?: number;
        /**
         * The cursor from the Link header of the previous page. In a list sorted by id, also the id of the last item that you have.
         */
        page_from?: string;
        /**
         * The member to sort by. Default: id, oldest first.
         */
        sort_by?: 'id' | 'created_at' | 'updated_at' | 'expires_at';
        /**
         * The direction of the order. Default: asc.
         */
        sort_dir?: 'asc' | 'desc';
        /**
         * Only agreements in this state
         */
        'filter[state]'?: 'pending' | 'active' | 'expired';
        /**
         * Only agreements whose e-mail contains this text. Ignores case.
         */
        'filter[email]'?: string;
    };
    url: '/me/agreements';
};

export type ListOwnAgreementsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListOwnAgreementsError = ListOwnAgreementsErrors[keyof ListOwnAgreementsErrors];

export type ListOwnAgreementsResponses = {
    /**
     * OK
     */
    200: Array<MyAgreement>;
};

export type ListOwnAgreementsResponse = ListOwnAgreementsResponses[keyof ListOwnAgreementsResponses];

export type ListAclResourcesData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/acl-resources';
};

export type ListAclResourcesErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListAclResourcesError = ListAclResourcesErrors[keyof ListAclResourcesErrors];

export type ListAclResourcesResponses = {
    /**
     * OK
     */
    200: Array<AclResource>;
};

export type ListAclResourcesResponse = ListAclResourcesResponses[keyof ListAclResourcesResponses];

export type GetInvitationData = {
    body?: never;
    headers: {
        /**
         * The token from the mail: what follows `#` in its link
         */
        'invitation-token': string;
    };
    path: {
        /**
         * The agreement that the invitation offers
         */
        agreement_id: string;
    };
    query?: never;
    url: '/invitations/{agreement_id}';
};

export type GetInvitationErrors = {
    /**
     * Missing or invalid parameters
     */
    400: Error;
    /**
     * An error
     */
    default: Error;
};

export type GetInvitationError = GetInvitationErrors[keyof GetInvitationErrors];

export type GetInvitationResponses = {
    /**
     * OK
     */
    200: Invitation;
};

export type GetInvitationResponse = GetInvitationResponses[keyof GetInvitationResponses];

export type AcceptInvitationData = {
    body?: never;
    headers: {
        /**
         * The token from the mail: what follows `#` in its link
         */
        'invitation-token': string;
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
    };
    path: {
        /**
         * The agreement that the invitation offers
         */
        agreement_id: string;
    };
    query?: never;
    url: '/invitations/{agreement_id}/accept';
};

export type AcceptInvitationErrors = {
    /**
     * Missing or invalid parameters
     */
    400: Error;
    /**
     * An error
     */
    default: Error;
};

export type AcceptInvitationError = AcceptInvitationErrors[keyof AcceptInvitationErrors];

export type AcceptInvitationResponses = {
    /**
     * OK
     */
    200: Agreement;
};

export type AcceptInvitationResponse = AcceptInvitationResponses[keyof AcceptInvitationResponses];

export type DeclineInvitationData = {
    body?: never;
    headers: {
        /**
         * The token from the mail: what follows `#` in its link
         */
        'invitation-token': string;
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
    };
    path: {
        /**
         * The agreement that the invitation offers
         */
        agreement_id: string;
    };
    query?: never;
    url: '/invitations/{agreement_id}/decline';
};

export type DeclineInvitationErrors = {
    /**
     * Missing or invalid parameters
     */
    400: Error;
    /**
     * An error
     */
    default: Error;
};

export type DeclineInvitationError = DeclineInvitationErrors[keyof DeclineInvitationErrors];

export type DeclineInvitationResponses = {
    /**
     * Declined
     */
    204: void;
};

export type DeclineInvitationResponse = DeclineInvitationResponses[keyof DeclineInvitationResponses];

export type ListAclPermissionGroupsData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: {
        /**
         * The number of items in a page. Default: 100 with page_from. Without page_size and page_from the answer is the whole list.
         */
        page_size?: number;
        /**
         * The cursor from the Link header of the previous page. In a list sorted by id, also the id of the last item that you have.
         */
        page_from?: string;
        /**
         * The member to sort by. Default: id, oldest first.
         */
        sort_by?: 'id' | 'name' | 'created_at' | 'updated_at';
        /**
         * The direction of the order. Default: asc.
         */
        sort_dir?: 'asc' | 'desc';
        /**
         * Only groups whose name contains this text. Ignores case.
         */
        'filter[name]'?: string;
        /**
         * Only groups of this type
         */
        'filter[type]'?: 'managed' | 'custom';
    };
    url: '/partners/{id}/acl-permission-groups';
};

export type ListAclPermissionGroupsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListAclPermissionGroupsError = ListAclPermissionGroupsErrors[keyof ListAclPermissionGroupsErrors];

export type ListAclPermissionGroupsResponses = {
    /**
     * OK
     */
    200: Array<AclPermissionGroup>;
};

export type ListAclPermissionGroupsResponse = ListAclPermissionGroupsResponses[keyof ListAclPermissionGroupsResponses];

export type CreateAclPermissionGroupData = {
    body: CreateAclPermissionGroup;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}/acl-permission-groups';
};

export type CreateAclPermissionGroupErrors = {
    /**
     * An error
     */
    default: Error;
};

export type CreateAclPermissionGroupError = CreateAclPermissionGroupErrors[keyof CreateAclPermissionGroupErrors];

export type CreateAclPermissionGroupResponses = {
    /**
     * Created
     */
    201: AclPermissionGroup;
};

export type CreateAclPermissionGroupResponse = CreateAclPermissionGroupResponses[keyof CreateAclPermissionGroupResponses];

export type GetDefaultAclPermissionGroupData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}/acl-permission-groups/default';
};

export type GetDefaultAclPermissionGroupErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetDefaultAclPermissionGroupError = GetDefaultAclPermissionGroupErrors[keyof GetDefaultAclPermissionGroupErrors];

export type GetDefaultAclPermissionGroupResponses = {
    /**
     * OK
     */
    200: DefaultAclPermissionGroup;
};

export type GetDefaultAclPermissionGroupResponse = GetDefaultAclPermissionGroupResponses[keyof GetDefaultAclPermissionGroupResponses];

export type SetDefaultAclPermissionGroupData = {
    body: DefaultAclPermissionGroup;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}/acl-permission-groups/default';
};

export type SetDefaultAclPermissionGroupErrors = {
    /**
     * An error
     */
    default: Error;
};

export type SetDefaultAclPermissionGroupError = SetDefaultAclPermissionGroupErrors[keyof SetDefaultAclPermissionGroupErrors];

export type SetDefaultAclPermissionGroupResponses = {
    /**
     * OK
     */
    200: DefaultAclPermissionGroup;
};

export type SetDefaultAclPermissionGroupResponse = SetDefaultAclPermissionGroupResponses[keyof SetDefaultAclPermissionGroupResponses];

export type DeleteAclPermissionGroupData = {
    body?: never;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The permission group
         */
        group_id: string;
    };
    query?: {
        /**
         * Removes the group from the agreements that carry it. Default: false
         */
        detach?: boolean;
    };
    url: '/partners/{id}/acl-permission-groups/{group_id}';
};

export type DeleteAclPermissionGroupErrors = {
    /**
     * An error
     */
    default: Error;
};

export type DeleteAclPermissionGroupError = DeleteAclPermissionGroupErrors[keyof DeleteAclPermissionGroupErrors];

export type DeleteAclPermissionGroupResponses = {
    /**
     * Deleted
     */
    204: void;
};

export type DeleteAclPermissionGroupResponse = DeleteAclPermissionGroupResponses[keyof DeleteAclPermissionGroupResponses];

export type GetAclPermissionGroupData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The permission group
         */
        group_id: string;
    };
    query?: never;
    url: '/partners/{id}/acl-permission-groups/{group_id}';
};

export type GetAclPermissionGroupErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetAclPermissionGroupError = GetAclPermissionGroupErrors[keyof GetAclPermissionGroupErrors];

export type GetAclPermissionGroupResponses = {
    /**
     * OK
     */
    200: AclPermissionGroup;
};

export type GetAclPermissionGroupResponse = GetAclPermissionGroupResponses[keyof GetAclPermissionGroupResponses];

export type UpdateAclPermissionGroupData = {
    body: UpdateAclPermissionGroup;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The permission group
         */
        group_id: string;
    };
    query?: never;
    url: '/partners/{id}/acl-permission-groups/{group_id}';
};

export type UpdateAclPermissionGroupErrors = {
    /**
     * An error
     */
    default: Error;
};

export type UpdateAclPermissionGroupError = UpdateAclPermissionGroupErrors[keyof UpdateAclPermissionGroupErrors];

export type UpdateAclPermissionGroupResponses = {
    /**
     * OK
     */
    200: AclPermissionGroup;
};

export type UpdateAclPermissionGroupResponse = UpdateAclPermissionGroupResponses[keyof UpdateAclPermissionGroupResponses];

export type PreviewAclPermissionGroupData = {
    body: PreviewAclPermissionGroup;
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The permission group
         */
        group_id: string;
    };
    query?: never;
    url: '/partners/{id}/acl-permission-groups/{group_id}/preview';
};

export type PreviewAclPermissionGroupErrors = {
    /**
     * An error
     */
    default: Error;
};

export type PreviewAclPermissionGroupError = PreviewAclPermissionGroupErrors[keyof PreviewAclPermissionGroupErrors];

export type PreviewAclPermissionGroupResponses = {
    /**
     * OK
     */
    200: AclPermissionGroupPreview;
};

export type PreviewAclPermissionGroupResponse = PreviewAclPermissionGroupResponses[keyof PreviewAclPermissionGroupResponses];

export type ListAccessRequestsData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: {
        /**
         * The number of items in a page. Default: 100 with page_from. Without page_size and page_from the answer is the whole list.
         */
        page_size?: number;
        /**
         * The cursor from the Link header of the previous page. In a list sorted by id, also the id of the last item that you have.
         */
        page_from?: string;
        /**
         * The member to sort by. Default: id, oldest first.
         */
        sort_by?: 'id' | 'created_at';
        /**
         * The direction of the order. Default: asc.
         */
        sort_dir?: 'asc' | 'desc';
        /**
         * Only requests in this state
         */
        'filter[state]'?: 'pending' | 'approved' | 'denied' | 'withdrawn' | 'lapsed' | 'ended';
        /**
         * Only requests of this agreement
         */
        'filter[agreement_id]'?: string;
    };
    url: '/partners/{id}/access-requests';
};

export type ListAccessRequestsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListAccessRequestsError = ListAccessRequestsErrors[keyof ListAccessRequestsErrors];

export type ListAccessRequestsResponses = {
    /**
     * OK
     */
    200: Array<AccessRequest>;
};

export type ListAccessRequestsResponse = ListAccessRequestsResponses[keyof ListAccessRequestsResponses];

export type CreateAccessRequestData = {
    body: CreateAccessRequest;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}/access-requests';
};

export type CreateAccessRequestErrors = {
    /**
     * Missing or invalid parameters
     */
    400: Error;
    /**
     * Resource not found
     */
    404: Error;
    /**
     * An error
     */
    default: Error;
};

export type CreateAccessRequestError = CreateAccessRequestErrors[keyof CreateAccessRequestErrors];

export type CreateAccessRequestResponses = {
    /**
     * OK
     */
    200: AccessRequest;
    /**
     * Created
     */
    201: AccessRequest;
};

export type CreateAccessRequestResponse = CreateAccessRequestResponses[keyof CreateAccessRequestResponses];

export type GetAccessRequestData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The access request
         */
        access_request_id: string;
    };
    query?: never;
    url: '/partners/{id}/access-requests/{access_request_id}';
};

export type GetAccessRequestErrors = {
    /**
     * Resource not found
     */
    404: Error;
    /**
     * An error
     */
    default: Error;
};

export type GetAccessRequestError = GetAccessRequestErrors[keyof GetAccessRequestErrors];

export type GetAccessRequestResponses = {
    /**
     * OK
     */
    200: AccessRequest;
};

export type GetAccessRequestResponse = GetAccessRequestResponses[keyof GetAccessRequestResponses];

export type ApproveAccessRequestData = {
    body?: never;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The access request
         */
        access_request_id: string;
    };
    query?: never;
    url: '/partners/{id}/access-requests/{access_request_id}/approve';
};

export type ApproveAccessRequestErrors = {
    /**
     * Resource not found
     */
    404: Error;
    /**
     * An error
     */
    409: Error;
    /**
     * An error
     */
    default: Error;
};

export type ApproveAccessRequestError = ApproveAccessRequestErrors[keyof ApproveAccessRequestErrors];

export type ApproveAccessRequestResponses = {
    /**
     * OK
     */
    200: AccessRequest;
};

export type ApproveAccessRequestResponse = ApproveAccessRequestResponses[keyof ApproveAccessRequestResponses];

export type DenyAccessRequestData = {
    body?: DenyAccessRequest;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The access request
         */
        access_request_id: string;
    };
    query?: never;
    url: '/partners/{id}/access-requests/{access_request_id}/deny';
};

export type DenyAccessRequestErrors = {
    /**
     * Resource not found
     */
    404: Error;
    /**
     * An error
     */
    409: Error;
    /**
     * An error
     */
    default: Error;
};

export type DenyAccessRequestError = DenyAccessRequestErrors[keyof DenyAccessRequestErrors];

export type DenyAccessRequestResponses = {
    /**
     * OK
     */
    200: AccessRequest;
};

export type DenyAccessRequestResponse = DenyAccessRequestResponses[keyof DenyAccessRequestResponses];

export type WithdrawAccessRequestData = {
    body?: never;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The access request
         */
        access_request_id: string;
    };
    query?: never;
    url: '/partners/{id}/access-requests/{access_request_id}/withdraw';
};

export type WithdrawAccessRequestErrors = {
    /**
     * Resource not found
     */
    404: Error;
    /**
     * An error
     */
    409: Error;
    /**
     * An error
     */
    default: Error;
};

export type WithdrawAccessRequestError = WithdrawAccessRequestErrors[keyof WithdrawAccessRequestErrors];

export type WithdrawAccessRequestResponses = {
    /**
     * OK
     */
    200: AccessRequest;
};

export type WithdrawAccessRequestResponse = WithdrawAccessRequestResponses[keyof WithdrawAccessRequestResponses];

export type RevokeAccessRequestData = {
    body?: never;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The access request
         */
        access_request_id: string;
    };
    query?: never;
    url: '/partners/{id}/access-requests/{access_request_id}/revoke';
};

export type RevokeAccessRequestErrors = {
    /**
     * Resource not found
     */
    404: Error;
    /**
     * An error
     */
    409: Error;
    /**
     * An error
     */
    default: Error;
};

export type RevokeAccessRequestError = RevokeAccessRequestErrors[keyof RevokeAccessRequestErrors];

export type RevokeAccessRequestResponses = {
    /**
     * OK
     */
    200: AccessRequest;
};

export type RevokeAccessRequestResponse = RevokeAccessRequestResponses[keyof RevokeAccessRequestResponses];

export type GetAccessReviewPolicyData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}/access-review-policy';
};

export type GetAccessReviewPolicyErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetAccessReviewPolicyError = GetAccessReviewPolicyErrors[keyof GetAccessReviewPolicyErrors];

export type GetAccessReviewPolicyResponses = {
    /**
     * OK
     */
    200: AccessReviewPolicy;
};

export type GetAccessReviewPolicyResponse = GetAccessReviewPolicyResponses[keyof GetAccessReviewPolicyResponses];

export type SetAccessReviewPolicyData = {
    body: SetAccessReviewPolicy;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}/access-review-policy';
};

export type SetAccessReviewPolicyErrors = {
    /**
     * An error
     */
    default: Error;
};

export type SetAccessReviewPolicyError = SetAccessReviewPolicyErrors[keyof SetAccessReviewPolicyErrors];

export type SetAccessReviewPolicyResponses = {
    /**
     * OK
     */
    200: AccessReviewPolicy;
};

export type SetAccessReviewPolicyResponse = SetAccessReviewPolicyResponses[keyof SetAccessReviewPolicyResponses];

export type ListAccessReviewsData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: {
        /**
         * The number of items in a page. Default: 100 with page_from. Without page_size and page_from the answer is the whole list.
         */
        page_size?: number;
        /**
         * The cursor from the Link header of the previous page. In a list sorted by id, also the id of the last item that you have.
         */
        page_from?: string;
        /**
         * The member to sort by. Default: id, oldest first.
         */
        sort_by?: 'id';
        /**
         * The direction of the order. Default: asc.
         */
        sort_dir?: 'asc' | 'desc';
    };
    url: '/partners/{id}/access-reviews';
};

export type ListAccessReviewsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListAccessReviewsError = ListAccessReviewsErrors[keyof ListAccessReviewsErrors];

export type ListAccessReviewsResponses = {
    /**
     * OK
     */
    200: Array<AccessReview>;
};

export type ListAccessReviewsResponse = ListAccessReviewsResponses[keyof ListAccessReviewsResponses];

export type GetAccessReviewData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The access review
         */
        review_id: string;
    };
    query?: never;
    url: '/partners/{id}/access-reviews/{review_id}';
};

export type GetAccessReviewErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetAccessReviewError = GetAccessReviewErrors[keyof GetAccessReviewErrors];

export type GetAccessReviewResponses = {
    /**
     * OK
     */
    200: AccessReview;
};

export type GetAccessReviewResponse = GetAccessReviewResponses[keyof GetAccessReviewResponses];

export type ListAccessReviewItemsData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The access review
         */
        review_id: string;
    };
    query?: {
        /**
         * The number of items in a page. Default: 100 with page_from. Without page_size and page_from the answer is the whole list.
         */
        page_size?: number;
        /**
         * The cursor from the Link header of the previous page. In a list sorted by id, also the id of the last item that you have.
         */
        page_from?: string;
        /**
         * The member to sort by. Default: id, oldest first.
         */
        sort_by?: 'id';
        /**
         * The direction of the order. Default: asc.
         */
        sort_dir?: 'asc' | 'desc';
        /**
         * Only agreements with this decision
         */
        'filter[decision]'?: 'pending' | 'confirmed' | 'ended' | 'lapsed' | 'kept' | 'gone' | 'undecided';
        /**
         * Only agreements whose e-mail address contains this text, in any case
         */
        'filter[email]'?: string;
    };
    url: '/partners/{id}/access-reviews/{review_id}/items';
};

export type ListAccessReviewItemsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListAccessReviewItemsError = ListAccessReviewItemsErrors[keyof ListAccessReviewItemsErrors];

export type ListAccessReviewItemsResponses = {
    /**
     * OK
     */
    200: Array<AccessReviewItem>;
};

export type ListAccessReviewItemsResponse = ListAccessReviewItemsResponses[keyof ListAccessReviewItemsResponses];

export type GetAccessReviewDocumentData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The access review
         */
        review_id: string;
    };
    query?: never;
    url: '/partners/{id}/access-reviews/{review_id}/document';
};

export type GetAccessReviewDocumentErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetAccessReviewDocumentError = GetAccessReviewDocumentErrors[keyof GetAccessReviewDocumentErrors];

export type GetAccessReviewDocumentResponses = {
    /**
     * The document
     */
    200: string;
};

export type GetAccessReviewDocumentResponse = GetAccessReviewDocumentResponses[keyof GetAccessReviewDocumentResponses];

export type ConfirmReviewedAgreementData = {
    body?: never;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The access review
         */
        review_id: string;
        /**
         * The agreement
         */
        agreement_id: string;
    };
    query?: never;
    url: '/partners/{id}/access-reviews/{review_id}/items/{agreement_id}/confirm';
};

export type ConfirmReviewedAgreementErrors = {
    /**
     * Resource not found
     */
    404: Error;
    /**
     * An error
     */
    409: Error;
    /**
     * An error
     */
    default: Error;
};

export type ConfirmReviewedAgreementError = ConfirmReviewedAgreementErrors[keyof ConfirmReviewedAgreementErrors];

export type ConfirmReviewedAgreementResponses = {
    /**
     * OK
     */
    200: AccessReviewItem;
};

export type ConfirmReviewedAgreementResponse = ConfirmReviewedAgreementResponses[keyof ConfirmReviewedAgreementResponses];

export type EndReviewedAgreementData = {
    body?: never;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The access review
         */
        review_id: string;
        /**
         * The agreement
         */
        agreement_id: string;
    };
    query?: never;
    url: '/partners/{id}/access-reviews/{review_id}/items/{agreement_id}/end';
};

export type EndReviewedAgreementErrors = {
    /**
     * Resource not found
     */
    404: Error;
    /**
     * An error
     */
    409: Error;
    /**
     * An error
     */
    default: Error;
};

export type EndReviewedAgreementError = EndReviewedAgreementErrors[keyof EndReviewedAgreementErrors];

export type EndReviewedAgreementResponses = {
    /**
     * OK
     */
    200: AccessReviewItem;
};

export type EndReviewedAgreementResponse = EndReviewedAgreementResponses[keyof EndReviewedAgreementResponses];

export type ConfirmReviewedAgreementsData = {
    body: ConfirmAgreements;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The access review
         */
        review_id: string;
    };
    query?: never;
    url: '/partners/{id}/access-reviews/{review_id}/confirm';
};

export type ConfirmReviewedAgreementsErrors = {
    /**
     * Resource not found
     */
    404: Error;
    /**
     * An error
     */
    409: Error;
    /**
     * An error
     */
    default: Error;
};

export type ConfirmReviewedAgreementsError = ConfirmReviewedAgreementsErrors[keyof ConfirmReviewedAgreementsErrors];

export type ConfirmReviewedAgreementsResponses = {
    /**
     * OK
     */
    200: Array<AccessReviewItem>;
};

export type ConfirmReviewedAgreementsResponse = ConfirmReviewedAgreementsResponses[keyof ConfirmReviewedAgreementsResponses];

export type ListGrantorsData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query: {
        /**
         * A resource and a method, as the message of a 403 names them
         */
        permission: PermissionName;
    };
    url: '/partners/{id}/grantors';
};

export type ListGrantorsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListGrantorsError = ListGrantorsErrors[keyof ListGrantorsErrors];

export type ListGrantorsResponses = {
    /**
     * OK
     */
    200: Array<Grantor>;
};

export type ListGrantorsResponse = ListGrantorsResponses[keyof ListGrantorsResponses];

export type ListConnectionsData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: {
        /**
         * The number of items in a page. Default: 100 with page_from. Without page_size and page_from the answer is the whole list.
         */
        page_size?: number;
        /**
         * The cursor from the Link header of the previous page. In a list sorted by id, also the id of the last item that you have.
         */
        page_from?: string;
        /**
         * The member to sort by. Default: id, oldest first.
         */
        sort_by?: 'id' | 'created_at';
        /**
         * The direction of the order. Default: asc.
         */
        sort_dir?: 'asc' | 'desc';
    };
    url: '/partners/{id}/connections';
};

export type ListConnectionsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListConnectionsError = ListConnectionsErrors[keyof ListConnectionsErrors];

export type ListConnectionsResponses = {
    /**
     * OK
     */
    200: Array<IdentityConnection>;
};

export type ListConnectionsResponse = ListConnectionsResponses[keyof ListConnectionsResponses];

export type CreateConnectionData = {
    body: CreateIdentityConnection;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}/connections';
};

export type CreateConnectionErrors = {
    /**
     * An error
     */
    default: Error;
};

export type CreateConnectionError = CreateConnectionErrors[keyof CreateConnectionErrors];

export type CreateConnectionResponses = {
    /**
     * Created
     */
    201: IdentityConnection;
};

export type CreateConnectionResponse = CreateConnectionResponses[keyof CreateConnectionResponses];

export type DeleteConnectionData = {
    body?: never;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The identity connection
         */
        connection_id: string;
    };
    query?: never;
    url: '/partners/{id}/connections/{connection_id}';
};

export type DeleteConnectionErrors = {
    /**
     * An error
     */
    default: Error;
};

export type DeleteConnectionError = DeleteConnectionErrors[keyof DeleteConnectionErrors];

export type DeleteConnectionResponses = {
    /**
     * Deleted
     */
    204: void;
};

export type DeleteConnectionResponse = DeleteConnectionResponses[keyof DeleteConnectionResponses];

export type GetConnectionData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The identity connection
         */
        connection_id: string;
    };
    query?: never;
    url: '/partners/{id}/connections/{connection_id}';
};

export type GetConnectionErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetConnectionError = GetConnectionErrors[keyof GetConnectionErrors];

export type GetConnectionResponses = {
    /**
     * OK
     */
    200: IdentityConnection;
};

export type GetConnectionResponse = GetConnectionResponses[keyof GetConnectionResponses];

export type UpdateConnectionData = {
    body: UpdateIdentityConnection;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The identity connection
         */
        connection_id: string;
    };
    query?: never;
    url: '/partners/{id}/connections/{connection_id}';
};

export type UpdateConnectionErrors = {
    /**
     * An error
     */
    default: Error;
};

export type UpdateConnectionError = UpdateConnectionErrors[keyof UpdateConnectionErrors];

export type UpdateConnectionResponses = {
    /**
     * OK
     */
    200: IdentityConnection;
};

export type UpdateConnectionResponse = UpdateConnectionResponses[keyof UpdateConnectionResponses];

export type EnableConnectionData = {
    body?: never;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The identity connection
         */
        connection_id: string;
    };
    query?: never;
    url: '/partners/{id}/connections/{connection_id}/enable';
};

export type EnableConnectionErrors = {
    /**
     * An error
     */
    default: Error;
};

export type EnableConnectionError = EnableConnectionErrors[keyof EnableConnectionErrors];

export type EnableConnectionResponses = {
    /**
     * OK
     */
    200: IdentityConnection;
};

export type EnableConnectionResponse = EnableConnectionResponses[keyof EnableConnectionResponses];

export type DisableConnectionData = {
    body?: never;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The identity connection
         */
        connection_id: string;
    };
    query?: never;
    url: '/partners/{id}/connections/{connection_id}/disable';
};

export type DisableConnectionErrors = {
    /**
     * An error
     */
    default: Error;
};

export type DisableConnectionError = DisableConnectionErrors[keyof DisableConnectionErrors];

export type DisableConnectionResponses = {
    /**
     * OK
     */
    200: IdentityConnection;
};

export type DisableConnectionResponse = DisableConnectionResponses[keyof DisableConnectionResponses];

export type ListDomainsData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The identity connection
         */
        connection_id: string;
    };
    query?: {
        /**
         * The number of items in a page. Default: 100 with page_from. Without page_size and page_from the answer is the whole list.
         */
        page_size?: number;
        /**
         * The cursor from the Link header of the previous page. In a list sorted by id, also the id of the last item that you have.
         */
        page_from?: string;
        /**
         * The member to sort by. Default: id, oldest first.
         */
        sort_by?: 'id' | 'created_at';
        /**
         * The direction of the order. Default: asc.
         */
        sort_dir?: 'asc' | 'desc';
    };
    url: '/partners/{id}/connections/{connection_id}/domains';
};

export type ListDomainsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListDomainsError = ListDomainsErrors[keyof ListDomainsErrors];

export type ListDomainsResponses = {
    /**
     * OK
     */
    200: Array<VerifiedDomain>;
};

export type ListDomainsResponse = ListDomainsResponses[keyof ListDomainsResponses];

export type AddDomainData = {
    body: AddDomain;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The identity connection
         */
        connection_id: string;
    };
    query?: never;
    url: '/partners/{id}/connections/{connection_id}/domains';
};

export type AddDomainErrors = {
    /**
     * An error
     */
    default: Error;
};

export type AddDomainError = AddDomainErrors[keyof AddDomainErrors];

export type AddDomainResponses = {
    /**
     * Created
     */
    201: VerifiedDomain;
};

export type AddDomainResponse = AddDomainResponses[keyof AddDomainResponses];

export type DeleteDomainData = {
    body?: never;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The identity connection
         */
        connection_id: string;
        /**
         * The domain
         */
        domain_id: string;
    };
    query?: never;
    url: '/partners/{id}/connections/{connection_id}/domains/{domain_id}';
};

export type DeleteDomainErrors = {
    /**
     * An error
     */
    default: Error;
};

export type DeleteDomainError = DeleteDomainErrors[keyof DeleteDomainErrors];

export type DeleteDomainResponses = {
    /**
     * Deleted
     */
    204: void;
};

export type DeleteDomainResponse = DeleteDomainResponses[keyof DeleteDomainResponses];

export type GetDomainData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The identity connection
         */
        connection_id: string;
        /**
         * The domain
         */
        domain_id: string;
    };
    query?: never;
    url: '/partners/{id}/connections/{connection_id}/domains/{domain_id}';
};

export type GetDomainErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetDomainError = GetDomainErrors[keyof GetDomainErrors];

export type GetDomainResponses = {
    /**
     * OK
     */
    200: VerifiedDomain;
};

export type GetDomainResponse = GetDomainResponses[keyof GetDomainResponses];

export type VerifyDomainData = {
    body?: never;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The identity connection
         */
        connection_id: string;
        /**
         * The domain
         */
        domain_id: string;
    };
    query?: never;
    url: '/partners/{id}/connections/{connection_id}/domains/{domain_id}/verify';
};

export type VerifyDomainErrors = {
    /**
     * An error
     */
    default: Error;
};

export type VerifyDomainError = VerifyDomainErrors[keyof VerifyDomainErrors];

export type VerifyDomainResponses = {
    /**
     * OK
     */
    200: VerifiedDomain;
};

export type VerifyDomainResponse = VerifyDomainResponses[keyof VerifyDomainResponses];

export type FindSignInMethodsData = {
    body: AskSignInMethods;
    path?: never;
    query?: never;
    url: '/api/auth/sign-in/methods';
};

export type FindSignInMethodsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type FindSignInMethodsError = FindSignInMethodsErrors[keyof FindSignInMethodsErrors];

export type FindSignInMethodsResponses = {
    /**
     * OK
     */
    200: SignInMethods;
};

export type FindSignInMethodsResponse = FindSignInMethodsResponses[keyof FindSignInMethodsResponses];

export type SignInWithConnectionData = {
    body: SignInWithConnection;
    path?: never;
    query?: never;
    url: '/api/auth/sign-in/connection';
};

export type SignInWithConnectionErrors = {
    /**
     * An error
     */
    default: Error;
};

export type SignInWithConnectionError = SignInWithConnectionErrors[keyof SignInWithConnectionErrors];

export type SignInWithConnectionResponses = {
    /**
     * OK
     */
    200: ProviderRedirect;
};

export type SignInWithConnectionResponse = SignInWithConnectionResponses[keyof SignInWithConnectionResponses];

export type ProveSignInData = {
    body: ProveSignIn;
    path?: never;
    query?: never;
    url: '/api/auth/connections/prove';
};

export type ProveSignInErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ProveSignInError = ProveSignInErrors[keyof ProveSignInErrors];

export type ProveSignInResponses = {
    /**
     * OK
     */
    200: ProviderRedirect;
};

export type ProveSignInResponse = ProveSignInResponses[keyof ProveSignInResponses];

export type TestConnectionData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The identity connection
         */
        connection_id: string;
    };
    query?: never;
    url: '/partners/{id}/connections/{connection_id}/test';
};

export type TestConnectionErrors = {
    /**
     * An error
     */
    default: Error;
};

export type TestConnectionError = TestConnectionErrors[keyof TestConnectionErrors];

export type TestConnectionResponses = {
    /**
     * OK
     */
    200: ProviderRedirect;
};

export type TestConnectionResponse = TestConnectionResponses[keyof TestConnectionResponses];

export type ReturnFromConnectionData = {
    body?: never;
    path: {
        /**
         * The connection
         */
        connection_id: string;
    };
    query?: {
        /**
         * The code that Concord exchanges for the identity
         */
        code?: string;
        /**
         * The value that began the visit
         */
        state?: string;
        /**
         * Why the provider refused
         */
        error?: string;
        /**
         * The same, for people
         */
        error_description?: string;
        /**
         * The issuer that answers (RFC 9207)
         */
        iss?: string;
    };
    url: '/api/auth/connections/{connection_id}/callback';
};

export type ReturnFromConnectionErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ReturnFromConnectionError = ReturnFromConnectionErrors[keyof ReturnFromConnectionErrors];

export type ReturnFromConnectionResponses = {
    /**
     * OK
     */
    200: ReturnedFromConnection;
};

export type ReturnFromConnectionResponse = ReturnFromConnectionResponses[keyof ReturnFromConnectionResponses];

export type LinkConnectionData = {
    body: LinkConnection;
    path?: never;
    query?: never;
    url: '/api/auth/connections/link';
};

export type LinkConnectionErrors = {
    /**
     * An error
     */
    default: Error;
};

export type LinkConnectionError = LinkConnectionErrors[keyof LinkConnectionErrors];

export type LinkConnectionResponses = {
    /**
     * OK
     */
    200: ProvedSignIn;
};

export type LinkConnectionResponse = LinkConnectionResponses[keyof LinkConnectionResponses];

export type LogOutByConnectionData = {
    body: LogoutToken;
    path: {
        /**
         * The connection
         */
        connection_id: string;
    };
    query?: never;
    url: '/api/auth/connections/{connection_id}/backchannel-logout';
};

export type LogOutByConnectionErrors = {
    /**
     * What went wrong, as RFC 6749 (section 5.2) and RFC 8628 (section 3.5) name it
     */
    400: OauthError;
    /**
     * An error
     */
    default: Error;
};

export type LogOutByConnectionError = LogOutByConnectionErrors[keyof LogOutByConnectionErrors];

export type LogOutByConnectionResponses = {
    /**
     * OK
     */
    200: LoggedOutByConnection;
};

export type LogOutByConnectionResponse = LogOutByConnectionResponses[keyof LogOutByConnectionResponses];

export type GetSignInPolicyData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}/sign-in-policy';
};

export type GetSignInPolicyErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetSignInPolicyError = GetSignInPolicyErrors[keyof GetSignInPolicyErrors];

export type GetSignInPolicyResponses = {
    /**
     * OK
     */
    200: SignInPolicy;
};

export type GetSignInPolicyResponse = GetSignInPolicyResponses[keyof GetSignInPolicyResponses];

export type SetSignInPolicyData = {
    body: SignInPolicy;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}/sign-in-policy';
};

export type SetSignInPolicyErrors = {
    /**
     * An error
     */
    default: Error;
};

export type SetSignInPolicyError = SetSignInPolicyErrors[keyof SetSignInPolicyErrors];

export type SetSignInPolicyResponses = {
    /**
     * OK
     */
    200: SignInPolicy;
};

export type SetSignInPolicyResponse = SetSignInPolicyResponses[keyof SetSignInPolicyResponses];

export type GetBreakGlassData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}/break-glass';
};

export type GetBreakGlassErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetBreakGlassError = GetBreakGlassErrors[keyof GetBreakGlassErrors];

export type GetBreakGlassResponses = {
    /**
     * OK
     */
    200: MayBreakGlass;
};

export type GetBreakGlassResponse = GetBreakGlassResponses[keyof GetBreakGlassResponses];

export type BreakGlassData = {
    body: BreakGlass;
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}/break-glass';
};

export type BreakGlassErrors = {
    /**
     * An error
     */
    default: Error;
};

export type BreakGlassError = BreakGlassErrors[keyof BreakGlassErrors];

export type BreakGlassResponses = {
    /**
     * OK
     */
    200: BrokenGlass;
};

export type BreakGlassResponse = BreakGlassResponses[keyof BreakGlassResponses];

export type GetProvisioningData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The identity connection
         */
        connection_id: string;
    };
    query?: never;
    url: '/partners/{id}/connections/{connection_id}/provisioning';
};

export type GetProvisioningErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetProvisioningError = GetProvisioningErrors[keyof GetProvisioningErrors];

export type GetProvisioningResponses = {
    /**
     * OK
     */
    200: Provisioning;
};

export type GetProvisioningResponse = GetProvisioningResponses[keyof GetProvisioningResponses];

export type RevokeProvisioningTokenData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The identity connection
         */
        connection_id: string;
    };
    query?: never;
    url: '/partners/{id}/connections/{connection_id}/provisioning-token';
};

export type RevokeProvisioningTokenErrors = {
    /**
     * An error
     */
    default: Error;
};

export type RevokeProvisioningTokenError = RevokeProvisioningTokenErrors[keyof RevokeProvisioningTokenErrors];

export type RevokeProvisioningTokenResponses = {
    /**
     * Deleted
     */
    204: void;
};

export type RevokeProvisioningTokenResponse = RevokeProvisioningTokenResponses[keyof RevokeProvisioningTokenResponses];

export type CreateProvisioningTokenData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The identity connection
         */
        connection_id: string;
    };
    query?: never;
    url: '/partners/{id}/connections/{connection_id}/provisioning-token';
};

export type CreateProvisioningTokenErrors = {
    /**
     * An error
     */
    default: Error;
};

export type CreateProvisioningTokenError = CreateProvisioningTokenErrors[keyof CreateProvisioningTokenErrors];

export type CreateProvisioningTokenResponses = {
    /**
     * Created
     */
    201: CreatedProvisioningToken;
};

export type CreateProvisioningTokenResponse = CreateProvisioningTokenResponses[keyof CreateProvisioningTokenResponses];

export type ListProvisionedGroupsData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The identity connection
         */
        connection_id: string;
    };
    query?: {
        /**
         * The number of items in a page. Default: 100 with page_from. Without page_size and page_from the answer is the whole list.
         */
        page_size?: number;
        /**
         * The cursor from the Link header of the previous page. In a list sorted by id, also the id of the last item that you have.
         */
        page_from?: string;
        /**
         * The member to sort by. Default: id, oldest first.
         */
        sort_by?: 'id' | 'name';
        /**
         * The direction of the order. Default: asc.
         */
        sort_dir?: 'asc' | 'desc';
    };
    url: '/partners/{id}/connections/{connection_id}/provisioned-groups';
};

export type ListProvisionedGroupsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListProvisionedGroupsError = ListProvisionedGroupsErrors[keyof ListProvisionedGroupsErrors];

export type ListProvisionedGroupsResponses = {
    /**
     * OK
     */
    200: Array<ProvisionedGroup>;
};

export type ListProvisionedGroupsResponse = ListProvisionedGroupsResponses[keyof ListProvisionedGroupsResponses];

export type GetProvisionedGroupData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The identity connection
         */
        connection_id: string;
        /**
         * The group of the directory
         */
        provisioned_group_id: string;
    };
    query?: never;
    url: '/partners/{id}/connections/{connection_id}/provisioned-groups/{provisioned_group_id}';
};

export type GetProvisionedGroupErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetProvisionedGroupError = GetProvisionedGroupErrors[keyof GetProvisionedGroupErrors];

export type GetProvisionedGroupResponses = {
    /**
     * OK
     */
    200: ProvisionedGroup;
};

export type GetProvisionedGroupResponse = GetProvisionedGroupResponses[keyof GetProvisionedGroupResponses];

export type MapProvisionedGroupData = {
    body: MapProvisionedGroup;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The identity connection
         */
        connection_id: string;
        /**
         * The group of the directory
         */
        provisioned_group_id: string;
    };
    query?: never;
    url: '/partners/{id}/connections/{connection_id}/provisioned-groups/{provisioned_group_id}';
};

export type MapProvisionedGroupErrors = {
    /**
     * An error
     */
    default: Error;
};

export type MapProvisionedGroupError = MapProvisionedGroupErrors[keyof MapProvisionedGroupErrors];

export type MapProvisionedGroupResponses = {
    /**
     * OK
     */
    200: ProvisionedGroup;
};

export type MapProvisionedGroupResponse = MapProvisionedGroupResponses[keyof MapProvisionedGroupResponses];

export type ListServiceAccountsData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: {
        /**
         * The number of items in a page. Default: 100 with page_from. Without page_size and page_from the answer is the whole list.
         */
        page_size?: number;
        /**
         * The cursor from the Link header of the previous page. In a list sorted by id, also the id of the last item that you have.
         */
        page_from?: string;
        /**
         * The member to sort by. Default: id, oldest first.
         */
        sort_by?: 'id' | 'created_at';
        /**
         * The direction of the order. Default: asc.
         */
        sort_dir?: 'asc' | 'desc';
    };
    url: '/partners/{id}/service-accounts';
};

export type ListServiceAccountsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListServiceAccountsError = ListServiceAccountsErrors[keyof ListServiceAccountsErrors];

export type ListServiceAccountsResponses = {
    /**
     * OK
     */
    200: Array<ServiceAccount>;
};

export type ListServiceAccountsResponse = ListServiceAccountsResponses[keyof ListServiceAccountsResponses];

export type CreateServiceAccountData = {
    body: CreateServiceAccount;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}/service-accounts';
};

export type CreateServiceAccountErrors = {
    /**
     * An error
     */
    default: Error;
};

export type CreateServiceAccountError = CreateServiceAccountErrors[keyof CreateServiceAccountErrors];

export type CreateServiceAccountResponses = {
    /**
     * Created
     */
    201: ServiceAccount;
};

export type CreateServiceAccountResponse = CreateServiceAccountResponses[keyof CreateServiceAccountResponses];

export type DeleteServiceAccountData = {
    body?: never;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The service account
         */
        service_account_id: string;
    };
    query?: never;
    url: '/partners/{id}/service-accounts/{service_account_id}';
};

export type DeleteServiceAccountErrors = {
    /**
     * An error
     */
    default: Error;
};

export type DeleteServiceAccountError = DeleteServiceAccountErrors[keyof DeleteServiceAccountErrors];

export type DeleteServiceAccountResponses = {
    /**
     * Deleted
     */
    204: void;
};

export type DeleteServiceAccountResponse = DeleteServiceAccountResponses[keyof DeleteServiceAccountResponses];

export type GetServiceAccountData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The service account
         */
        service_account_id: string;
    };
    query?: never;
    url: '/partners/{id}/service-accounts/{service_account_id}';
};

export type GetServiceAccountErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetServiceAccountError = GetServiceAccountErrors[keyof GetServiceAccountErrors];

export type GetServiceAccountResponses = {
    /**
     * OK
     */
    200: ServiceAccount;
};

export type GetServiceAccountResponse = GetServiceAccountResponses[keyof GetServiceAccountResponses];

export type ListServiceAccountTokensData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The service account
         */
        service_account_id: string;
    };
    query?: {
        /**
         * The number of items in a page. Default: 100 with page_from. Without page_size and page_from the answer is the whole list.
         */
        page_size?: number;
        /**
         * The cursor from the Link header of the previous page. In a list sorted by id, also the id of the last item that you have.
         */
        page_from?: string;
        /**
         * The member to sort by. Default: id, oldest first.
         */
        sort_by?: 'id' | 'name' | 'created_at' | 'expires_at';
        /**
         * The direction of the order. Default: asc.
         */
        sort_dir?: 'asc' | 'desc';
    };
    url: '/partners/{id}/service-accounts/{service_account_id}/access-tokens';
};

export type ListServiceAccountTokensErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListServiceAccountTokensError = ListServiceAccountTokensErrors[keyof ListServiceAccountTokensErrors];

export type ListServiceAccountTokensResponses = {
    /**
     * OK
     */
    200: Array<AccessToken>;
};

export type ListServiceAccountTokensResponse = ListServiceAccountTokensResponses[keyof ListServiceAccountTokensResponses];

export type CreateServiceAccountTokenData = {
    body: CreateServiceAccessToken;
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The service account
         */
        service_account_id: string;
    };
    query?: never;
    url: '/partners/{id}/service-accounts/{service_account_id}/access-tokens';
};

export type CreateServiceAccountTokenErrors = {
    /**
     * An error
     */
    default: Error;
};

export type CreateServiceAccountTokenError = CreateServiceAccountTokenErrors[keyof CreateServiceAccountTokenErrors];

export type CreateServiceAccountTokenResponses = {
    /**
     * Created
     */
    201: CreatedAccessToken;
};

export type CreateServiceAccountTokenResponse = CreateServiceAccountTokenResponses[keyof CreateServiceAccountTokenResponses];

export type RevokeServiceAccountTokenData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The service account
         */
        service_account_id: string;
        /**
         * The access token
         */
        token_id: string;
    };
    query?: never;
    url: '/partners/{id}/service-accounts/{service_account_id}/access-tokens/{token_id}';
};

export type RevokeServiceAccountTokenErrors = {
    /**
     * An error
     */
    default: Error;
};

export type RevokeServiceAccountTokenError = RevokeServiceAccountTokenErrors[keyof RevokeServiceAccountTokenErrors];

export type RevokeServiceAccountTokenResponses = {
    /**
     * Deleted
     */
    204: void;
};

export type RevokeServiceAccountTokenResponse = RevokeServiceAccountTokenResponses[keyof RevokeServiceAccountTokenResponses];

export type DeletePartnerData = {
    body?: never;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}';
};

export type DeletePartnerErrors = {
    /**
     * Resource not found
     */
    404: Error;
    /**
     * An error
     */
    default: Error;
};

export type DeletePartnerError = DeletePartnerErrors[keyof DeletePartnerErrors];

export type DeletePartnerResponses = {
    /**
     * Deleted
     */
    204: void;
};

export type DeletePartnerResponse = DeletePartnerResponses[keyof DeletePartnerResponses];

export type GetPartnerData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}';
};

export type GetPartnerErrors = {
    /**
     * Resource not found
     */
    404: Error;
    /**
     * An error
     */
    default: Error;
};

export type GetPartnerError = GetPartnerErrors[keyof GetPartnerErrors];

export type GetPartnerResponses = {
    /**
     * OK
     */
    200: Partner;
};

export type GetPartnerResponse = GetPartnerResponses[keyof GetPartnerResponses];

export type UpdatePartnerData = {
    /**
     * Members that are absent do not change. null clears a member.
     */
    body: UpdatePartner;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}';
};

export type UpdatePartnerErrors = {
    /**
     * Resource not found
     */
    404: Error;
    /**
     * An error
     */
    default: Error;
};

export type UpdatePartnerError = UpdatePartnerErrors[keyof UpdatePartnerErrors];

export type UpdatePartnerResponses = {
    /**
     * OK
     */
    200: Partner;
};

export type UpdatePartnerResponse = UpdatePartnerResponses[keyof UpdatePartnerResponses];

export type RestorePartnerData = {
    body?: never;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}/restore';
};

export type RestorePartnerErrors = {
    /**
     * An error
     */
    default: Error;
};

export type RestorePartnerError = RestorePartnerErrors[keyof RestorePartnerErrors];

export type RestorePartnerResponses = {
    /**
     * OK
     */
    200: Partner;
};

export type RestorePartnerResponse = RestorePartnerResponses[keyof RestorePartnerResponses];

export type ListPartnersData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The number of items in a page. Default: 100 with page_from. Without page_size and page_from the answer is the whole list.
         */
        page_size?: number;
        /**
         * The cursor from the Link header of the previous page. In a list sorted by id, also the id of the last item that you have.
         */
        page_from?: string;
        /**
         * The member to sort by. Default: id, oldest first.
         */
        sort_by?: 'id' | 'name' | 'created_at' | 'updated_at';
        /**
         * The direction of the order. Default: asc.
         */
        sort_dir?: 'asc' | 'desc';
        /**
         * Only partners whose name contains this text. Ignores case.
         */
        'filter[name]'?: string;
        /**
         * Only partners whose VAT number contains this text. Ignores case.
         */
        'filter[vat_no]'?: string;
    };
    url: '/partners';
};

export type ListPartnersErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListPartnersError = ListPartnersErrors[keyof ListPartnersErrors];

export type ListPartnersResponses = {
    /**
     * OK
     */
    200: Array<Partner>;
};

export type ListPartnersResponse = ListPartnersResponses[keyof ListPartnersResponses];

export type CreatePartnerData = {
    body: CreatePartner;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
    };
    path?: never;
    query?: never;
    url: '/partners';
};

export type CreatePartnerErrors = {
    /**
     * An error
     */
    default: Error;
};

export type CreatePartnerError = CreatePartnerErrors[keyof CreatePartnerErrors];

export type CreatePartnerResponses = {
    /**
     * Created
     */
    201: Partner;
};

export type CreatePartnerResponse = CreatePartnerResponses[keyof CreatePartnerResponses];

export type ListDeletedPartnersData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The number of items in a page. Default: 100 with page_from. Without page_size and page_from the answer is the whole list.
         */
        page_size?: number;
        /**
         * The cursor from the Link header of the previous page. In a list sorted by id, also the id of the last item that you have.
         */
        page_from?: string;
        /**
         * The member to sort by. Default: id, oldest first.
         */
        sort_by?: 'id' | 'name' | 'deleted_at';
        /**
         * The direction of the order. Default: asc.
         */
        sort_dir?: 'asc' | 'desc';
        /**
         * Only partners whose name contains this text. Ignores case.
         */
        'filter[name]'?: string;
    };
    url: '/platform/deleted-partners';
};

export type ListDeletedPartnersErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListDeletedPartnersError = ListDeletedPartnersErrors[keyof ListDeletedPartnersErrors];

export type ListDeletedPartnersResponses = {
    /**
     * OK
     */
    200: Array<DeletedPartner>;
};

export type ListDeletedPartnersResponse = ListDeletedPartnersResponses[keyof ListDeletedPartnersResponses];

export type GetJwksData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path?: never;
    query?: never;
    url: '/.well-known/jwks.json';
};

export type GetJwksErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetJwksError = GetJwksErrors[keyof GetJwksErrors];

export type GetJwksResponses = {
    /**
     * OK
     */
    200: Jwks;
};

export type GetJwksResponse = GetJwksResponses[keyof GetJwksResponses];

export type GetSandboxJwksData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path?: never;
    query?: never;
    url: '/sandbox/.well-known/jwks.json';
};

export type GetSandboxJwksErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetSandboxJwksError = GetSandboxJwksErrors[keyof GetSandboxJwksErrors];

export type GetSandboxJwksResponses = {
    /**
     * OK
     */
    200: Jwks;
};

export type GetSandboxJwksResponse = GetSandboxJwksResponses[keyof GetSandboxJwksResponses];

export type ListSigningKeysData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/signing-keys';
};

export type ListSigningKeysErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListSigningKeysError = ListSigningKeysErrors[keyof ListSigningKeysErrors];

export type ListSigningKeysResponses = {
    /**
     * OK
     */
    200: Array<SigningKey>;
};

export type ListSigningKeysResponse = ListSigningKeysResponses[keyof ListSigningKeysResponses];

export type RotateSigningKeyData = {
    body: RotateSigningKey;
    path?: never;
    query?: never;
    url: '/signing-keys/rotate';
};

export type RotateSigningKeyErrors = {
    /**
     * An error
     */
    default: Error;
};

export type RotateSigningKeyError = RotateSigningKeyErrors[keyof RotateSigningKeyErrors];

export type RotateSigningKeyResponses = {
    /**
     * OK
     */
    200: Rotation;
};

export type RotateSigningKeyResponse = RotateSigningKeyResponses[keyof RotateSigningKeyResponses];

export type RevokeSigningKeyData = {
    body?: never;
    path: {
        /**
         * The kid of the key
         */
        kid: string;
    };
    query?: never;
    url: '/signing-keys/{kid}/revoke';
};

export type RevokeSigningKeyErrors = {
    /**
     * An error
     */
    default: Error;
};

export type RevokeSigningKeyError = RevokeSigningKeyErrors[keyof RevokeSigningKeyErrors];

export type RevokeSigningKeyResponses = {
    /**
     * Revoked
     */
    204: void;
};

export type RevokeSigningKeyResponse = RevokeSigningKeyResponses[keyof RevokeSigningKeyResponses];

export type ListWebhookEndpointsData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: {
        /**
         * The number of items in a page. Default: 100 with page_from. Without page_size and page_from the answer is the whole list.
         */
        page_size?: number;
        /**
         * The cursor from the Link header of the previous page. In a list sorted by id, also the id of the last item that you have.
         */
        page_from?: string;
        /**
         * The member to sort by. Default: id, oldest first.
         */
        sort_by?: 'id' | 'created_at' | 'updated_at';
        /**
         * The direction of the order. Default: asc.
         */
        sort_dir?: 'asc' | 'desc';
        /**
         * Endpoints of this environment
         */
        'filter[environment]'?: 'live' | 'sandbox';
        /**
         * Endpoints in this state. `failing`: active, and its last attempts all failed. `fails_in_part`: active, and some of them failed. `active`: neither. Needs the permission to list deliveries
         */
        'filter[state]'?: 'active' | 'failing' | 'fails_in_part' | 'paused' | 'disabled';
        /**
         * Endpoints whose URL or description has this text. Upper and lower case are the same
         */
        'filter[text]'?: string;
        /**
         * Endpoints in this status
         */
        'filter[status]'?: 'active' | 'paused' | 'disabled';
    };
    url: '/partners/{id}/webhook-endpoints';
};

export type ListWebhookEndpointsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListWebhookEndpointsError = ListWebhookEndpointsErrors[keyof ListWebhookEndpointsErrors];

export type ListWebhookEndpointsResponses = {
    /**
     * OK
     */
    200: Array<WebhookEndpoint>;
};

export type ListWebhookEndpointsResponse = ListWebhookEndpointsResponses[keyof ListWebhookEndpointsResponses];

export type CreateWebhookEndpointData = {
    body: CreateWebhookEndpoint;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}/webhook-endpoints';
};

export type CreateWebhookEndpointErrors = {
    /**
     * An error
     */
    default: Error;
};

export type CreateWebhookEndpointError = CreateWebhookEndpointErrors[keyof CreateWebhookEndpointErrors];

export type CreateWebhookEndpointResponses = {
    /**
     * Created
     */
    201: WebhookEndpoint;
};

export type CreateWebhookEndpointResponse = CreateWebhookEndpointResponses[keyof CreateWebhookEndpointResponses];

export type DeleteWebhookEndpointData = {
    body?: never;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The endpoint
         */
        endpoint_id: string;
    };
    query?: never;
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}';
};

export type DeleteWebhookEndpointErrors = {
    /**
     * An error
     */
    default: Error;
};

export type DeleteWebhookEndpointError = DeleteWebhookEndpointErrors[keyof DeleteWebhookEndpointErrors];

export type DeleteWebhookEndpointResponses = {
    /**
     * Deleted
     */
    204: void;
};

export type DeleteWebhookEndpointResponse = DeleteWebhookEndpointResponses[keyof DeleteWebhookEndpointResponses];

export type GetWebhookEndpointData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The endpoint
         */
        endpoint_id: string;
    };
    query?: never;
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}';
};

export type GetWebhookEndpointErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetWebhookEndpointError = GetWebhookEndpointErrors[keyof GetWebhookEndpointErrors];

export type GetWebhookEndpointResponses = {
    /**
     * OK
     */
    200: WebhookEndpoint;
};

export type GetWebhookEndpointResponse = GetWebhookEndpointResponses[keyof GetWebhookEndpointResponses];

export type UpdateWebhookEndpointData = {
    body: UpdateWebhookEndpoint;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The endpoint
         */
        endpoint_id: string;
    };
    query?: never;
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}';
};

export type UpdateWebhookEndpointErrors = {
    /**
     * An error
     */
    default: Error;
};

export type UpdateWebhookEndpointError = UpdateWebhookEndpointErrors[keyof UpdateWebhookEndpointErrors];

export type UpdateWebhookEndpointResponses = {
    /**
     * OK
     */
    200: WebhookEndpoint;
};

export type UpdateWebhookEndpointResponse = UpdateWebhookEndpointResponses[keyof UpdateWebhookEndpointResponses];

export type PauseWebhookEndpointData = {
    body?: never;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The endpoint
         */
        endpoint_id: string;
    };
    query?: never;
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/pause';
};

export type PauseWebhookEndpointErrors = {
    /**
     * An error
     */
    default: Error;
};

export type PauseWebhookEndpointError = PauseWebhookEndpointErrors[keyof PauseWebhookEndpointErrors];

export type PauseWebhookEndpointResponses = {
    /**
     * OK
     */
    200: WebhookEndpoint;
};

export type PauseWebhookEndpointResponse = PauseWebhookEndpointResponses[keyof PauseWebhookEndpointResponses];

export type ResumeWebhookEndpointData = {
    body?: ResumeEndpoint;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The endpoint
         */
        endpoint_id: string;
    };
    query?: never;
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/resume';
};

export type ResumeWebhookEndpointErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ResumeWebhookEndpointError = ResumeWebhookEndpointErrors[keyof ResumeWebhookEndpointErrors];

export type ResumeWebhookEndpointResponses = {
    /**
     * OK
     */
    200: WebhookEndpoint;
};

export type ResumeWebhookEndpointResponse = ResumeWebhookEndpointResponses[keyof ResumeWebhookEndpointResponses];

export type DeleteSigningSecretData = {
    body?: never;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The endpoint
         */
        endpoint_id: string;
    };
    query?: never;
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/signing-secret';
};

export type DeleteSigningSecretErrors = {
    /**
     * Resource not found
     */
    404: Error;
    /**
     * An error
     */
    default: Error;
};

export type DeleteSigningSecretError = DeleteSigningSecretErrors[keyof DeleteSigningSecretErrors];

export type DeleteSigningSecretResponses = {
    /**
     * Deleted
     */
    204: void;
};

export type DeleteSigningSecretResponse = DeleteSigningSecretResponses[keyof DeleteSigningSecretResponses];

export type RotateSigningSecretData = {
    body?: RotateSigningSecret;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The endpoint
         */
        endpoint_id: string;
    };
    query?: never;
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/signing-secret';
};

export type RotateSigningSecretErrors = {
    /**
     * An error
     */
    default: Error;
};

export type RotateSigningSecretError = RotateSigningSecretErrors[keyof RotateSigningSecretErrors];

export type RotateSigningSecretResponses = {
    /**
     * Created
     */
    201: SigningSecret;
};

export type RotateSigningSecretResponse = RotateSigningSecretResponses[keyof RotateSigningSecretResponses];

export type DeleteClientCertificateData = {
    body?: never;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The endpoint
         */
        endpoint_id: string;
    };
    query?: never;
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/client-certificate';
};

export type DeleteClientCertificateErrors = {
    /**
     * Resource not found
     */
    404: Error;
    /**
     * An error
     */
    default: Error;
};

export type DeleteClientCertificateError = DeleteClientCertificateErrors[keyof DeleteClientCertificateErrors];

export type DeleteClientCertificateResponses = {
    /**
     * Deleted
     */
    204: void;
};

export type DeleteClientCertificateResponse = DeleteClientCertificateResponses[keyof DeleteClientCertificateResponses];

export type GetClientCertificateData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The endpoint
         */
        endpoint_id: string;
    };
    query?: never;
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/client-certificate';
};

export type GetClientCertificateErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetClientCertificateError = GetClientCertificateErrors[keyof GetClientCertificateErrors];

export type GetClientCertificateResponses = {
    /**
     * OK
     */
    200: ClientCertificate;
};

export type GetClientCertificateResponse = GetClientCertificateResponses[keyof GetClientCertificateResponses];

export type MakeClientCertificateData = {
    body?: never;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The endpoint
         */
        endpoint_id: string;
    };
    query?: never;
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/client-certificate';
};

export type MakeClientCertificateErrors = {
    /**
     * An error
     */
    default: Error;
};

export type MakeClientCertificateError = MakeClientCertificateErrors[keyof MakeClientCertificateErrors];

export type MakeClientCertificateResponses = {
    /**
     * Created
     */
    201: ClientCertificate;
};

export type MakeClientCertificateResponse = MakeClientCertificateResponses[keyof MakeClientCertificateResponses];

export type PutClientCertificateData = {
    body: PutClientCertificate;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The endpoint
         */
        endpoint_id: string;
    };
    query?: never;
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/client-certificate';
};

export type PutClientCertificateErrors = {
    /**
     * An error
     */
    default: Error;
};

export type PutClientCertificateError = PutClientCertificateErrors[keyof PutClientCertificateErrors];

export type PutClientCertificateResponses = {
    /**
     * OK
     */
    200: ClientCertificate;
};

export type PutClientCertificateResponse = PutClientCertificateResponses[keyof PutClientCertificateResponses];

export type ListEventTypesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * `true`: only archived types. `false`: only the others. Default: false
         */
        'filter[archived]'?: 'true' | 'false';
    };
    url: '/event-types';
};

export type ListEventTypesErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListEventTypesError = ListEventTypesErrors[keyof ListEventTypesErrors];

export type ListEventTypesResponses = {
    /**
     * OK
     */
    200: Array<EventType>;
};

export type ListEventTypesResponse = ListEventTypesResponses[keyof ListEventTypesResponses];

export type ExportEventTypesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * `openapi`: the webhooks of OpenAPI 3.1. `asyncapi`: AsyncAPI 3. Default: openapi
         */
        format?: 'openapi' | 'asyncapi';
    };
    url: '/event-types/export';
};

export type ExportEventTypesErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ExportEventTypesError = ExportEventTypesErrors[keyof ExportEventTypesErrors];

export type ExportEventTypesResponses = {
    /**
     * The document
     */
    200: {
        [key: string]: unknown;
    };
};

export type ExportEventTypesResponse = ExportEventTypesResponses[keyof ExportEventTypesResponses];

export type ImportEventTypesData = {
    body: ImportEventTypes;
    path?: never;
    query?: never;
    url: '/event-types/import';
};

export type ImportEventTypesErrors = {
    /**
     * An error
     */
    409: Error;
    /**
     * An error
     */
    default: Error;
};

export type ImportEventTypesError = ImportEventTypesErrors[keyof ImportEventTypesErrors];

export type ImportEventTypesResponses = {
    /**
     * OK
     */
    200: ImportPlan;
};

export type ImportEventTypesResponse = ImportEventTypesResponses[keyof ImportEventTypesResponses];

export type GetEventTypeData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The name of the event type
         */
        name: string;
    };
    query?: never;
    url: '/event-types/{name}';
};

export type GetEventTypeErrors = {
    /**
     * Resource not found
     */
    404: Error;
    /**
     * An error
     */
    default: Error;
};

export type GetEventTypeError = GetEventTypeErrors[keyof GetEventTypeErrors];

export type GetEventTypeResponses = {
    /**
     * OK
     */
    200: EventType;
};

export type GetEventTypeResponse = GetEventTypeResponses[keyof GetEventTypeResponses];

export type PutEventTypeData = {
    body: PutEventType;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The name of the event type
         */
        name: string;
    };
    query?: {
        /**
         * Changes the type even if its new schema refuses some of its last 1,000 events, or if endpoints lose it. Default: false
         */
        force?: boolean;
    };
    url: '/event-types/{name}';
};

export type PutEventTypeErrors = {
    /**
     * An error
     */
    default: Error;
};

export type PutEventTypeError = PutEventTypeErrors[keyof PutEventTypeErrors];

export type PutEventTypeResponses = {
    /**
     * OK
     */
    200: EventType;
};

export type PutEventTypeResponse = PutEventTypeResponses[keyof PutEventTypeResponses];

export type CheckEventTypeData = {
    body: CheckEventType;
    path: {
        /**
         * The name of the event type
         */
        name: string;
    };
    query?: never;
    url: '/event-types/{name}/check';
};

export type CheckEventTypeErrors = {
    /**
     * Resource not found
     */
    404: Error;
    /**
     * An error
     */
    default: Error;
};

export type CheckEventTypeError = CheckEventTypeErrors[keyof CheckEventTypeErrors];

export type CheckEventTypeResponses = {
    /**
     * OK
     */
    200: EventTypeCheck;
};

export type CheckEventTypeResponse = CheckEventTypeResponses[keyof CheckEventTypeResponses];

export type ListEventsData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: {
        /**
         * The number of items in a page. Default: 100 with page_from. Without page_size and page_from the answer is the whole list.
         */
        page_size?: number;
        /**
         * The cursor from the Link header of the previous page. In a list sorted by id, also the id of the last item that you have.
         */
        page_from?: string;
        /**
         * The member to sort by. Default: id, oldest first.
         */
        sort_by?: 'id';
        /**
         * The direction of the order. Default: asc.
         */
        sort_dir?: 'asc' | 'desc';
        /**
         * Events of this environment
         */
        'filter[environment]'?: 'live' | 'sandbox';
        /**
         * Events of this type
         */
        'filter[type]'?: string;
        /**
         * Events published in the period `<from>..<to>`, without `to` itself. One of the two times may be left out
         */
        'filter[created_at]'?: string;
        /**
         * The event with this id
         */
        'filter[id]'?: string;
        /**
         * The event with this id of its publisher, in each environment
         */
        'filter[producer_id]'?: string;
        /**
         * Events whose data has this text, as it was published, with 2 to 100 characters. Upper and lower case are the same. A page examines a limited number of events: it can be empty although its `Link` says that more follow
         */
        'filter[text]'?: string;
    };
    url: '/partners/{id}/events';
};

export type ListEventsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListEventsError = ListEventsErrors[keyof ListEventsErrors];

export type ListEventsResponses = {
    /**
     * OK
     */
    200: Array<Event>;
};

export type ListEventsResponse = ListEventsResponses[keyof ListEventsResponses];

export type PublishEventData = {
    body: PublishEvent;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}/events';
};

export type PublishEventErrors = {
    /**
     * An error
     */
    default: Error;
};

export type PublishEventError = PublishEventErrors[keyof PublishEventErrors];

export type PublishEventResponses = {
    /**
     * Accepted
     */
    202: Event;
};

export type PublishEventResponse = PublishEventResponses[keyof PublishEventResponses];

export type PublishEventsData = {
    body: Array<PublishEvent>;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}/events/batch';
};

export type PublishEventsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type PublishEventsError = PublishEventsErrors[keyof PublishEventsErrors];

export type PublishEventsResponses = {
    /**
     * Accepted
     */
    202: Array<Event>;
};

export type PublishEventsResponse = PublishEventsResponses[keyof PublishEventsResponses];

export type GetEventData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The event
         */
        event_id: string;
    };
    query?: never;
    url: '/partners/{id}/events/{event_id}';
};

export type GetEventErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetEventError = GetEventErrors[keyof GetEventErrors];

export type GetEventResponses = {
    /**
     * OK
     */
    200: EventWithDeliveries;
};

export type GetEventResponse = GetEventResponses[keyof GetEventResponses];

export type TestWebhookEndpointData = {
    body?: TestEndpoint;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The endpoint
         */
        endpoint_id: string;
    };
    query?: never;
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/test';
};

export type TestWebhookEndpointErrors = {
    /**
     * An error
     */
    default: Error;
};

export type TestWebhookEndpointError = TestWebhookEndpointErrors[keyof TestWebhookEndpointErrors];

export type TestWebhookEndpointResponses = {
    /**
     * Accepted
     */
    202: Event;
};

export type TestWebhookEndpointResponse = TestWebhookEndpointResponses[keyof TestWebhookEndpointResponses];

export type CheckFilterData = {
    body: CheckFilter;
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}/webhook-endpoints/filter-check';
};

export type CheckFilterErrors = {
    /**
     * An error
     */
    default: Error;
};

export type CheckFilterError = CheckFilterErrors[keyof CheckFilterErrors];

export type CheckFilterResponses = {
    /**
     * OK
     */
    200: FilterCheck;
};

export type CheckFilterResponse = CheckFilterResponses[keyof CheckFilterResponses];

export type ListDeliveriesData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: {
        /**
         * The number of items in a page. Default: 100 with page_from. Without page_size and page_from the answer is the whole list.
         */
        page_size?: number;
        /**
         * The cursor from the Link header of the previous page. In a list sorted by id, also the id of the last item that you have.
         */
        page_from?: string;
        /**
         * The member to sort by. Default: id, oldest first.
         */
        sort_by?: 'id';
        /**
         * The direction of the order. Default: asc.
         */
        sort_dir?: 'asc' | 'desc';
        /**
         * Deliveries in this status
         */
        'filter[status]'?: 'pending' | 'delivered' | 'failed' | 'cancelled';
        /**
         * Deliveries in this state. `queued`: pending, and its round has no attempt yet. `retrying`: pending after a failed attempt. `waiting`: pending, and its endpoint is paused, disabled or unchecked, or it is held after a restore. The others are as in `status`
         */
        'filter[state]'?: 'queued' | 'retrying' | 'waiting' | 'delivered' | 'failed' | 'cancelled';
        /**
         * Deliveries of this environment
         */
        'filter[environment]'?: 'live' | 'sandbox';
        /**
         * Deliveries to this endpoint
         */
        'filter[endpoint_id]'?: string;
        /**
         * Deliveries of this event
         */
        'filter[event_id]'?: string;
        /**
         * Deliveries of events of this type
         */
        'filter[event_type]'?: string;
        /**
         * Deliveries created in the period `<from>..<to>`, without `to` itself. One of the two times may be left out
         */
        'filter[created_at]'?: string;
        /**
         * Deliveries whose last attempt got this status, such as `404`, or a status of this class, such as `5xx`
         */
        'filter[status_code]'?: string;
        /**
         * Deliveries whose last attempt has an error with this reason
         */
        'filter[reason]'?: 'address_refused' | 'dns' | 'connection' | 'tls' | 'tls_client' | 'token' | 'timeout' | 'invalid_answer' | 'proxy' | 'internal' | 'expired' | 'restored' | 'redirect';
        /**
         * Deliveries with this number of attempts, such as `3`. `3..` is at least 3
         */
        'filter[attempt_count]'?: string;
        /**
         * Deliveries with an attempt of this outcome, also if a later one delivered
         */
        'filter[attempt_outcome]'?: 'failed';
    };
    url: '/partners/{id}/deliveries';
};

export type ListDeliveriesErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListDeliveriesError = ListDeliveriesErrors[keyof ListDeliveriesErrors];

export type ListDeliveriesResponses = {
    /**
     * OK
     */
    200: Array<Delivery>;
};

export type ListDeliveriesResponse = ListDeliveriesResponses[keyof ListDeliveriesResponses];

export type CountDeliveriesData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: {
        /**
         * Deliveries in this status
         */
        'filter[status]'?: 'pending' | 'delivered' | 'failed' | 'cancelled';
        /**
         * Deliveries in this state. `queued`: pending, and its round has no attempt yet. `retrying`: pending after a failed attempt. `waiting`: pending, and its endpoint is paused, disabled or unchecked, or it is held after a restore. The others are as in `status`
         */
        'filter[state]'?: 'queued' | 'retrying' | 'waiting' | 'delivered' | 'failed' | 'cancelled';
        /**
         * Deliveries of this environment
         */
        'filter[environment]'?: 'live' | 'sandbox';
        /**
         * Deliveries to this endpoint
         */
        'filter[endpoint_id]'?: string;
        /**
         * Deliveries of this event
         */
        'filter[event_id]'?: string;
        /**
         * Deliveries of events of this type
         */
        'filter[event_type]'?: string;
        /**
         * Deliveries created in the period `<from>..<to>`, without `to` itself. One of the two times may be left out
         */
        'filter[created_at]'?: string;
        /**
         * Deliveries whose last attempt got this status, such as `404`, or a status of this class, such as `5xx`
         */
        'filter[status_code]'?: string;
        /**
         * Deliveries whose last attempt has an error with this reason
         */
        'filter[reason]'?: 'address_refused' | 'dns' | 'connection' | 'tls' | 'tls_client' | 'token' | 'timeout' | 'invalid_answer' | 'proxy' | 'internal' | 'expired' | 'restored' | 'redirect';
        /**
         * Deliveries with this number of attempts, such as `3`. `3..` is at least 3
         */
        'filter[attempt_count]'?: string;
        /**
         * Deliveries with an attempt of this outcome, also if a later one delivered
         */
        'filter[attempt_outcome]'?: 'failed';
    };
    url: '/partners/{id}/delivery-counts';
};

export type CountDeliveriesErrors = {
    /**
     * An error
     */
    default: Error;
};

export type CountDeliveriesError = CountDeliveriesErrors[keyof CountDeliveriesErrors];

export type CountDeliveriesResponses = {
    /**
     * OK
     */
    200: DeliveryCounts;
};

export type CountDeliveriesResponse = CountDeliveriesResponses[keyof CountDeliveriesResponses];

export type GetDeliveryData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The delivery
         */
        delivery_id: string;
    };
    query?: never;
    url: '/partners/{id}/deliveries/{delivery_id}';
};

export type GetDeliveryErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetDeliveryError = GetDeliveryErrors[keyof GetDeliveryErrors];

export type GetDeliveryResponses = {
    /**
     * OK
     */
    200: DeliveryWithAttempts;
};

export type GetDeliveryResponse = GetDeliveryResponses[keyof GetDeliveryResponses];

export type ReplayDeliveryData = {
    body?: never;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The delivery
         */
        delivery_id: string;
    };
    query?: never;
    url: '/partners/{id}/deliveries/{delivery_id}/replay';
};

export type ReplayDeliveryErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ReplayDeliveryError = ReplayDeliveryErrors[keyof ReplayDeliveryErrors];

export type ReplayDeliveryResponses = {
    /**
     * OK
     */
    200: Delivery;
};

export type ReplayDeliveryResponse = ReplayDeliveryResponses[keyof ReplayDeliveryResponses];

export type SendDeliveryNowData = {
    body?: never;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The delivery
         */
        delivery_id: string;
    };
    query?: never;
    url: '/partners/{id}/deliveries/{delivery_id}/send-now';
};

export type SendDeliveryNowErrors = {
    /**
     * An error
     */
    default: Error;
};

export type SendDeliveryNowError = SendDeliveryNowErrors[keyof SendDeliveryNowErrors];

export type SendDeliveryNowResponses = {
    /**
     * OK
     */
    200: Delivery;
};

export type SendDeliveryNowResponse = SendDeliveryNowResponses[keyof SendDeliveryNowResponses];

export type GetAttemptData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The delivery
         */
        delivery_id: string;
        /**
         * The number of the attempt
         */
        number: string;
    };
    query?: never;
    url: '/partners/{id}/deliveries/{delivery_id}/attempts/{number}';
};

export type GetAttemptErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetAttemptError = GetAttemptErrors[keyof GetAttemptErrors];

export type GetAttemptResponses = {
    /**
     * OK
     */
    200: AttemptWithRequest;
};

export type GetAttemptResponse = GetAttemptResponses[keyof GetAttemptResponses];

export type StartReplayData = {
    body: StartReplay;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}/deliveries/replay';
};

export type StartReplayErrors = {
    /**
     * An error
     */
    default: Error;
};

export type StartReplayError = StartReplayErrors[keyof StartReplayErrors];

export type StartReplayResponses = {
    /**
     * Accepted
     */
    202: Replay;
};

export type StartReplayResponse = StartReplayResponses[keyof StartReplayResponses];

export type StartSendNowData = {
    body: StartSendNow;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}/deliveries/send-now';
};

export type StartSendNowErrors = {
    /**
     * An error
     */
    default: Error;
};

export type StartSendNowError = StartSendNowErrors[keyof StartSendNowErrors];

export type StartSendNowResponses = {
    /**
     * Accepted
     */
    202: Replay;
};

export type StartSendNowResponse = StartSendNowResponses[keyof StartSendNowResponses];

export type ListReplaysData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: {
        /**
         * The number of items in a page. Default: 100 with page_from. Without page_size and page_from the answer is the whole list.
         */
        page_size?: number;
        /**
         * The cursor from the Link header of the previous page. In a list sorted by id, also the id of the last item that you have.
         */
        page_from?: string;
        /**
         * The member to sort by. Default: id, oldest first.
         */
        sort_by?: 'id';
        /**
         * The direction of the order. Default: asc.
         */
        sort_dir?: 'asc' | 'desc';
    };
    url: '/partners/{id}/replays';
};

export type ListReplaysErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListReplaysError = ListReplaysErrors[keyof ListReplaysErrors];

export type ListReplaysResponses = {
    /**
     * OK
     */
    200: Array<Replay>;
};

export type ListReplaysResponse = ListReplaysResponses[keyof ListReplaysResponses];

export type GetReplayData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The replay
         */
        replay_id: string;
    };
    query?: never;
    url: '/partners/{id}/replays/{replay_id}';
};

export type GetReplayErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetReplayError = GetReplayErrors[keyof GetReplayErrors];

export type GetReplayResponses = {
    /**
     * OK
     */
    200: Replay;
};

export type GetReplayResponse = GetReplayResponses[keyof GetReplayResponses];

export type StopReplayData = {
    body?: never;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The replay
         */
        replay_id: string;
    };
    query?: never;
    url: '/partners/{id}/replays/{replay_id}/stop';
};

export type StopReplayErrors = {
    /**
     * An error
     */
    default: Error;
};

export type StopReplayError = StopReplayErrors[keyof StopReplayErrors];

export type StopReplayResponses = {
    /**
     * OK
     */
    200: Replay;
};

export type StopReplayResponse = StopReplayResponses[keyof StopReplayResponses];

export type GetWebhookEndpointStatsData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The endpoint
         */
        endpoint_id: string;
    };
    query?: {
        /**
         * The beginning of the period, moved back to a whole step. Default: 24 hours before `to`
         */
        from?: string;
        /**
         * The end of the period, moved ahead to a whole step. Default: now
         */
        to?: string;
        /**
         * The width of a step, in UTC. Default: 1h. A period has at most 1500 steps. A step below 1h reaches back 7 days.
         */
        step?: '1m' | '5m' | '15m' | '1h' | '6h' | '1d';
    };
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/stats';
};

export type GetWebhookEndpointStatsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetWebhookEndpointStatsError = GetWebhookEndpointStatsErrors[keyof GetWebhookEndpointStatsErrors];

export type GetWebhookEndpointStatsResponses = {
    /**
     * OK
     */
    200: EndpointStats;
};

export type GetWebhookEndpointStatsResponse = GetWebhookEndpointStatsResponses[keyof GetWebhookEndpointStatsResponses];

export type ListWebhookEndpointStatsData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: {
        /**
         * The beginning of the period, moved back to a whole step. Default: 24 hours before `to`
         */
        from?: string;
        /**
         * The end of the period, moved ahead to a whole step. Default: now
         */
        to?: string;
        /**
         * The width of a step, in UTC. Default: 1h. A period has at most 1500 steps. A step below 1h reaches back 7 days.
         */
        step?: '1m' | '5m' | '15m' | '1h' | '6h' | '1d';
        /**
         * Ids of endpoints, with commas between them. Default: all endpoints of the partner
         */
        endpoint_id?: string;
    };
    url: '/partners/{id}/webhook-endpoint-stats';
};

export type ListWebhookEndpointStatsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListWebhookEndpointStatsError = ListWebhookEndpointStatsErrors[keyof ListWebhookEndpointStatsErrors];

export type ListWebhookEndpointStatsResponses = {
    /**
     * OK
     */
    200: Array<EndpointStats>;
};

export type ListWebhookEndpointStatsResponse = ListWebhookEndpointStatsResponses[keyof ListWebhookEndpointStatsResponses];

export type GetPartnerStatsData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: {
        /**
         * The beginning of the period, moved back to a whole step. Default: 24 hours before `to`
         */
        from?: string;
        /**
         * The end of the period, moved ahead to a whole step. Default: now
         */
        to?: string;
        /**
         * The width of a step, in UTC. Default: 1h. A period has at most 1500 steps. A step below 1h reaches back 7 days.
         */
        step?: '1m' | '5m' | '15m' | '1h' | '6h' | '1d';
    };
    url: '/partners/{id}/stats';
};

export type GetPartnerStatsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetPartnerStatsError = GetPartnerStatsErrors[keyof GetPartnerStatsErrors];

export type GetPartnerStatsResponses = {
    /**
     * OK
     */
    200: Stats;
};

export type GetPartnerStatsResponse = GetPartnerStatsResponses[keyof GetPartnerStatsResponses];

export type GetPlatformStatsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The beginning of the period, moved back to a whole step. Default: 24 hours before `to`
         */
        from?: string;
        /**
         * The end of the period, moved ahead to a whole step. Default: now
         */
        to?: string;
        /**
         * The width of a step, in UTC. Default: 1h. A period has at most 1500 steps. A step below 1h reaches back 7 days.
         */
        step?: '1m' | '5m' | '15m' | '1h' | '6h' | '1d';
    };
    url: '/platform/stats';
};

export type GetPlatformStatsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetPlatformStatsError = GetPlatformStatsErrors[keyof GetPlatformStatsErrors];

export type GetPlatformStatsResponses = {
    /**
     * OK
     */
    200: Stats;
};

export type GetPlatformStatsResponse = GetPlatformStatsResponses[keyof GetPlatformStatsResponses];

export type ListFailingEndpointsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/platform/failing-endpoints';
};

export type ListFailingEndpointsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListFailingEndpointsError = ListFailingEndpointsErrors[keyof ListFailingEndpointsErrors];

export type ListFailingEndpointsResponses = {
    /**
     * OK
     */
    200: Array<FailingEndpoint>;
};

export type ListFailingEndpointsResponse = ListFailingEndpointsResponses[keyof ListFailingEndpointsResponses];

export type GetHeldDeliveriesData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/platform/held-deliveries';
};

export type GetHeldDeliveriesErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetHeldDeliveriesError = GetHeldDeliveriesErrors[keyof GetHeldDeliveriesErrors];

export type GetHeldDeliveriesResponses = {
    /**
     * OK
     */
    200: HeldDeliveries;
};

export type GetHeldDeliveriesResponse = GetHeldDeliveriesResponses[keyof GetHeldDeliveriesResponses];

export type ChooseHeldDeliveriesData = {
    body: ChooseHeldDeliveries;
    path?: never;
    query?: never;
    url: '/platform/held-deliveries';
};

export type ChooseHeldDeliveriesErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ChooseHeldDeliveriesError = ChooseHeldDeliveriesErrors[keyof ChooseHeldDeliveriesErrors];

export type ChooseHeldDeliveriesResponses = {
    /**
     * Accepted
     */
    202: HeldDeliveries;
};

export type ChooseHeldDeliveriesResponse = ChooseHeldDeliveriesResponses[keyof ChooseHeldDeliveriesResponses];

export type DeleteSandboxReceiverData = {
    body?: never;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}/sandbox-receiver';
};

export type DeleteSandboxReceiverErrors = {
    /**
     * An error
     */
    default: Error;
};

export type DeleteSandboxReceiverError = DeleteSandboxReceiverErrors[keyof DeleteSandboxReceiverErrors];

export type DeleteSandboxReceiverResponses = {
    /**
     * Deleted
     */
    204: void;
};

export type DeleteSandboxReceiverResponse = DeleteSandboxReceiverResponses[keyof DeleteSandboxReceiverResponses];

export type GetSandboxReceiverData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}/sandbox-receiver';
};

export type GetSandboxReceiverErrors = {
    /**
     * Resource not found
     */
    404: Error;
    /**
     * An error
     */
    default: Error;
};

export type GetSandboxReceiverError = GetSandboxReceiverErrors[keyof GetSandboxReceiverErrors];

export type GetSandboxReceiverResponses = {
    /**
     * OK
     */
    200: SandboxReceiver;
};

export type GetSandboxReceiverResponse = GetSandboxReceiverResponses[keyof GetSandboxReceiverResponses];

export type PutSandboxReceiverData = {
    body?: never;
    headers?: {
        /**
         * The ETag that the resource must still have; 412 otherwise
         */
        'if-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}/sandbox-receiver';
};

export type PutSandboxReceiverErrors = {
    /**
     * An error
     */
    default: Error;
};

export type PutSandboxReceiverError = PutSandboxReceiverErrors[keyof PutSandboxReceiverErrors];

export type PutSandboxReceiverResponses = {
    /**
     * OK
     */
    200: SandboxReceiver;
};

export type PutSandboxReceiverResponse = PutSandboxReceiverResponses[keyof PutSandboxReceiverResponses];

export type ListSandboxReceiverRequestsData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}/sandbox-receiver/requests';
};

export type ListSandboxReceiverRequestsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListSandboxReceiverRequestsError = ListSandboxReceiverRequestsErrors[keyof ListSandboxReceiverRequestsErrors];

export type ListSandboxReceiverRequestsResponses = {
    /**
     * OK
     */
    200: Array<SandboxReceiverRequest>;
};

export type ListSandboxReceiverRequestsResponse = ListSandboxReceiverRequestsResponses[keyof ListSandboxReceiverRequestsResponses];

export type GetWebhookEndpointCheckData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The endpoint
         */
        endpoint_id: string;
    };
    query?: never;
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/check';
};

export type GetWebhookEndpointCheckErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetWebhookEndpointCheckError = GetWebhookEndpointCheckErrors[keyof GetWebhookEndpointCheckErrors];

export type GetWebhookEndpointCheckResponses = {
    /**
     * OK
     */
    200: EndpointCheck;
};

export type GetWebhookEndpointCheckResponse = GetWebhookEndpointCheckResponses[keyof GetWebhookEndpointCheckResponses];

export type CheckWebhookEndpointData = {
    body?: never;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The endpoint
         */
        endpoint_id: string;
    };
    query?: never;
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/check';
};

export type CheckWebhookEndpointErrors = {
    /**
     * An error
     */
    default: Error;
};

export type CheckWebhookEndpointError = CheckWebhookEndpointErrors[keyof CheckWebhookEndpointErrors];

export type CheckWebhookEndpointResponses = {
    /**
     * Accepted
     */
    202: EndpointCheck;
};

export type CheckWebhookEndpointResponse = CheckWebhookEndpointResponses[keyof CheckWebhookEndpointResponses];

export type WaiveWebhookEndpointCheckData = {
    body: WaiveEndpointCheck;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The endpoint
         */
        endpoint_id: string;
    };
    query?: never;
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/check/waive';
};

export type WaiveWebhookEndpointCheckErrors = {
    /**
     * An error
     */
    default: Error;
};

export type WaiveWebhookEndpointCheckError = WaiveWebhookEndpointCheckErrors[keyof WaiveWebhookEndpointCheckErrors];

export type WaiveWebhookEndpointCheckResponses = {
    /**
     * OK
     */
    200: EndpointCheck;
};

export type WaiveWebhookEndpointCheckResponse = WaiveWebhookEndpointCheckResponses[keyof WaiveWebhookEndpointCheckResponses];

export type ListCheckpointsData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The endpoint
         */
        endpoint_id: string;
    };
    query?: {
        /**
         * The number of items in a page. Default: 100 with page_from. Without page_size and page_from the answer is the whole list.
         */
        page_size?: number;
        /**
         * The cursor from the Link header of the previous page. In a list sorted by id, also the id of the last item that you have.
         */
        page_from?: string;
        /**
         * The member to sort by. Default: id, oldest first.
         */
        sort_by?: 'id';
        /**
         * The direction of the order. Default: asc.
         */
        sort_dir?: 'asc' | 'desc';
    };
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/checkpoints';
};

export type ListCheckpointsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListCheckpointsError = ListCheckpointsErrors[keyof ListCheckpointsErrors];

export type ListCheckpointsResponses = {
    /**
     * OK
     */
    200: Array<Checkpoint>;
};

export type ListCheckpointsResponse = ListCheckpointsResponses[keyof ListCheckpointsResponses];

export type GetCheckpointData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The endpoint
         */
        endpoint_id: string;
        /**
         * The checkpoint
         */
        checkpoint_id: string;
    };
    query?: never;
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/checkpoints/{checkpoint_id}';
};

export type GetCheckpointErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetCheckpointError = GetCheckpointErrors[keyof GetCheckpointErrors];

export type GetCheckpointResponses = {
    /**
     * OK
     */
    200: Checkpoint;
};

export type GetCheckpointResponse = GetCheckpointResponses[keyof GetCheckpointResponses];

export type ListCheckpointDeliveriesData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The endpoint
         */
        endpoint_id: string;
        /**
         * The checkpoint
         */
        checkpoint_id: string;
    };
    query?: {
        /**
         * The number of items in a page. Default: 100 with page_from. Without page_size and page_from the answer is the whole list.
         */
        page_size?: number;
        /**
         * The cursor from the Link header of the previous page. In a list sorted by id, also the id of the last item that you have.
         */
        page_from?: string;
        /**
         * The member to sort by. Default: id, oldest first.
         */
        sort_by?: 'id';
        /**
         * The direction of the order. Default: asc.
         */
        sort_dir?: 'asc' | 'desc';
    };
    url: '/partners/{id}/webhook-endpoints/{endpoint_id}/checkpoints/{checkpoint_id}/deliveries';
};

export type ListCheckpointDeliveriesErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListCheckpointDeliveriesError = ListCheckpointDeliveriesErrors[keyof ListCheckpointDeliveriesErrors];

export type ListCheckpointDeliveriesResponses = {
    /**
     * OK
     */
    200: Array<CheckpointDelivery>;
};

export type ListCheckpointDeliveriesResponse = ListCheckpointDeliveriesResponses[keyof ListCheckpointDeliveriesResponses];

export type CreateListenerData = {
    body: CreateListener;
    headers?: {
        /**
         * Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.
         */
        'idempotency-key'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: never;
    url: '/partners/{id}/listeners';
};

export type CreateListenerErrors = {
    /**
     * An error
     */
    default: Error;
};

export type CreateListenerError = CreateListenerErrors[keyof CreateListenerErrors];

export type CreateListenerResponses = {
    /**
     * Created
     */
    201: WebhookEndpoint;
};

export type CreateListenerResponse = CreateListenerResponses[keyof CreateListenerResponses];

export type AnswerListenerRequestData = {
    body: ListenerAnswer;
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The endpoint
         */
        endpoint_id: string;
        /**
         * The `id` of the request in the stream
         */
        request_id: string;
    };
    query?: never;
    url: '/partners/{id}/listeners/{endpoint_id}/requests/{request_id}/answer';
};

export type AnswerListenerRequestErrors = {
    /**
     * Resource not found
     */
    404: Error;
    /**
     * An error
     */
    default: Error;
};

export type AnswerListenerRequestError = AnswerListenerRequestErrors[keyof AnswerListenerRequestErrors];

export type AnswerListenerRequestResponses = {
    /**
     * The answer was taken
     */
    204: void;
};

export type AnswerListenerRequestResponse = AnswerListenerRequestResponses[keyof AnswerListenerRequestResponses];

export type VerifyCapturedWebhookData = {
    body: CapturedRequest;
    path?: never;
    query?: never;
    url: '/webhook-debug/verify';
};

export type VerifyCapturedWebhookErrors = {
    /**
     * An error
     */
    default: Error;
};

export type VerifyCapturedWebhookError = VerifyCapturedWebhookErrors[keyof VerifyCapturedWebhookErrors];

export type VerifyCapturedWebhookResponses = {
    /**
     * OK
     */
    200: Verification;
};

export type VerifyCapturedWebhookResponse = VerifyCapturedWebhookResponses[keyof VerifyCapturedWebhookResponses];

export type ListAuditLogData = {
    body?: never;
    path: {
        /**
         * The partner
         */
        id: string;
    };
    query?: {
        /**
         * The number of items in a page. Default: 100 with page_from. Without page_size and page_from the answer is the whole list.
         */
        page_size?: number;
        /**
         * The cursor from the Link header of the previous page. In a list sorted by id, also the id of the last item that you have.
         */
        page_from?: string;
        /**
         * The member to sort by. Default: id, oldest first.
         */
        sort_by?: 'id';
        /**
         * The direction of the order. Default: asc.
         */
        sort_dir?: 'asc' | 'desc';
        /**
         * Records of this actor
         */
        'filter[actor_id]'?: string;
        /**
         * Records of this action, such as agreement.update
         */
        'filter[action]'?: string;
        /**
         * Records about the object with this id
         */
        'filter[target]'?: string;
        /**
         * Records of an actor who had this e-mail address then
         */
        'filter[actor_email]'?: string;
        /**
         * Records about a user or an agreement that had this e-mail address then
         */
        'filter[email]'?: string;
        /**
         * Records with this outcome
         */
        'filter[outcome]'?: 'done' | 'intended' | 'failed' | 'denied';
        /**
         * Records of the period <from>..<to>, without <to> itself. One of the two times may be left out
         */
        'filter[at]'?: string;
    };
    url: '/partners/{id}/audit-log';
};

export type ListAuditLogErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListAuditLogError = ListAuditLogErrors[keyof ListAuditLogErrors];

export type ListAuditLogResponses = {
    /**
     * OK
     */
    200: Array<AuditRecord>;
};

export type ListAuditLogResponse = ListAuditLogResponses[keyof ListAuditLogResponses];

export type GetAuditRecordData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The partner
         */
        id: string;
        /**
         * The record
         */
        record_id: string;
    };
    query?: never;
    url: '/partners/{id}/audit-log/{record_id}';
};

export type GetAuditRecordErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetAuditRecordError = GetAuditRecordErrors[keyof GetAuditRecordErrors];

export type GetAuditRecordResponses = {
    /**
     * OK
     */
    200: AuditRecord;
};

export type GetAuditRecordResponse = GetAuditRecordResponses[keyof GetAuditRecordResponses];

export type ListWholeAuditLogData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The number of items in a page. Default: 100 with page_from. Without page_size and page_from the answer is the whole list.
         */
        page_size?: number;
        /**
         * The cursor from the Link header of the previous page. In a list sorted by id, also the id of the last item that you have.
         */
        page_from?: string;
        /**
         * The member to sort by. Default: id, oldest first.
         */
        sort_by?: 'id';
        /**
         * The direction of the order. Default: asc.
         */
        sort_dir?: 'asc' | 'desc';
        /**
         * Records of this actor
         */
        'filter[actor_id]'?: string;
        /**
         * Records of this action, such as agreement.update
         */
        'filter[action]'?: string;
        /**
         * Records about the object with this id
         */
        'filter[target]'?: string;
        /**
         * Records of an actor who had this e-mail address then
         */
        'filter[actor_email]'?: string;
        /**
         * Records about a user or an agreement that had this e-mail address then
         */
        'filter[email]'?: string;
        /**
         * Records with this outcome
         */
        'filter[outcome]'?: 'done' | 'intended' | 'failed' | 'denied';
        /**
         * Records of the period <from>..<to>, without <to> itself. One of the two times may be left out
         */
        'filter[at]'?: string;
    };
    url: '/audit-log';
};

export type ListWholeAuditLogErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListWholeAuditLogError = ListWholeAuditLogErrors[keyof ListWholeAuditLogErrors];

export type ListWholeAuditLogResponses = {
    /**
     * OK
     */
    200: Array<AuditRecord>;
};

export type ListWholeAuditLogResponse = ListWholeAuditLogResponses[keyof ListWholeAuditLogResponses];

export type GetRecordOfWholeAuditLogData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The record
         */
        record_id: string;
    };
    query?: never;
    url: '/audit-log/{record_id}';
};

export type GetRecordOfWholeAuditLogErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetRecordOfWholeAuditLogError = GetRecordOfWholeAuditLogErrors[keyof GetRecordOfWholeAuditLogErrors];

export type GetRecordOfWholeAuditLogResponses = {
    /**
     * OK
     */
    200: AuditRecord;
};

export type GetRecordOfWholeAuditLogResponse = GetRecordOfWholeAuditLogResponses[keyof GetRecordOfWholeAuditLogResponses];

export type EvaluateAccessData = {
    body: EvaluationRequest;
    headers?: {
        /**
         * Your identifier of the request. The answer has the same
         */
        'x-request-id'?: string;
    };
    path?: never;
    query?: never;
    url: '/access/v1/evaluation';
};

export type EvaluateAccessErrors = {
    /**
     * Missing or invalid parameters
     */
    400: Error;
    /**
     * Missing or invalid authentication
     */
    401: Error;
    /**
     * No permission for the resource or action
     */
    403: Error;
    /**
     * An error
     */
    default: Error;
};

export type EvaluateAccessError = EvaluateAccessErrors[keyof EvaluateAccessErrors];

export type EvaluateAccessResponses = {
    /**
     * OK
     */
    200: Evaluation;
};

export type EvaluateAccessResponse = EvaluateAccessResponses[keyof EvaluateAccessResponses];

export type EvaluateAccessesData = {
    body: EvaluationsRequest;
    headers?: {
        /**
         * Your identifier of the request. The answer has the same
         */
        'x-request-id'?: string;
    };
    path?: never;
    query?: never;
    url: '/access/v1/evaluations';
};

export type EvaluateAccessesErrors = {
    /**
     * Missing or invalid parameters
     */
    400: Error;
    /**
     * Missing or invalid authentication
     */
    401: Error;
    /**
     * No permission for the resource or action
     */
    403: Error;
    /**
     * An error
     */
    default: Error;
};

export type EvaluateAccessesError = EvaluateAccessesErrors[keyof EvaluateAccessesErrors];

export type EvaluateAccessesResponses = {
    /**
     * OK
     */
    200: EvaluationsAnswer;
};

export type EvaluateAccessesResponse = EvaluateAccessesResponses[keyof EvaluateAccessesResponses];

export type GetAuthzenConfigurationData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path?: never;
    query?: never;
    url: '/.well-known/authzen-configuration';
};

export type GetAuthzenConfigurationErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetAuthzenConfigurationError = GetAuthzenConfigurationErrors[keyof GetAuthzenConfigurationErrors];

export type GetAuthzenConfigurationResponses = {
    /**
     * OK
     */
    200: AuthzenConfiguration;
};

export type GetAuthzenConfigurationResponse = GetAuthzenConfigurationResponses[keyof GetAuthzenConfigurationResponses];

export type SearchData = {
    body?: never;
    path?: never;
    query: {
        /**
         * An id, or at least 2 and at most 100 characters of a name, an e-mail address, the URL or description of an endpoint, or an event type
         */
        q: string;
    };
    url: '/search';
};

export type SearchErrors = {
    /**
     * An error
     */
    default: Error;
};

export type SearchError = SearchErrors[keyof SearchErrors];

export type SearchResponses = {
    /**
     * OK
     */
    200: Array<SearchResult>;
};

export type SearchResponse = SearchResponses[keyof SearchResponses];

export type GetPlatformStatusData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/platform/status';
};

export type GetPlatformStatusErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetPlatformStatusError = GetPlatformStatusErrors[keyof GetPlatformStatusErrors];

export type GetPlatformStatusResponses = {
    /**
     * OK
     */
    200: PlatformStatus;
};

export type GetPlatformStatusResponse = GetPlatformStatusResponses[keyof GetPlatformStatusResponses];

export type GetPlatformTrafficData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The beginning of the period, moved back to a whole step. Default: 24 hours before `to`
         */
        from?: string;
        /**
         * The end of the period, moved ahead to a whole step. Default: now
         */
        to?: string;
        /**
         * The width of a step, in UTC. Default: 1h. A period has at most 1500 steps. A step below 1h reaches back 7 days.
         */
        step?: '1m' | '5m' | '15m' | '1h' | '6h' | '1d';
    };
    url: '/platform/traffic';
};

export type GetPlatformTrafficErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetPlatformTrafficError = GetPlatformTrafficErrors[keyof GetPlatformTrafficErrors];

export type GetPlatformTrafficResponses = {
    /**
     * OK
     */
    200: Traffic;
};

export type GetPlatformTrafficResponse = GetPlatformTrafficResponses[keyof GetPlatformTrafficResponses];

export type GetMetricsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/metrics';
};

export type GetMetricsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetMetricsError = GetMetricsErrors[keyof GetMetricsErrors];

export type GetMetricsResponses = {
    /**
     * The metrics
     */
    200: string;
};

export type GetMetricsResponse = GetMetricsResponses[keyof GetMetricsResponses];

export type GetConsoleSettingsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/console/settings';
};

export type GetConsoleSettingsErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetConsoleSettingsError = GetConsoleSettingsErrors[keyof GetConsoleSettingsErrors];

export type GetConsoleSettingsResponses = {
    /**
     * OK
     */
    200: ConsoleSettings;
};

export type GetConsoleSettingsResponse = GetConsoleSettingsResponses[keyof GetConsoleSettingsResponses];

export type ListPackagesData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path?: never;
    query?: never;
    url: '/packages';
};

export type ListPackagesErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ListPackagesError = ListPackagesErrors[keyof ListPackagesErrors];

export type ListPackagesResponses = {
    /**
     * OK
     */
    200: Array<PublishedPackage>;
};

export type ListPackagesResponse = ListPackagesResponses[keyof ListPackagesResponses];

export type DownloadPackageData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 when one of them is current
         */
        'if-none-match'?: string;
    };
    path: {
        /**
         * The end of a URL of the list
         */
        file: string;
    };
    query?: never;
    url: '/packages/{file}';
};

export type DownloadPackageErrors = {
    /**
     * Resource not found
     */
    404: Error;
    /**
     * An error
     */
    default: Error;
};

export type DownloadPackageError = DownloadPackageErrors[keyof DownloadPackageErrors];

export type DownloadPackageResponses = {
    /**
     * A compressed tarball, as npm takes it
     */
    200: Blob | File;
};

export type DownloadPackageResponse = DownloadPackageResponses[keyof DownloadPackageResponses];

export type ExportPersonalDataData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/me/export';
};

export type ExportPersonalDataErrors = {
    /**
     * An error
     */
    default: Error;
};

export type ExportPersonalDataError = ExportPersonalDataErrors[keyof ExportPersonalDataErrors];

export type ExportPersonalDataResponses = {
    /**
     * OK
     */
    200: PersonalData;
};

export type ExportPersonalDataResponse = ExportPersonalDataResponses[keyof ExportPersonalDataResponses];

export type GetLivenessData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/health/live';
};

export type GetLivenessErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetLivenessError = GetLivenessErrors[keyof GetLivenessErrors];

export type GetLivenessResponses = {
    /**
     * OK
     */
    200: Health;
};

export type GetLivenessResponse = GetLivenessResponses[keyof GetLivenessResponses];

export type GetReadinessData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/health/ready';
};

export type GetReadinessErrors = {
    /**
     * An error
     */
    default: Error;
};

export type GetReadinessError = GetReadinessErrors[keyof GetReadinessErrors];

export type GetReadinessResponses = {
    /**
     * OK
     */
    200: Health;
};

export type GetReadinessResponse = GetReadinessResponses[keyof GetReadinessResponses];

export type OnAgreementAcceptedWebhookPayload = AgreementAcceptedWebhook;

export type OnAgreementAcceptedWebhookRequest = {
    body: OnAgreementAcceptedWebhookPayload;
    key: 'agreement.accepted';
    path?: never;
    query?: never;
};

export type OnAgreementEndedWebhookPayload = AgreementEndedWebhook;

export type OnAgreementEndedWebhookRequest = {
    body: OnAgreementEndedWebhookPayload;
    key: 'agreement.ended';
    path?: never;
    query?: never;
};

export type OnDeliveryFailedWebhookPayload = DeliveryFailedWebhook;

export type OnDeliveryFailedWebhookRequest = {
    body: OnDeliveryFailedWebhookPayload;
    key: 'delivery.failed';
    path?: never;
    query?: never;
};

export type OnInventoryUpdatedWebhookPayload = InventoryUpdatedWebhook;

export type OnInventoryUpdatedWebhookRequest = {
    body: OnInventoryUpdatedWebhookPayload;
    key: 'inventory.updated';
    path?: never;
    query?: never;
};

export type OnOrderStatusChangedWebhookPayload = OrderStatusChangedWebhook;

export type OnOrderStatusChangedWebhookRequest = {
    body: OnOrderStatusChangedWebhookPayload;
    key: 'order.status_changed';
    path?: never;
    query?: never;
};

export type OnPartnerCreatedWebhookPayload = PartnerCreatedWebhook;

export type OnPartnerCreatedWebhookRequest = {
    body: OnPartnerCreatedWebhookPayload;
    key: 'partner.created';
    path?: never;
    query?: never;
};

export type OnPartnerDeletedWebhookPayload = PartnerDeletedWebhook;

export type OnPartnerDeletedWebhookRequest = {
    body: OnPartnerDeletedWebhookPayload;
    key: 'partner.deleted';
    path?: never;
    query?: never;
};

export type OnSigningKeyRotatedWebhookPayload = SigningKeyRotatedWebhook;

export type OnSigningKeyRotatedWebhookRequest = {
    body: OnSigningKeyRotatedWebhookPayload;
    key: 'signing_key.rotated';
    path?: never;
    query?: never;
};

export type OnWebhookEndpointCheckpointWebhookPayload = WebhookEndpointCheckpointWebhook;

export type OnWebhookEndpointCheckpointWebhookRequest = {
    body: OnWebhookEndpointCheckpointWebhookPayload;
    key: 'webhook_endpoint.checkpoint';
    path?: never;
    query?: never;
};

export type OnWebhookEndpointDisabledWebhookPayload = WebhookEndpointDisabledWebhook;

export type OnWebhookEndpointDisabledWebhookRequest = {
    body: OnWebhookEndpointDisabledWebhookPayload;
    key: 'webhook_endpoint.disabled';
    path?: never;
    query?: never;
};

export type OnWebhookEndpointFailingWebhookPayload = WebhookEndpointFailingWebhook;

export type OnWebhookEndpointFailingWebhookRequest = {
    body: OnWebhookEndpointFailingWebhookPayload;
    key: 'webhook_endpoint.failing';
    path?: never;
    query?: never;
};

export type OnWebhookEndpointRecoveredWebhookPayload = WebhookEndpointRecoveredWebhook;

export type OnWebhookEndpointRecoveredWebhookRequest = {
    body: OnWebhookEndpointRecoveredWebhookPayload;
    key: 'webhook_endpoint.recovered';
    path?: never;
    query?: never;
};
