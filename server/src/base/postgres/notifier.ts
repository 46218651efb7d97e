// Sends notifications outside of transactions: NOTIFY in one serialises commits.
import sql, { type Sql } from 'sql-template-tag';

export type Notifier = ReturnType<typeof createNotifier>;

/** Unsent notifications are dropped, since listeners poll. `onLost` hears of the first failure. */
export function createNotifier(
  run: (statement: Sql) => Promise<void>,
  onLost: (error: Error) => void = () => {},
) {
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
    /** Equal ones that wait together are sent once. */
    notify(channel: string, payload: string): void {
      waiting.set(`${channel} ${payload}`, { channel, payload });
      sending ??= send();
    },
    async settle(): Promise<void> {
      await sending;
    },
  };
}
