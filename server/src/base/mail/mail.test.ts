// Text that users choose, in mails.
import { expect, it } from 'vitest';
import * as mails from './english.ts';
import { oneLine } from './mail.ts';
import { createRecipients } from './recipients.ts';

it('U13: a recipient is written under the current secret, and found under each, in any case', () => {
  const secretOf = (version: number) => ({ version, value: String(version).repeat(32) });
  const [old, current] = [secretOf(1), secretOf(2)];
  const { write, find } = createRecipients([old, current]);
  expect(write('A@mail.example')).toEqual(createRecipients([current]).write('a@mail.example'));
  expect(find('a@mail.example')).toContainEqual(createRecipients([old]).write('A@Mail.example'));
});

it('L8: text that a user chose has no host, URL or address that a mail program turns into a link', () => {
  for (const [text, shown] of [
    ['http://evil.example/x', 'http: //evil. example/x'],
    ['www.evil.example', 'www. evil. example'],
    ['evil.example', 'evil. example'],
    ['//192.0.2.1/x', '//192. 0. 2. 1/x'],
    ['mailto:a@evil.example', 'mailto: a@ evil. example'],
    ['a@localhost', 'a@ localhost'],
    // Full-width forms, ideographic full stops, one dot leaders.
    ['ｗｗｗ．evil．example', 'www. evil. example'],
    ['evil。example｡com', 'evil。 example。 com'],
    ['evil․example', 'evil. example'],
    // An invisible character after the dot.
    ['evil.\u200bexample', 'evil. example'],
    ['evil.\ufe0fexample', 'evil. \ufe0fexample'],
  ])
    expect(oneLine(text ?? '')).toBe(shown);
});

it('L8: it is one line without controls, also without those that change the direction of text', () => {
  expect(oneLine(' a\r\nBcc: x\u2028b\u0000c\u202ed\u2066e ')).toBe('a Bcc: x b c d e');
});

it('L8: it has at most 80 characters, and no character is cut in two', () => {
  expect(oneLine('😀'.repeat(81))).toBe(`${'😀'.repeat(80)}...`);
  expect(oneLine('x'.repeat(80))).toBe('x'.repeat(80));
});

it('L8: usual names stay as they are', () => {
  for (const name of [
    'Nordlys AS',
    'Møller & Sons Ltd.',
    'Ann Lee (Nordlys Ltd.)',
    '24/7 Services',
    'Søk – finn!',
    'Dr. Who?',
  ])
    expect(oneLine(name)).toBe(name);
});

const hostile = `<img src=x onerror="alert(1)">'&\r\nBcc: b@evil.example`;
const invitation = mails.invitation('ann@nordlys.example', {
  partner: hostile,
  inviter: hostile,
  owner: false,
  mfaRequired: false,
  endsAt: null,
  permissions: [],
  groups: [hostile],
  until: new Date('2026-11-30T08:00:00Z'),
  url: 'http://concord.test/console/invitations/agr_1#token',
});

it('L13: a mail with a link has one button, and the link as text in one line', () => {
  expect(invitation.html.match(/<a /g)).toHaveLength(1);
  expect(invitation.html).toContain('<a href="http://concord.test/console/invitations/agr_1#token" style=');
  expect(invitation.text.split('\n')).toContain('http://concord.test/console/invitations/agr_1#token');
  expect(invitation.text).toContain('until 2026-11-30 08:00 UTC');
});

it('L13: nothing that a user wrote is HTML, starts a line of the header, or makes the mail load something', () => {
  expect(invitation.subject).not.toMatch(/[\r\n]/);
  expect(invitation.html).not.toMatch(/<img|<script|src="|url\(|<link/);
  expect(invitation.html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&#39;&amp;');
});
