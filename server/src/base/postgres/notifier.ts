// Sends notifications outside of transactions: NOTIFY inside one serialises its commit with every other
// notifying commit.
import sql, { type Sql } from 'sql-template-tag';

export type Notifier = {
  /** Sends soon. Equal notifications that wait for the same statement are sent once. */
  notify(channel: string, payload: string): void;
  /** Resolves when nothing is waiting or being sent. */
  settle(): Promise<void>;
};

/**
 * `run` runs one statement. A notification that cannot be sent is dropped, since listeners also poll.
 * `onLost` hears of the first failure after a success.
 */
export function createNotifier(
  run: (statement: Sql) => Promise<void>,
  onLost: (error: Error) => void = () => {},
): Notifier {
  let waiting = new Map<string, { channel: string; payload: string }>();
  let sending: Promise<void> | undefined;
  let failing = false;

  async function send(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting.values()];
      waiting = new Map();
      const failed = await run(sql`
        select pg_notify(channel, payload)
        from unnest(${batch.map(({ channel }) => channel)}::text[], ${batch.map(({ payload }) => payload)}::text[])
          as waiting (channel, payload)`).then(
        () => false,
        (error: Error) => {
          if (!failing) onLost(error);
          return true;
        },
      );
      failing = failed;
    }
    sending = undefined;
  }

  return {
    notify(channel, payload) {
      waiting.set(`${channel} ${payload}`, { channel, payload });
      sending ??= send();
    },
    async settle() {
      await sending;
    },
  };
}
