// The tour and the lines of the README, run as a reader runs them; and that the runner finds what is wrong
// with them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { databaseFolder } from '../server/test/stage/database-folder.ts';
import { findMismatch, readSteps } from './tour-document.ts';

const root = join(import.meta.dirname, '..');
const tour = readFileSync(join(root, 'docs/tour.md'), 'utf8');
const steps = readSteps(tour, 'docs/tour.md');
const scratch = mkdtempSync(join(tmpdir(), 'concord-tour-test-'));
afterAll(() => rmSync(scratch, { recursive: true }));
const minutes = 60_000;

function startTour(...args: string[]) {
  const child = spawn(process.execPath, [join(root, 'tools/tour.ts'), ...args], {
    env: { ...process.env, TMPDIR: databaseFolder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, complaint] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    complaint += chunk;
  });
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  const ended = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    output,
    complaint,
    folder: /(\S+)\/data\/tour\/secrets/.exec(output)?.[1],
  }));
  /** Resolves with the URL of a service that is kept; null when the tour ended without. */
  const kept = new Promise<string | null>((resolve) => {
    child.stdout.on('data', () => {
      const url = /still running at (\S+),/.exec(output)?.[1];
      if (url) resolve(url);
    });
    void ended.then(() => resolve(null));
  });
  return { child, ended, kept };
}
const runTour = (...args: string[]) => startTour(...args).ended;

/** Makes a document of sections, written in Markdown. */
function write(name: string, ...sections: string[]): string {
  const file = join(scratch, name);
  writeFileSync(file, sections.join('\n\n'));
  return file;
}

/** The `## ` section with this heading. */
function section(markdown: string, heading: string): string {
  const found = markdown.split(/^(?=## )/m).find((each) => each.startsWith(`## ${heading}\n`));
  return found ?? expect.fail(`There is no section "${heading}"`);
}

describe('npm run tour', () => {
  it(
    'runs every step of docs/tour.md, on other ports when those of the document are taken, and leaves nothing',
    async () => {
      const blockers = await Promise.all([3_000, 8_080].map(occupy));
      const { code, output, complaint, folder } = await runTour();
      for (const blocker of blockers) blocker?.close();
      expect([code, complaint]).toEqual([0, '']);
      for (const { heading } of steps) expect(output).toContain(`── ${heading} ──`);
      expect(output).toContain(`All ${steps.length} steps were answered as docs/tour.md says.`);
      expect(existsSync(folder!)).toBe(false);
    },
    10 * minutes,
  );

  it(
    'shows that the lines of the README print what it says; --keep leaves the service running until it is interrupted',
    async () => {
      const lines = section(readFileSync(join(root, 'README.md'), 'utf8'), 'Ten lines');
      // What follows the answer, in the README, is a picture.
      const used = lines
        .slice(0, lines.indexOf('```\n', lines.indexOf('```text')) + 4)
        .replaceAll('PASSWORD', 'a-password-for-the-tour');
      const { child, ended, kept } = startTour(
        '--keep',
        write('readme.md', section(tour, 'Start the service'), used),
      );
      const url = await kept;
      const health = url === null ? null : await fetch(`${url}/health/ready`);
      child.kill('SIGINT');
      const { code, complaint, folder } = await ended;
      expect([code, complaint]).toEqual([0, '']);
      expect(health?.status).toBe(200);
      expect(existsSync(folder!)).toBe(false);
    },
    5 * minutes,
  );

  it(
    'stops at the first answer that is not as written, names its line, and leaves nothing',
    async () => {
      const wrong =
        '## Wrong\n\n```sh\ncurl -si http://127.0.0.1:3000/health/live\n```\n\n```text\nHTTP/1.1 418 I am a teapot\n```\n';
      const file = write(
        'wrong.md',
        section(tour, 'Start the service'),
        wrong,
        wrong.replace('Wrong', 'Never run'),
      );
      const { code, output, complaint, folder } = await runTour(file);
      expect([code, complaint]).toEqual([
        1,
        expect.stringContaining('"HTTP/1.1 200 OK"; it must be "HTTP/1.1 418 I am a teapot"'),
      ]);
      expect(complaint).toMatch(/wrong\.md:\d+: "Wrong" is not answered/);
      expect(output).not.toContain('Never run');
      expect(existsSync(folder!)).toBe(false);
    },
    5 * minutes,
  );

  it('explains itself, and refuses a document that is no tour', async () => {
    expect(await runTour('--help')).toMatchObject({
      code: 0,
      output: expect.stringContaining('Usage: npm run tour'),
    });
    const unstarted = write('unstarted.md', section(tour, 'Sign in'));
    expect(await runTour(unstarted)).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('then npm start'),
    });
  });
});

describe('the document', () => {
  it('must say of each step what its answer is', () => {
    for (const { heading } of steps) {
      const whole = section(tour, heading);
      const text = /```text\n[\s\S]*?```\n/.exec(whole)![0];
      for (const broken of ['', '```text\n```\n', '```text\n…\n\n```\n', text.replace('```text', '```')]) {
        expect(
          () =>
            readSteps(
              tour.replace(whole, () => whole.replace(text, broken)),
              'a.md',
            ),
          heading,
        ).toThrow(heading);
      }
    }
    expect(() => readSteps('# Nothing\n', 'a.md')).toThrow('a.md has no step');
  });

  it('says nothing in vain: a step fails without any one of its lines, or without a status that it states', () => {
    for (const { heading, expected } of steps) {
      const printed = expected.map((line) => line.replaceAll('…', 'something'));
      expect(findMismatch({ expected }, printed.join('\r\n'))).toBeNull();
      for (const index of expected.keys()) {
        const without = printed.toSpliced(index, 1, `${printed[index]}?`).join('\n');
        // A line may end with what may be anything.
        if (!expected[index]!.endsWith('…'))
          expect(findMismatch({ expected }, without), heading).not.toBeNull();
        expect(findMismatch({ expected }, printed.toSpliced(index, 1).join('\n')), heading).not.toBeNull();
        if (expected[index]!.startsWith('HTTP/')) {
          expect(
            findMismatch({ expected: expected.toSpliced(index, 1) }, printed.join('\n')),
            heading,
          ).not.toBeNull();
        }
      }
    }
  });

  it('is compared in order, by whole lines, literally but for …', () => {
    const output = 'HTTP/1.1 200 OK\netag: "1"\n{"id":"ptr_1","name":"a.b"}\n';
    const differs = (...expected: string[]) => findMismatch({ expected }, output);
    expect(differs('HTTP/1.1 200 OK', '{"id":"ptr_…","name":"a.b"}')).toBeNull();
    expect(differs('HTTP/1.1 200 OK', '{"id":"ptr_…","name":"a+b"}')).toContain('the output has no line');
    expect(differs('HTTP/1.1 200 OK', '{"id":"ptr_…","name":"aXb"}')).toContain('the output has no line');
    expect(differs('HTTP/1.1 200 OK', '{"id":"ptr_1"')).toContain('the output has no line');
    expect(differs('{"id":…', 'HTTP/1.1 200 OK')).toContain('after the line');
    expect(differs('HTTP/1.1 200 OK', 'HTTP/1.1 204 No Content')).toContain('there is no answer 2');
    expect(differs('etag: …')).toContain('does not state its status');
  });
});

/** Listens on this port; undefined when somebody does already. */
async function occupy(port: number) {
  const server = createServer().listen(port, '127.0.0.1');
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}
