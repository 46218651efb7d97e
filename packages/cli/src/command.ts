// What a command is. Help, completions and docs/command-line.md are made from these descriptions.
import type { Context } from './context.ts';
import type { Exit } from './exits.ts';

export type Option = {
  /** As the parser reads them: `--forward-to <url>`, `-v, --verbose`. */
  readonly flags: string;
  readonly description: string;
};

/** The first word of commands that have two. */
export const groups = {
  events: 'Look at the events of the partner',
  deliveries: 'Look at deliveries, and repeat them',
  types: 'Event types for your code',
  endpoints: 'Look at webhook endpoints, and change them',
};

export type Command = {
  /** `['events', 'tail']` is `concord events tail`. */
  readonly path: readonly [string] | readonly [keyof typeof groups, string];
  readonly summary: string;
  /** More for `--help`. */
  readonly details?: string;
  /** `<id>` is required, `[type]` is not. */
  readonly argument?: { readonly name: string; readonly description: string };
  readonly options?: readonly Option[];
  readonly example: string;
  /** 'none': it needs none. 'replaced': a damaged or unsafe file of the token counts as none. */
  readonly settings?: 'none' | 'replaced';
  /** How Ctrl-C ends it: 'itself' cleans up first. Default: interrupted. */
  readonly atEnd?: 'done' | 'itself';
  /** Default exit: done. */
  run(context: Context): Promise<Exit | undefined>;
};

/** Options of each command. */
export const commonOptions: readonly Option[] = [
  { flags: '--json', description: 'prints JSON' },
  { flags: '--url <url>', description: 'where Concord is; default: CONCORD_URL, or that of concord login' },
  { flags: '--partner <id>', description: 'the partner; default: CONCORD_PARTNER, or that of concord login' },
  { flags: '--insecure-http', description: 'allows http to another machine, which sends the token in clear' },
];
