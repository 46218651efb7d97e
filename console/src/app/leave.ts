// Leaves for a provider. Its page comes back to the console.

import type { Options } from '#api/read.ts';
import { keepReturn } from '#api/return-path.ts';
import { useWrite } from '#api/write.ts';

type Begin = (options: never) => Promise<{ url: string }>;

export function useLeave(): {
  isLeaving: boolean;
  leave<B extends Begin>(begin: B, options: Options<B>, returnTo?: string): Promise<void>;
} {
  const { isRunning, run } = useWrite();
  return {
    isLeaving: isRunning,
    leave: async (begin, options, returnTo) => {
      const answer = await run<Begin>(begin, options as never, { keepsCache: true });
      if (answer === undefined) return;
      // Also without one: that of an earlier visit must not count. `/` is the first page.
      keepReturn(returnTo ?? '/');
      window.location.assign(answer.url);
    },
  };
}
