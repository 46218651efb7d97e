// Hosts for the tests of several machines: network namespaces where this user may make them, and otherwise
// processes on the loopback.
import { runAs } from '../../src/base/postgres/embedded/binaries.ts';
import { createLoopbackHosts } from './loopback.ts';
import { createNamespaces, namespacesWork } from './namespaces.ts';

export type Host = {
  /** Where other hosts reach it. */
  readonly address: string;
  /** A port of this host for a server. */
  freePort(): Promise<number>;
  /** The command that runs another one on this host, as the account of PostgreSQL if `asServer`. */
  command(command: readonly string[], asServer?: boolean): string[];
  /** Where programs of this host find the server of this URL. */
  route(url: string): Promise<string>;
  /** Cuts the host off without a word to its peers, or connects it again. */
  setLink(state: 'up' | 'down'): Promise<void>;
};

export type Hosts = {
  readonly form: string;
  /** The address of the test itself, which every host reaches. */
  readonly address: string;
  newHost(): Promise<Host>;
  close(): Promise<void>;
};

/** PostgreSQL refuses to run as root. */
export const asServerAccount: readonly string[] =
  runAs === null
    ? []
    : ['setpriv', '--reuid', String(runAs.uid), '--regid', String(runAs.gid), '--clear-groups'];

export const createHosts = async (): Promise<Hosts> =>
  (await namespacesWork()) ? createNamespaces() : createLoopbackHosts();
