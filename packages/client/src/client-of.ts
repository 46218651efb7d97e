// The client of an operation, or what to do without one.
import type { Client } from './generated/client/types.gen.ts';

/** @throws TypeError when there is none: TypeScript says so before, and JavaScript only here */
export function clientOf(options: { client?: Client } | undefined): Client {
  if (options?.client) return options.client;
  throw new TypeError('Pass a client to each operation: createClient({ baseUrl }) makes one');
}
