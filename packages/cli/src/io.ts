// What the program touches outside of itself. Tests replace it.
import type { Buffer } from 'node:buffer';

export type Io = {
  /** To stdout. */
  write(text: string): void;
  /** To stderr. */
  warn(text: string): void;
  readStdin(): Promise<Buffer>;
  /** Whether stdout may have colours. */
  hasColours: boolean;
  /** Whether a person looks at stdout. */
  isTerminal: boolean;
  /** Whether a person can be asked: stdin is a terminal too. */
  isInteractive: boolean;
  env: Readonly<Record<string, string | undefined>>;
  /** Aborts at Ctrl-C. */
  ended: AbortSignal;
  platform: string;
  /** Starts a program without a shell. */
  start(program: string, args: readonly string[]): void;
};
