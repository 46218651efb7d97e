// Hosts for a user who may not make network namespaces: all are this machine, and a proxy for each route can
// hold its bytes.

import { freePort } from '../stage/listen.ts';
import { type Network, startNetwork } from '../stage/network.ts';
import { asServerAccount, type Host, type Hosts } from './hosts.ts';

const address = '127.0.0.1';

export function createLoopbackHosts(): Hosts {
  const routes: Network[] = [];

  async function newHost(): Promise<Host> {
    const own: Network[] = [];
    return {
      address,
      freePort: () => freePort(address),
      command: (command, asServer) => [...(asServer ? asServerAccount : []), ...command],
      async route(url) {
        const network = await startNetwork(url);
        own.push(network);
        routes.push(network);
        return network.url;
      },
      async setLink(state) {
        for (const network of own) network.set(state === 'up' ? 'up' : 'held');
      },
    };
  }

  return {
    form: 'processes on the loopback, each with a proxy to the database that can hold its bytes',
    address,
    newHost,
    async close() {
      for (const network of routes) network.close();
    },
  };
}
