// What opening a page costs: the files that it loads, and how far its parts move while they appear.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { type Screen, screens, show } from './screens.ts';
import { prepareStage } from './stage.ts';

const stage = prepareStage();

type Layout = PerformanceEntry & { value: number; sources: { node?: Element; previousRect: DOMRect; currentRect: DOMRect }[] };

/** Collects from the first paint on. Focus and typing move nothing here, so every shift counts. */
const collect = `
  window.shifts = []; window.longTasks = [];
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries())).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => window.longTasks.push(...list.getEntries())).observe({ type: 'longtask', buffered: true });`;

/** The sum of all shifts, and what moved. */
const readShifts = (page: Page) =>
  page.evaluate(() => {
    const { shifts } = window as unknown as { shifts: Layout[] };
    const moved = shifts.flatMap(({ value, sources }) =>
      sources.map(({ node, previousRect, currentRect }) => {
        const element = node instanceof Element ? node : (node as Node | undefined)?.parentElement;
        const name = element ? `${element.tagName.toLowerCase()}.${element.className}` : 'gone';
        const text = element?.textContent?.slice(0, 30) ?? '';
        return `${value.toFixed(3)} ${name} "${text}" ${Math.round(previousRect.y)} to ${Math.round(currentRect.y)}`;
      }),
    );
    return { sum: shifts.reduce((sum, { value }) => sum + value, 0), moved };
  });

const twoFrames = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Lets an answer in when the one before it was drawn, so that no part of a page hides behind another one that came first. */
async function answerOneByOne(page: Page): Promise<void> {
  let drawn: Promise<unknown> = Promise.resolve();
  await page.route('**/console/api/**', async (route) => {
    // The page can be closed meanwhile.
    const response = await route.fetch().catch(() => null);
    if (response === null) return;
    drawn = drawn.then(() => route.fulfill({ response })).then(() => twoFrames(page));
    await drawn.catch(() => {});
  });
}

const roleOf = ({ sees }: Screen) => (sees === 'public' ? null : sees.includes('operator') ? 'operator' : sees[0]!);

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
    const { sum, moved } = await readShifts(page);
    const tasks = await page.evaluate(() =>
      (window as unknown as { longTasks: { duration: number }[] }).longTasks.map(({ duration }) => duration),
    );
    const weight = `${screen.name}: ${files.size} files, shift ${sum.toFixed(3)}, long tasks ${tasks.map(Math.round).join(' ')}`;
    if (process.env.SHOW_WEIGHT) process.stdout.write(`${weight}\n${moved.map((line) => `    ${line}\n`).join('')}`);
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
      if (response.status() === 401) refused.push(`${path(stage().world)}: ${new URL(response.url()).pathname}`);
    });
    await show(page, path(stage().world));
  }
  expect(refused).toEqual([]);
});
