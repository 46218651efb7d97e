// Text that users choose, in mails.
import { expect, it } from 'vitest';
import { oneLine } from './mail.ts';

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
  for (const name of ['Nordlys AS', 'Møller & Sons Ltd.', 'Ann Lee (Nordlys Ltd.)', '24/7 Services', 'Søk – finn!', 'Dr. Who?'])
    expect(oneLine(name)).toBe(name);
});
