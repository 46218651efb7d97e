// The work that the form of an address takes.
import { expect, it, vi } from 'vitest';
import { storedEmailKey } from './email.ts';

const encoded = vi.hoisted(() => ({ texts: [] as string[] }));
vi.mock('node:url', async (importOriginal) => {
  const url = await importOriginal<typeof import('node:url')>();
  const domainToASCII = (text: string) => {
    encoded.texts.push(text);
    return url.domainToASCII(text);
  };
  return { ...url, domainToASCII };
});

it('F4: the domain of a text that is too long for an address is not encoded, which takes quadratic time', () => {
  expect(storedEmailKey('ann@b\u00fccher.example')).toBe('ann@xn--bcher-kva.example');
  expect(encoded.texts).toHaveLength(1);
  const letters = Array.from({ length: 5_000 }, (_, index) => String.fromCharCode(0x4e00 + index));
  expect(storedEmailKey(`ann@${letters.join('')}.example`)).toBeNull();
  expect(encoded.texts).toHaveLength(1);
});
