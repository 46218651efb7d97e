// Bounds the memory of large answers that clients have not taken yet (behaviour L5).
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Answer = { readonly caller: string; readonly bytes: number; readonly socket: Socket };

export type UntakenAnswers = {
  /** Counts an answer until its client has all of it. */
  add(response: ServerResponse, caller: string, bytes: number): void;
};

/** Above `maxBytes`, the caller who holds the most loses the connection of their oldest answer. */
export function createUntakenAnswers(maxBytes: number): UntakenAnswers {
  /** The oldest first. */
  const answers = new Set<Answer>();
  let held = 0;

  function remove(answer: Answer): void {
    if (answers.delete(answer)) held -= answer.bytes;
  }

  function closeOne(): void {
    const bytesOf = new Map<string, number>();
    for (const { caller, bytes } of answers) bytesOf.set(caller, (bytesOf.get(caller) ?? 0) + bytes);
    const [most] = [...bytesOf].reduce((a, b) => (b[1] > a[1] ? b : a));
    const oldest = [...answers].find(({ caller }) => caller === most);
    oldest?.socket.destroy();
    // Answers that wait behind another have no event of their own.
    for (const answer of answers) if (answer.socket === oldest?.socket) remove(answer);
  }

  return {
    add(response, caller, bytes) {
      const { socket } = response.req;
      if (socket.destroyed) return;
      const answer = { caller, bytes, socket };
      const leave = () => {
        remove(answer);
        socket.removeListener('close', leave);
      };
      // A connection can have a hundred answers (connections.ts).
      socket.setMaxListeners(0);
      socket.once('close', leave);
      response.once('close', leave);
      answers.add(answer);
      held += bytes;
      while (held > maxBytes) closeOne();
    },
  };
}
