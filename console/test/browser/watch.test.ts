// The watch itself: each kind of problem is seen, so that silence means something.
import { expect, it } from 'vitest';
import { findBarriers, findOverflow } from './barriers.ts';
import { prepareStage } from './stage.ts';

const stage = prepareStage();

const kinds: [string, string, RegExp][] = [
  ['console error', `console.error('a mistake')`, /console error .*a mistake/],
  ['console warning', `console.warn('a doubt')`, /console warning .*a doubt/],
  [
    'an error that nobody catches',
    `setTimeout(() => { throw new Error('a surprise') })`,
    /error on .*a surprise/,
  ],
  [
    'a promise that nobody catches',
    `void Promise.reject(new Error('a broken promise'))`,
    /error on .*a broken promise/,
  ],
  [
    'a violation of the policy',
    `document.body.setAttribute('style', 'color: red')`,
    /Content-Security-Policy: style-src/,
  ],
  [
    'a request to another origin',
    `location.href = 'http://localhost:1/'`,
    /request to another origin: GET http:..localhost:1/,
  ],
  ['an answer of 404 that is not the API of the console', `fetch('/no-such-thing')`, /console error .*404/],
];

it.each(kinds)('B45: sees %s', async (_, script, seen) => {
  const page = await stage().newPage();
  const watched = stage().watchOf(page);
  await page.goto('/console/verify');
  expect(watched.take()).toEqual([]);
  await page.evaluate(`(() => { ${script}; })()`);
  const problems: string[] = [];
  const look = () => {
    problems.push(...watched.take());
    return problems.join('\n');
  };
  await expect.poll(look).toMatch(seen);
  // What came with it, such as Chromium's own line about a violation.
  await page.close();
  watched.take();
});

it('B46: finds barriers and overflow', async () => {
  const page = await stage().newPage({ viewport: { width: 360, height: 740 } });
  await page.goto('/console/verify');
  expect(await findOverflow(page)).toBe(0);
  await page.evaluate(`document.body.append(document.createElement('button'), document.createElement('hr'))`);
  await page.evaluate(`document.querySelector('hr').width = '2000'`);
  expect(await findBarriers(page, 'dark')).toContainEqual(
    expect.stringMatching(/^dark: button-name at .*button/),
  );
  expect(await findOverflow(page)).toBeGreaterThan(1_000);
});
