// The cache of what was read. The client itself tries again, so queries do not.
import { QueryClient } from '@tanstack/react-query';

export const queryClient = new QueryClient({
  defaultOptions: {
    // A browser without a network still reaches a Concord on the same machine.
    queries: { networkMode: 'always', retry: false, staleTime: 2_000, refetchOnReconnect: true },
  },
});
