// Reads the steps of a tour from Markdown, and compares what a step printed with what the document says.

/**
 * A `## ` section: one `sh` block with the commands, then one `text` block with lines that the output must
 * contain.
 */
export type Step = {
  heading: string;
  commands: string;
  expected: string[];
  /** Where the commands begin, counted from 1. */
  line: number;
};

/** The document is not a tour: the message names the file and the line. */
export class DocumentError extends Error {}

/**
 * @throws {DocumentError} when a section does not have exactly one `sh` block and, behind it, one `text`
 * block that says something
 */
export function readSteps(markdown: string, file: string): Step[] {
  const lines = markdown.split('\n');
  const headings = lines.flatMap((line, index) => (line.startsWith('## ') ? [index] : []));
  if (headings.length === 0)
    throw new DocumentError(`${file} has no step: a step is a section that starts with "## "`);
  return headings.map((start, index) => {
    const heading = (lines[start] ?? '').slice(3);
    const blocks = readBlocks(lines, start + 1, headings[index + 1] ?? lines.length);
    const [commands, expected] = blocks;
    if (blocks.length !== 2 || commands?.language !== 'sh' || expected?.language !== 'text') {
      throw new DocumentError(
        `${file}:${start + 1}: "${heading}" must have one sh block, then one text block with its answer`,
      );
    }
    if (!expected.lines.some(says))
      throw new DocumentError(`${file}:${expected.line}: "${heading}" expects nothing of its answer`);
    return {
      heading,
      commands: commands.lines.join('\n'),
      expected: expected.lines.filter(says),
      line: commands.line,
    };
  });
}

type Block = { language: string; line: number; lines: string[] };

function readBlocks(lines: string[], from: number, to: number): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const [index, line] of lines.slice(from, to).entries()) {
    if (!line.startsWith('```')) open?.lines.push(line);
    else if (open) open = undefined;
    else {
      open = { language: line.slice(3), line: from + index + 2, lines: [] };
      blocks.push(open);
    }
  }
  return blocks;
}

/** Whether a line of a `text` block says anything; `…` alone leaves lines out. */
const says = (line: string) => /[^\s…]/.test(line);
const isStatus = (line: string) => line.startsWith('HTTP/');

/**
 * What is wrong with the output of a step, in a sentence; null when nothing is. The expected lines must occur
 * in their order, each as a whole line in which `…` stands for anything. Each answer must have its expected
 * status line, so none goes unnoticed.
 */
export function findMismatch({ expected }: Pick<Step, 'expected'>, output: string): string | null {
  const printed = output.split(/\r?\n/);
  const statuses = printed.filter(isStatus);
  const expectedStatuses = expected.filter(isStatus);
  for (let index = 0; index < Math.max(statuses.length, expectedStatuses.length); index++) {
    const [is, should] = [statuses[index], expectedStatuses[index]];
    if (should === undefined)
      return `answer ${index + 1} is "${is}", but the document does not state its status`;
    if (is === undefined) return `there is no answer ${index + 1}; it must be "${should}"`;
    if (!matches(should, is)) return `answer ${index + 1} is "${is}"; it must be "${should}"`;
  }
  let next = 0;
  for (const line of expected) {
    const found = printed.findIndex((each, index) => index >= next && matches(line, each));
    if (found < 0)
      return `the output has no line\n  ${line}\n${next === 0 ? '' : `after the line\n  ${printed[next - 1]}\n`}`.trimEnd();
    next = found + 1;
  }
  return null;
}

function matches(expected: string, line: string): boolean {
  const pattern = expected
    .trimEnd()
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${pattern}$`).test(line.trimEnd());
}
