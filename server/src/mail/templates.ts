// What Concord writes to people: short, with the one thing that the reader can do.
import { composeMail, type Mail, oneLine } from './mail.ts';

export const verifyAddress = (to: string, url: string): Mail =>
  composeMail(to, 'Verify your e-mail address', [
    'Somebody, hopefully you, gave this address to Concord. Open this link to verify it:',
    url,
    'If it was not you, do nothing.',
  ]);

export const accountExists = (to: string): Mail =>
  composeMail(to, 'You already have an account', [
    'Somebody, hopefully you, tried to sign up with this address. It already has an account.',
    'Sign in with it, or ask for a new password if you forgot yours. If it was not you, do nothing.',
  ]);

export const resetPassword = (to: string, { token, url }: { token: string; url: string }): Mail =>
  composeMail(to, 'Reset your password', [
    'Somebody, hopefully you, asked for a new password. This token lets you set one. It is valid for an hour:',
    token,
    `Send it with the new password to ${url} as {"token","newPassword"}.`,
    'If it was not you, do nothing: your password stays as it is.',
  ]);

export const confirmAddressChange = (to: string, { newEmail, url }: { newEmail: string; url: string }): Mail =>
  composeMail(to, 'Confirm your new e-mail address', [
    `Somebody, hopefully you, asked to change the address of your account to ${newEmail}. Open this link to agree:`,
    url,
    'If it was not you, do nothing, and change your password.',
  ]);

type Invitation = { partner: string; inviter: string; owner: boolean; baseUrl: string; path: string };

/** `path` is that of the agreement. */
export const invitation = (to: string, { partner, inviter, owner, baseUrl, path }: Invitation): Mail =>
  composeMail(to, `You are invited to ${oneLine(partner)}`, [
    `${oneLine(inviter)} invites you to work with ${oneLine(partner)} on Concord${owner ? ', as an owner' : ''}.`,
    `To accept within seven days, sign in at ${baseUrl} with this e-mail address (sign up with it first if you have no account). Then send PATCH ${path} with the body {"accepted": true}.`,
    `To decline, send DELETE ${path}, or do nothing.`,
  ]);

type DisabledEndpoint = { partner: string; host: string; reason: string; url: string };

/** `url` is that of the endpoint in Concord, `host` that of its receiver. */
export const endpointDisabled = (to: string, { partner, host, reason, url }: DisabledEndpoint): Mail =>
  composeMail(to, `A webhook endpoint of ${oneLine(partner)} is disabled`, [
    `Concord no longer sends webhooks to ${host}. ${reason}`,
    'New events wait for it for 30 days.',
    `To go on, repair the receiver and send POST ${url}/resume.`,
  ]);
