// The work that the form of an address takes.
import { expect, it, onTestFinished, vi } from 'vitest';
import { storedEmailKey } from './email.ts';

it('F4: a text that is too long for an address is not looked at: to encode its domain takes quadratic time', () => {
  const letters = Array.from({ length: 5_000 }, (_, index) => String.fromCharCode(0x4e00 + index));
  const look = vi.spyOn(RegExp.prototype, 'test');
  onTestFinished(() => look.mockRestore());
  const looksAt = (text: string) => {
    look.mockClear();
    const key = storedEmailKey(text);
    return { key, looks: look.mock.calls.length > 0 };
  };
  const found = [looksAt('ann@b\u00fccher.example'), looksAt(`ann@${letters.join('')}.example`)];
  expect(found).toEqual([
    { key: 'ann@xn--bcher-kva.example', looks: true },
    { key: null, looks: false },
  ]);
});
