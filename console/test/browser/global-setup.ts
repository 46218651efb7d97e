// Builds the console if its sources have changed, and starts one Chromium for the whole run. Each test file
// connects to it.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser listens. */
    browserUrl: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  if (!existsSync(executablePath))
    throw new Error(
      `There is no Chromium at ${executablePath}. Install Debian's package chromium, or set CHROMIUM to another one.`,
    );
  execFileSync(process.execPath, [join(import.meta.dirname, '../../../tools/console.ts'), '--if-changed'], {
    stdio: 'inherit',
  });
  // Chromium has no sandbox for root.
  const browser = await chromium.launchServer({
    executablePath,
    chromiumSandbox: process.getuid?.() !== 0,
    host: '127.0.0.1',
  });
  project.provide('browserUrl', browser.wsEndpoint());
  return () => browser.close();
}
