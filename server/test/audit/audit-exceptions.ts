// What the audit log has no row, or no changed member, of (behaviour U11). Closed lists.

/** Operations that write no row of a change, with the reason. */
export const rowless: Readonly<Record<string, string>> = {
  'POST /partners/{id}/listeners/{endpoint_id}/requests/{request_id}/answer':
    'it is what the receiver answered to an attempt',
  'POST /partners/{id}/events': 'events are a history of their own',
  'POST /partners/{id}/events/batch': 'events are a history of their own',
  'POST /partners/{id}/acl-permission-groups/{group_id}/preview': 'changes nothing',
  'POST /event-types/{name}/check': 'changes nothing',
  'POST /partners/{id}/webhook-endpoints/filter-check': 'changes nothing',
  'POST /webhook-debug/verify': 'changes nothing',
  'POST /api/auth/reset-password/check': 'changes nothing',
  'POST /access/v1/evaluation': 'changes nothing',
  'POST /access/v1/evaluations': 'changes nothing',
  'POST /api/auth/two-factor/get-totp-uri': 'changes nothing',
  'POST /api/auth/passkeys/options': 'changes nothing',
  'POST /api/auth/passkey/sign-in/options': 'changes nothing',
  'POST /api/auth/two-factor/options': 'changes nothing',
  'POST /api/auth/link-social': 'the return from the provider changes the account',
  'POST /api/auth/sign-in/social': 'the return from the provider signs in',
  'POST /partners/{id}/break-glass': 'for owners, not operators: connection-attacks.test.ts holds its row',
  'POST /partners/{id}/access-requests': 'for members, not operators: access-requests.test.ts holds its row',
  'POST /partners/{id}/access-requests/{access_request_id}/withdraw': 'for who asked, as before',
  'POST /partners/{id}/connections': 'reaches a provider: identity-connections.test.ts holds its row',
  'PUT /partners/{id}/connections/{connection_id}/disable':
    'it is off here: identity-connections.test.ts holds its row',
  'POST /partners/{id}/connections/{connection_id}/domains/{domain_id}/verify':
    'asks the DNS: verified-domains.test.ts holds its row',
  'POST /api/auth/sign-in/methods': 'changes nothing',
  'POST /api/auth/sign-in/connection': 'the return from the provider signs in',
  'POST /api/auth/connections/prove':
    'the return from the provider proves: connection-sign-in.test.ts holds its row',
  'POST /api/auth/connections/link': 'connection-sign-in.test.ts holds its row',
  'POST /api/auth/connections/{connection_id}/backchannel-logout': 'hostile-providers.test.ts holds its row',
  'POST /partners/{id}/connections/{connection_id}/test': 'the return from the provider tests',
  'POST /api/auth/sign-in/provider-code': 'the return from the provider signed in',
  'POST /api/auth/set-up': 'works once, before the first sign-in of an operator: setup.test.ts holds its row',
  'POST /api/auth/sign-up/email': 'there is no user yet, unless a token of an invitation proves the address',
  'POST /api/auth/send-verification-email': 'sends a mail',
  'POST /api/auth/request-password-reset': 'sends a mail',
  'POST /oauth/device_authorization': 'there is no user yet',
  'POST /oauth/token': 'the approval has created the token, with its row',
  'POST /oauth/revoke': 'whoever has the token: device-authorization.test.ts holds its row',
};
/** Actions whose rows have no changed member, with the reason. */
export const memberless: Readonly<Record<string, string>> = {
  'webhook_endpoint.test': 'publishes an event',
  'user.delete of a partner': 'the user does not belong to the partner; its log shows the deletion (U5)',
  'account.delete of a partner': 'as for user.delete',
};
