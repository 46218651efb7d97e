// Leaves for a provider. Its page comes back to the console.
import { keepReturn } from '#api/return-path.ts';
import { useWrite, type WriteClient } from '#api/write.ts';

type Begin = (client: WriteClient) => Promise<{ url: string }>;

export function useLeave(): {
  isLeaving: boolean;
  leave: (begin: Begin, returnTo?: string) => Promise<void>;
} {
  const { isRunning, run } = useWrite();
  return {
    isLeaving: isRunning,
    leave: async (begin, returnTo) => {
      const answer = await run(begin, { keepsCache: true });
      if (answer === undefined) return;
      // Also without one: that of an earlier visit must not count. `/` is the first page.
      keepReturn(returnTo ?? '/');
      window.location.assign(answer.url);
    },
  };
}
