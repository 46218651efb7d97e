// What flows of accounts need: people to invite, the links of their mails, their authenticator app, and the
// keyboard.
import { randomUUID } from 'node:crypto';
import * as OTPAuth from 'otpauth';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { prepareStage } from './stage.ts';

type Stage = ReturnType<ReturnType<typeof prepareStage>>;

/** Somebody who has an account and nothing else. */
export const createPerson = ({ service }: Stage) => service.signInStranger();

/** Invites somebody, and reads the mail. `path`: of the link, below /console. */
export async function invite(
  { service, mailbox, world, origin }: Stage,
  { email = '', ...terms }: Record<string, unknown> = {},
) {
  const to = email === '' ? `${randomUUID()}@nordlys.example` : String(email);
  const { mfa_required, ...created } = terms;
  const agreements = `/partners/${world.partner}/agreements`;
  const { body: agreement } = await service.request('POST', agreements, { body: { email: to, ...created } });
  const mail = await mailbox.next(to);
  if (mfa_required)
    await service.request('PATCH', `${agreements}/${agreement.id}`, { body: { mfa_required } });
  const link = /http\S+\/console(\/invitations\/\S+)/.exec(mail.text ?? '');
  expect(link?.[0]).toContain(origin);
  const path = link?.[1] ?? '';
  return {
    id: agreement.id as string,
    email: to,
    path,
    token: path.split('#')[1] ?? '',
    at: `${agreements}/${agreement.id}`,
  };
}

/**
 * The authenticator app: reads the key that the page shows. `ahead`: steps of 30 s, since a code works once.
 */
export async function readCodes(page: Page): Promise<(ahead: number) => string> {
  const key = await page.getByRole('figure').filter({ hasText: 'Key' }).locator('code').innerText();
  const totp = new OTPAuth.TOTP({ secret: OTPAuth.Secret.fromBase32(key.replaceAll(/\s/g, '')) });
  return (ahead) => totp.generate({ timestamp: Date.now() + ahead * 30_000 });
}

export async function fillSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

const focusedName = `(() => { const focused = document.activeElement;
  return focused.getAttribute('aria-label') ?? focused.labels?.[0]?.textContent ?? focused.textContent; })()`;
/** More than any page has. */
const mostStops = 80;

/** Presses Tab until the focus is on what has this name. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const passed: unknown[] = [];
  for (let stop = 0; stop < mostStops; stop++) {
    const focused = await page.evaluate<string>(focusedName);
    if (focused === name) return;
    passed.push(focused);
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never came to ${name}: ${passed.join(', ')}`);
}
