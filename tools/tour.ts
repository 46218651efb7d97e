// `npm run tour`: runs every step of docs/tour.md against a service of its own, and stops at the first answer
// that is not as written.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { runCommand, say } from './command.ts';
import { DocumentError, findMismatch, readSteps, type Step } from './tour-document.ts';
import { findPort, makeScratchFolder, openShell, removeFolder, startService } from './tour-shell.ts';

const usage = `Usage: npm run tour [-- --keep] [DOCUMENT]
Starts a service with temporary data, runs every step of DOCUMENT (docs/tour.md) against it, and prints each with its answer.
Ends with 1 at the first step whose answer is not what the document says.
--keep leaves the service running after the last step, until Ctrl-C.`;

/** npm repeats the Ctrl-C of a terminal. */
const interrupted = new Promise<NodeJS.Signals>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, resolve);
});

type Options = { steps: Step[]; file: string; keep: boolean };

async function run({ steps: [start, ...steps], file, keep }: Options): Promise<void> {
  if (!start) return;
  const settings = readSettings(start, file);
  const port = await findPort(3_000);
  const receiverPort = await findPort(8_080);
  /** The document names fixed ports; here others listen when these are taken. */
  const localize = (text: string) =>
    text.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`).replaceAll('8080', String(receiverPort));
  const check = (step: Step, output: string) => {
    const mismatch = findMismatch({ expected: step.expected.map(localize) }, output);
    if (mismatch)
      throw new Error(
        `${file}:${step.line}: "${step.heading}" is not answered as the document says: ${mismatch}`,
      );
  };

  const folder = makeScratchFolder();
  const cleanUp: (() => unknown)[] = [() => removeFolder(folder)];
  try {
    announce(start.heading, start.commands);
    const service = await startService(folder, { ...settings, PORT: String(port) });
    cleanUp.push(service.stop);
    say(`${service.output().trim()}\n`);
    check(start, service.output());

    const shell = openShell(folder);
    cleanUp.push(shell.close);
    for (const step of steps) {
      const commands = localize(step.commands);
      announce(step.heading, commands);
      const output = await Promise.race([
        shell.run(commands),
        interrupted.then(() => Promise.reject(new Error('Interrupted'))),
      ]);
      say(`${prettify(output).trim()}\n`);
      check(step, output);
    }
    say(`All ${steps.length + 1} steps were answered as ${file} says.`);
    if (!keep) return;
    say(
      `The service is still running at ${service.url}, with its data in ${folder}. Ctrl-C stops it and deletes the data.`,
    );
    await Promise.race([interrupted, service.ended]);
  } finally {
    for (const undo of cleanUp.reverse()) await undo();
  }
}

/** A line of JSON becomes indented JSON. */
const prettify = (output: string): string =>
  output
    .split(/\r?\n/)
    .map((line) => (/^[[{]/.test(line) ? indent(line) : line))
    .join('\n');

function indent(line: string): string {
  try {
    return JSON.stringify(JSON.parse(line), null, 2);
  } catch {
    return line;
  }
}

function announce(heading: string, commands: string): void {
  say(`── ${heading} ${'─'.repeat(Math.max(0, 100 - heading.length))}\n\n${commands.replace(/^/gm, '  ')}\n`);
}

/** The first step starts the service: settings as `NAME=value`, then `npm start`. */
function readSettings({ heading, commands, line }: Step, file: string): Record<string, string> {
  const words = commands.replaceAll('\\\n', ' ').trim().split(/\s+/);
  const command = words.splice(-2).join(' ');
  const settings = words.map((word) => /^([A-Z_]+)=([^'"$]+)$/.exec(word));
  if (command !== 'npm start' || settings.includes(null)) {
    throw new DocumentError(`${file}:${line}: "${heading}" must be settings as NAME=value, then npm start`);
  }
  return Object.fromEntries(settings.map((match) => [match?.[1] ?? '', match?.[2] ?? '']));
}

await runCommand(usage, { keep: { type: 'boolean' } }, ({ keep = false }, [file = 'docs/tour.md']) => {
  const steps = readSteps(readFileSync(resolve(import.meta.dirname, '..', file), 'utf8'), file);
  return run({ steps, file, keep });
});
