// The stage of every test in a browser: a service with a seeded world, a mailbox, a receiver, and pages of
// each kind of person.
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import type { Environment } from '../../../server/src/program/config.ts';
import { startMailbox } from '../../../server/test/stage/mailbox.ts';
import { startReceiver, toLoopback } from '../../../server/test/stage/receiver.ts';
import { startTestService } from '../../../server/test/stage/start-service.ts';
import { findPort } from '../../../tools/tour-shell.ts';
import { type Watch, watch } from './watch.ts';
import { createWorld, password, type Role } from './world.ts';

type Stage = Awaited<ReturnType<typeof startStage>>;

/** A guard against a wait that never ends, and never an assertion. */
const guardMs = 120_000;
const wide = { width: 1280, height: 800 };

/**
 * For the tests of one file. `environment`: settings of its service. `host`: passkeys need a name. A test fails if
 * something happened on a page that must never happen. After it, its pages are closed.
 */
export function prepareStage(environment: Environment = {}, host = '127.0.0.1'): () => Stage {
  let stage: Stage | undefined;
  beforeAll(async () => {
    stage = await startStage(environment, host);
  });
  afterEach(() => stage?.closePages());
  afterAll(() => stage?.stop());
  return () => stage as Stage;
}

async function startStage(environment: Environment, host: string) {
  const mailbox = await startMailbox();
  const port = await findPort(0);
  const origin = `http://${host}:${port}`;
  const service = await startTestService({
    ...toLoopback,
    PORT: String(port),
    // The browser's origin must be the base URL, for its cookies.
    CONCORD_BASE_URL: origin,
    CONCORD_SMTP_URL: mailbox.url,
    CONCORD_WEBHOOK_RETRY_SCHEDULE: '50ms,100ms',
    ...environment,
  });
  const receiver = await startReceiver(service.url);
  const world = await createWorld(service, receiver);
  const browser: Browser = await chromium.connect(inject('browserUrl'));
  const sessions = new Map<Role, Awaited<ReturnType<BrowserContext['storageState']>>>();
  const open: { context: BrowserContext; watched: Watch }[] = [];
  const kept = new Map<Role, { page: Page; watched: Watch }>();

  async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({
      baseURL: origin,
      viewport: wide,
      reducedMotion: 'reduce',
      locale: 'en-GB',
      ...options,
    });
    context.setDefaultTimeout(guardMs);
    open.push({ context, watched: await watch(context, origin) });
    return context.newPage();
  }

  /** Signs in by the request that the form sends, so that the cookie is the service's own. */
  async function signIn(page: Page, email: string): Promise<void> {
    await page.goto('/console/sign-in');
    const status = await page.evaluate(
      async (body) => {
        const headers = { 'content-type': 'application/json', 'concord-console': '1' };
        const path = '/console/api/api/auth/sign-in/email';
        return (await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).status;
      },
      { email, password },
    );
    expect([email, status]).toEqual([email, 200]);
  }

  async function openAs(role: Role, options: BrowserContextOptions = {}): Promise<Page> {
    const storageState = sessions.get(role);
    if (storageState) return newPage({ ...options, storageState });
    const page = await newPage(options);
    await signIn(page, world.people[role].email);
    sessions.set(role, await page.context().storageState());
    return page;
  }
  const watchOf = (page: Page) => open.find(({ context }) => context === page.context())?.watched as Watch;

  return {
    service,
    mailbox,
    receiver,
    world,
    origin,
    signIn,
    watchOf,
    /** A page of somebody who is not signed in. */
    newPage,
    /**
     * A page of a person of this kind, signed in, without an address yet. Later pages share the first one's
     * session.
     */
    openAs,
    /** The same for tests that only look: all tests of the file share the page. */
    async walkAs(role: Role): Promise<Page> {
      const known = kept.get(role);
      if (known) return known.page;
      const page = await openAs(role);
      kept.set(role, { page, watched: watchOf(page) });
      open.splice(
        open.findIndex(({ context }) => context === page.context()),
        1,
      );
      return page;
    },
    async closePages() {
      const closing = open.splice(0);
      const problems = [...closing, ...kept.values()].flatMap(({ watched }) => watched.take());
      await Promise.all(closing.map(({ context }) => context.close()));
      expect(problems).toEqual([]);
    },
    async stop() {
      await browser.close();
      await service.stop();
      await mailbox.close();
      receiver.close();
    },
  };
}
