// The audit log in words.
import type { AuditRecord } from '@concord/client';
import { namePermission } from '../../messages/permissions.ts';

/** Every action that Concord records, as it is said of the actor: "Ann Lee invited a person". */
export const actionNames: Readonly<Record<string, string>> = {
  'access_request.approve': 'Approved an access request',
  'access_request.create': 'Asked for access',
  'access_request.deny': 'Denied an access request',
  'access_request.lapse': 'Let an access request lapse',
  'access_request.revoke': 'Ended access that was asked for',
  'access_request.withdraw': 'Withdrew an access request',
  'access_token.create': 'Created an access token',
  'access_token.revoke': 'Revoked an access token',
  'device_authorization.deny': 'Denied a program an access token',
  'account.add_passkey': 'Added a passkey',
  'account.change_email': 'Changed the e-mail address',
  'account.change_password': 'Changed the password',
  'account.create': 'Created an account',
  'account.delete': 'Deleted their account',
  'account.disable_second_factor': 'Turned the second factor off',
  'account.enable_second_factor': 'Turned the second factor on',
  'account.export': 'Exported their data',
  'account.generate_backup_codes': 'Made new backup codes',
  'account.link_provider': 'Linked an account of a provider',
  'account.prove_second_factor': 'Proved the second factor',
  'account.remove_passkey': 'Removed a passkey',
  'account.rename_passkey': 'Renamed a passkey',
  'account.reset_password': 'Reset the password',
  'account.revoke_other_sessions': 'Ended the other sessions',
  'account.revoke_session': 'Ended a session',
  'account.set_up': 'Set up the first operator',
  'account.sign_in': 'Signed in',
  'account.sign_out': 'Signed out',
  'account.step_up': 'Proved who they are again',
  'account.unlink_provider': 'Unlinked an account of a provider',
  'account.update': 'Changed their profile',
  'acl_permission_group.create': 'Created a group',
  'acl_permission_group.delete': 'Deleted a group',
  'acl_permission_group.set_default': 'Chose the default group',
  'acl_permission_group.update': 'Changed a group',
  'agreement.accept': 'Accepted an invitation',
  'agreement.create': 'Invited a person',
  'agreement.decline': 'Declined an invitation',
  'agreement.delete': 'Removed a person or an invitation',
  'agreement.discard': 'Discarded an invitation',
  'agreement.leave': 'Left the partner',
  'agreement.replace': 'Replaced an agreement that had ended',
  'agreement.resend': 'Sent an invitation again',
  'agreement.update': 'Changed an agreement',
  'connection.create': 'Created an identity connection',
  'connection.delete': 'Deleted an identity connection',
  'connection.disable': 'Turned an identity connection off',
  'connection.enable': 'Turned an identity connection on',
  'connection.update': 'Changed an identity connection',
  'delivery.replay': 'Replayed a delivery',
  'delivery.replay_all': 'Replayed all deliveries of a filter',
  'delivery.send_now': 'Sent a pending delivery now',
  'delivery.send_now_all': 'Sent now what waited, of a filter, a selection or an endpoint',
  'delivery.stop_replay': 'Stopped a replay or a send-now',
  'domain.create': 'Added a domain',
  'domain.delete': 'Deleted a domain',
  'domain.lose': 'Found that the record of a domain is missing',
  'domain.release': 'Lost a domain',
  'domain.verify': 'Verified a domain',
  'event_type.put': 'Saved an event type',
  'partner.create': 'Created the partner',
  'partner.delete': 'Deleted the partner',
  'partner.purge': 'Purged the partner',
  'partner.restore': 'Restored the partner',
  'partner.update': 'Changed the profile of the partner',
  'service_account.create': 'Created a service account',
  'service_account.create_token': 'Created a token of a service account',
  'service_account.delete': 'Deleted a service account',
  'signing_key.revoke': 'Revoked a signing key',
  'signing_key.rotate': 'Rotated the signing key',
  'user.ban': 'Banned a user',
  'user.delete': 'Deleted a user',
  'user.end_session': 'Ended a session of a user',
  'user.end_sessions': 'Ended the sessions of a user',
  'user.set_role': 'Changed the role of a user',
  'user.unban': 'Lifted a ban',
  'webhook_endpoint.check': 'Checked an endpoint',
  'webhook_endpoint.create': 'Created an endpoint',
  'webhook_endpoint.delete': 'Deleted an endpoint',
  'webhook_endpoint.disable': 'Disabled an endpoint',
  'webhook_endpoint.pause': 'Paused an endpoint',
  'webhook_endpoint.resume': 'Resumed an endpoint',
  'webhook_endpoint.test': 'Sent a test event',
  'webhook_endpoint.update': 'Changed an endpoint',
  'webhook_endpoint.waive_check': 'Waived the check of an endpoint',
};

/** A denied attempt is recorded by the permission that was missing. */
export function nameAction(action: string): string {
  const permission = namePermission(action);
  return actionNames[action] ?? (permission === action ? action : `Tried: ${permission}`);
}

export const outcomes: Readonly<
  Record<
    AuditRecord['outcome'],
    { readonly tone: 'good' | 'warning' | 'bad' | 'info' | 'neutral'; readonly name: string }
  >
> = {
  done: { tone: 'good', name: 'Done' },
  intended: { tone: 'info', name: 'Started' },
  failed: { tone: 'bad', name: 'Failed' },
  denied: { tone: 'warning', name: 'Denied' },
};

export const actorKinds: Readonly<Record<AuditRecord['actor']['kind'], string>> = {
  person: 'Person',
  service_account: 'Service account',
  operator: 'Operator',
  command: 'Command line',
  task: 'Concord',
  nobody: 'Nobody signed in',
};

export const credentialKinds: Readonly<Record<AuditRecord['credential']['kind'], string>> = {
  session: 'Session',
  token: 'Access token',
  mail_link: 'Link of a mail',
  provider: 'Provider',
  task: 'Task of Concord',
  command: 'Command line',
  none: 'None',
};
