// The texts of mails. Each is short and says what the reader can do.
import { composeMail, type Mail, oneLine } from './mail.ts';

export const verifyAddress = (to: string, url: string): Mail =>
  composeMail(to, 'Verify your e-mail address', [
    'Someone, probably you, gave this address to Concord. Open this link to verify it:',
    url,
    'If it was not you, ignore this mail.',
  ]);

export const accountExists = (to: string): Mail =>
  composeMail(to, 'You already have an account', [
    'Someone, probably you, tried to sign up with this address. It already has an account.',
    'Sign in with it, or request a new password if you forgot yours. If it was not you, ignore this mail.',
  ]);

export const resetPassword = (to: string, { token, url }: { token: string; url: string }): Mail =>
  composeMail(to, 'Reset your password', [
    'Someone, probably you, requested a new password. This token lets you set one. It is valid for one hour:',
    token,
    `Send it with the new password to ${url} as {"token","newPassword"}.`,
    'If it was not you, ignore this mail: your password does not change.',
  ]);

export const confirmAddressChange = (to: string, { newEmail, url }: { newEmail: string; url: string }): Mail =>
  composeMail(to, 'Confirm your new e-mail address', [
    `Someone, probably you, requested to change the address of your account to ${newEmail}. Open this link to confirm:`,
    url,
    'If it was not you, do not open the link, and change your password.',
  ]);

type Invitation = { partner: string; inviter: string; owner: boolean; baseUrl: string; path: string };

/** `path` is the path of the agreement. */
export const invitation = (to: string, { partner, inviter, owner, baseUrl, path }: Invitation): Mail =>
  composeMail(to, `You are invited to ${oneLine(partner)}`, [
    `${oneLine(inviter)} invites you to work with ${oneLine(partner)} on Concord${owner ? ', as an owner' : ''}.`,
    `To accept within seven days, sign in at ${baseUrl} with this e-mail address (sign up with it first if you have no account). Then send PATCH ${path} with the body {"accepted": true}.`,
    `To decline, send DELETE ${path}, or do nothing.`,
  ]);

type DisabledEndpoint = { partner: string; host: string; reason: string; url: string };

/** `url` is the URL of the endpoint in Concord, `host` the host of its receiver. */
export const endpointDisabled = (to: string, { partner, host, reason, url }: DisabledEndpoint): Mail =>
  composeMail(to, `A webhook endpoint of ${oneLine(partner)} is disabled`, [
    `Concord no longer sends webhooks to ${oneLine(host)}. ${reason}`,
    'Concord keeps new events for the endpoint for 30 days.',
    `To continue, repair the receiver, then send POST ${url}/resume.`,
  ]);
