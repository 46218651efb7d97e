// The cache of what was read. The client itself tries again, so queries do not.
import { QueryClient } from '@tanstack/react-query';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 2_000, refetchOnReconnect: true, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
});
