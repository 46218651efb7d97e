// What opening a page costs: the files that it loads, and how far its parts move while they appear.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { type Screen, screens, show } from './screens.ts';
import { prepareStage } from './stage.ts';

const stage = prepareStage();

/** Collects from the first paint on. Nothing is typed or clicked here, so every shift counts. */
const collect = `
  window.shifts = []; window.longTasks = [];
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries())).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => window.longTasks.push(...list.getEntries())).observe({ type: 'longtask', buffered: true });`;

type Weight = { sum: number; moved: string[]; tasks: number[] };

/** The sum of all shifts, what moved from where to where, and the long tasks in milliseconds. */
const readWeight = (page: Page) =>
  page.evaluate<Weight>(`({
    sum: shifts.reduce((sum, { value }) => sum + value, 0),
    moved: shifts.flatMap(({ value, sources }) => sources.map(({ node, previousRect, currentRect }) =>
      value.toFixed(3) + ' "' + (node?.textContent ?? 'gone').slice(0, 30) + '" ' + previousRect.y + ' to ' + currentRect.y)),
    tasks: longTasks.map(({ duration }) => Math.round(duration)),
  })`);

const twoFrames = (page: Page) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

/**
 * Lets an answer in when the one before it was drawn, so that no part of a page hides behind another one that
 * came first.
 */
async function answerOneByOne(page: Page): Promise<void> {
  let drawn: Promise<unknown> = Promise.resolve();
  await page.route('**/console/api/**', async (route) => {
    // The request can be given up, and the page closed, meanwhile.
    const response = await route.fetch().catch(() => null);
    if (response === null) return;
    drawn = drawn
      .then(() => route.fulfill({ response }))
      .then(() => twoFrames(page))
      .catch(() => {});
    await drawn;
  });
}

const roleOf = ({ sees }: Screen) =>
  sees === 'public' ? null : sees.includes('operator') ? 'operator' : sees[0]!;

async function openScreen(screen: Screen): Promise<Page> {
  const role = roleOf(screen);
  const page = await (role === null ? stage().newPage() : stage().openAs(role));
  await page.addInitScript(collect);
  await answerOneByOne(page);
  return page;
}

it('B75, B77: every screen loads at most 12 files, and its parts do not move while it appears', async () => {
  const found: string[] = [];
  for (const screen of screens) {
    const page = await openScreen(screen);
    const files = new Set<string>();
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (!pathname.startsWith('/console/api/')) files.add(pathname);
    });
    await show(page, screen.path(stage().world));
    await twoFrames(page);
    const { sum, moved, tasks } = await readWeight(page);
    const weight = `${screen.name}: ${files.size} files, shift ${sum.toFixed(3)}, long tasks ${tasks.join(' ')}`;
    if (process.env.SHOW_WEIGHT)
      process.stdout.write(`${weight}\n${moved.map((line) => `    ${line}\n`).join('')}`);
    if (files.size > 12) found.push(`${weight}: ${[...files].join(' ')}`);
    if (sum > 0.05) found.push(`${weight}: ${moved.join('; ')}`);
    await page.context().close();
  }
  expect(found).toEqual([]);
});

it('B76: a page that anyone can open writes no 401 to the browser console', async () => {
  const refused: string[] = [];
  for (const { path } of screens.filter(({ sees }) => sees === 'public')) {
    const page = await stage().newPage();
    page.on('response', (response) => {
      if (response.status() === 401)
        refused.push(`${path(stage().world)}: ${new URL(response.url()).pathname}`);
    });
    await show(page, path(stage().world));
  }
  expect(refused).toEqual([]);
});
