import { expect, it } from 'vitest';
import { cookieSignIn } from './cookies.ts';

it('B3: cookies are allowed with https, and on this machine', () => {
  for (const url of [
    'https://concord.example',
    'http://127.0.0.1:3000',
    'http://127.1.2.3',
    'http://localhost:3000',
    'http://[::1]:80',
  ])
    expect([url, cookieSignIn(url)]).toEqual([url, { allowed: true, reason: null }]);
});

it('B3: cookies are refused with http elsewhere', () => {
  for (const url of [
    'http://concord.example',
    'http://10.0.0.1:3000',
    'http://0.0.0.0:3000',
    'http://localhost.example',
    'http://127.0.0.1.example',
    'http://[::]:3000',
  ])
    expect([url, cookieSignIn(url)]).toEqual([
      url,
      {
        allowed: false,
        reason: expect.stringContaining(`${url}: set it to an https URL, or to http://127.0.0.1`),
      },
    ]);
});
