import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { within } from './within.ts';

it('W71: work whose time is over is late at once, and Node has nothing to warn of', async () => {
  const warnings: Error[] = [];
  const keep = (warning: Error) => void warnings.push(warning);
  process.on('warning', keep);
  onTestFinished(() => void process.off('warning', keep));
  expect(await within(-3, new Promise<string>(() => {}), () => 'late')).toBe('late');
  await turn();
  expect(warnings).toEqual([]);
});
