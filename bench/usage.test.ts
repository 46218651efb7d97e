// Whose CPU and memory is whose. The numbers come from /proc.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, expect, test } from 'vitest';
import { cpuMsOf, memoryMibOf } from './usage.ts';

const onLinux = process.platform === 'linux';
// Uses 50 ms of CPU, and answers.
const script =
  'const used = () => process.cpuUsage().user; while (used() < 50_000); process.send("done"); setInterval(() => {}, 1_000);';
const child = fork('-e', [script], { execArgv: [] });
afterAll(() => child.kill());

test.runIf(onLinux)('the tree of a process has its children, except the one that is left out', async () => {
  await once(child, 'message');
  const root = process.pid;
  const childMs = cpuMsOf({ root: child.pid! });
  expect(childMs).toBeGreaterThan(0);
  expect(cpuMsOf({ root })).toBeGreaterThanOrEqual(childMs);
  expect(memoryMibOf({ root })).toBeGreaterThan(memoryMibOf({ root, without: [child.pid!] }));
  expect(memoryMibOf({ root: child.pid!, without: [child.pid!] })).toBe(0);
});
