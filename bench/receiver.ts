// The receiver of webhooks, a process of its own.
import { ask, type Context } from './context.ts';

export type Receiver = {
  pid: number;
  /** Answers 204 to every request; under `/slow` after 20 ms, under `/hang` never. */
  readonly url: string;
  /**
   * When the first and the last of the next `count` requests arrived, as of `now()`. Requests count from the
   * last call on.
   */
  arrived(count: number): Promise<{ first: number; last: number }>;
};

export async function startReceiver(context: Context): Promise<Receiver> {
  const child = context.fork(new URL('./processes/receiver.ts', import.meta.url));
  const { port } = await ask<{ port: number }>(child);
  return { pid: child.pid ?? 0, url: `http://127.0.0.1:${port}`, arrived: (count) => ask(child, count) };
}
