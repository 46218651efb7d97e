// `npm run bench:scale`: simulates one Concord or several behind a router by partner. docs/scaling.md reads
// its results.
import { parseArgs } from 'node:util';
import { chosen, recorded } from './scale/assumptions.ts';
import { toTable } from './scale/report.ts';
import { type Plan, runSharded } from './scale/sharded.ts';
import { loads, runSingleMachine } from './scale/single-machine.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Each option with its default, its bounds and what it means. */
const numbers = {
  seed: [1, 0, 2 ** 32 - 1, 'of all random choices: the same seed prints the same numbers'],
  shards: [1, 1, 256, 'Concords, each with a database of its own'],
  'postgres-cores': [8, 1, 256, 'of each database'],
  apis: [8, 1, 256, 'API processes of each shard, on two cores each'],
  workers: [10, 1, 256, 'worker processes of each shard, on two cores each'],
  load: [10, 0.01, 1_000, `times the events of one machine (${recorded.spread.eventsPerSecond}/s)`],
  seconds: [5, 1, 600, 'how long producers send, in simulated time'],
  partners: [10_000, 1, 1_000_000, 'all together, each with one endpoint'],
  zipf: [0.5, 0, 3, 'the partner of rank k sends in proportion to 1 / k^zipf; 0 makes all equal'],
  'fsync-ms': [chosen.fsyncMs, 0, 1_000, 'of the disk under each database'],
  'receiver-ms': [chosen.receiverAnswerMs, 0, 60_000, 'until a receiver answers'],
  'fail-seconds': [
    0,
    0,
    600,
    'the database of the busiest shard is away for so long, from the third second on',
  ],
} as const satisfies Record<string, readonly [number, number, number, string]>;

const flags = {
  single: 'runs the measured single machine, and compares it with the recorded numbers',
  grow: 'from the third second on, half of the partners move to as many new shards',
  strict: 'the partner with the most events has an endpoint with strict ordering',
} as const;

function usage(): string {
  const lines = [
    ...Object.entries(flags).map(([name, about]) => [`--${name}`, about] as const),
    ...Object.entries(numbers).map(
      ([name, [value, , , about]]) => [`--${name} N`, `${about} (${value})`] as const,
    ),
  ];
  return `Usage: npm run bench:scale -- [OPTION]...
Simulates the load of many machines in seconds. bench/scale/assumptions.ts has what it assumes.

${lines.map(([name, about]) => `  ${name.padEnd(20)}${about}`).join('\n')}`;
}

function main(): void {
  const text = Object.fromEntries(Object.keys(numbers).map((name) => [name, { type: 'string' } as const]));
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    options: { ...text, single: flag, grow: flag, strict: flag, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) say(usage());
  else if (values.single) printSingle();
  else print(readPlan(values));
}

type Flags = { strict: boolean; grow: boolean };

function readPlan(values: Flags): Plan {
  const given = values as Record<string, unknown>;
  const read = (name: keyof typeof numbers): number => {
    const [usual, least, most] = numbers[name];
    const value = given[name] === undefined ? usual : Number(given[name]);
    if (!(value >= least && value <= most))
      throw new Error(`--${name} must be a number from ${least} to ${most}, not "${given[name]}"`);
    return value;
  };
  const count = (name: keyof typeof numbers): number => {
    const value = read(name);
    if (!Number.isInteger(value)) throw new Error(`--${name} must be a whole number, not ${value}`);
    return value;
  };
  const failSeconds = read('fail-seconds');
  if (failSeconds > 0 && values.grow) throw new Error('--grow and --fail-seconds cannot be combined');
  return {
    seed: count('seed'),
    shards: count('shards'),
    postgresCores: count('postgres-cores'),
    apis: count('apis'),
    workers: count('workers'),
    eventsPerSecond: read('load') * recorded.spread.eventsPerSecond,
    seconds: read('seconds'),
    partners: count('partners'),
    zipf: read('zipf'),
    fsyncMs: read('fsync-ms'),
    receiverAnswerMs: read('receiver-ms'),
    strict: values.strict,
    failSeconds,
    grow: values.grow,
  };
}

function print(plan: Plan): void {
  const { phases, recoverySeconds, moved, busiestPartner } = runSharded(plan);
  say(toTable(phases));
  const share = `${(busiestPartner.share * 100).toFixed(1)} %`;
  say(
    `\nThe busiest partner has ${share} of the events, and ${busiestPartner.backlog} of them have not arrived at the end.`,
  );
  if (recoverySeconds !== undefined) {
    const done = Number.isFinite(recoverySeconds)
      ? `after ${recoverySeconds.toFixed(1)} s`
      : 'not before the end; use more --seconds';
    say(`Everything sent before the return of the database had arrived ${done}.`);
  }
  if (moved) say(`${moved.partners} partners moved in ${moved.seconds.toFixed(1)} s.`);
  else if (plan.grow) say('The partners had not all moved at the end; use more --seconds.');
}

function printSingle(): void {
  const { cores, nativeSignatureMs: native, nodeSignatureMs: node, spread, fanout, idle } = recorded;
  const rows: [string, string, number, number][] = [
    ['spread', 'events/s', spread.eventsPerSecond, run('spread', native).deliveriesPerSecond],
    [
      'spread, Node signs',
      'events/s',
      recorded.spreadWithNodeSigner.eventsPerSecond,
      run('spread', node).deliveriesPerSecond,
    ],
    ['fanout', 'deliveries/s', fanout.deliveriesPerSecond, run('fanout', native).deliveriesPerSecond],
    [
      'fanout, Node signs',
      'deliveries/s',
      recorded.fanoutWithNodeSigner.deliveriesPerSecond,
      run('fanout', node).deliveriesPerSecond,
    ],
    ['idle', 'ms', idle.firstByteMs, run('idle', native).firstByteMs],
    ['events in a group of spread', '', recorded.groupSize, run('spread', native).groupSize],
  ];
  function run(load: keyof typeof loads, signatureMs: number) {
    return runSingleMachine(loads[load], { cores, signatureMs });
  }
  say('| case | unit | recorded | simulated | difference |\n|---|---|---|---|---|');
  for (const [name, unit, was, is] of rows) {
    const digits = was < 100 ? 1 : 0;
    say(
      `| ${name} | ${unit} | ${was.toFixed(digits)} | ${is.toFixed(digits)} | ${Math.round((is / was - 1) * 100)} % |`,
    );
  }
}

try {
  main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${usage()}\n`);
  process.exitCode = 1;
}
