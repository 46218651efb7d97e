// Asks for one URL again and again. It is a process of its own: work of the caller must not count as a wait
// for the server.
import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../statistics.ts';

const url = process.argv[2] ?? '';
let asked = false;
let longestMs = 0;

/** Each message ends a measurement, and begins the next one when its answer is sent. */
process.on('message', () => {
  asked = true;
});

for (;;) {
  const start = now();
  await (await fetch(url)).arrayBuffer();
  longestMs = Math.max(longestMs, now() - start);
  if (asked) {
    process.send?.({ longestMs });
    asked = false;
    longestMs = 0;
  }
  await sleep(1);
}
