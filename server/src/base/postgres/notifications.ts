// Listens to a channel on a connection of its own. Notifications can be lost, so listeners also poll.
import { Client, type ClientConfig } from 'pg';
import { endClient, keepAlive } from './session.ts';

const reconnectMs = 1_000;

/**
 * Without a payload after each connect, since notifications may have been missed. `channel` is not escaped.
 */
export type Listen = (channel: string, onNotify: (payload?: string) => void) => Notifications;

type Notifications = {
  start(): Promise<void>;
  stop(): Promise<void>;
};

export const createListen =
  (connection: ClientConfig): Listen =>
  (channel, onNotify) => {
    let client: Client | undefined;
    let retry: NodeJS.Timeout | undefined;
    let stopped = false;

    async function connect(): Promise<void> {
      const next = new Client({
        application_name: 'concord listener',
        ...connection,
        connectionTimeoutMillis: 5_000,
        query_timeout: 5_000,
        ...keepAlive,
      });
      client = next;
      const lost = () => {
        if (client !== next || stopped) return;
        client = undefined;
        next.end().catch(() => {});
        retry = setTimeout(connect, reconnectMs).unref();
      };
      next.on('error', lost);
      next.on('end', lost);
      next.on('notification', ({ payload = '' }) => onNotify(payload));
      try {
        await next.connect();
        await next.query(`listen ${channel}`);
        onNotify();
      } catch {
        lost();
      }
    }

    return {
      start: connect,
      async stop() {
        stopped = true;
        clearTimeout(retry);
        if (client) await endClient(client).catch(() => {});
      },
    };
  };
