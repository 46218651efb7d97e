// Whether something that the page reads is closed to this session, which lacks the proof of the identity provider.
import { useSyncExternalStore } from 'react';
import { queryClient } from '#api/query-client.ts';
import { isCode } from '#api/read.ts';

const cache = queryClient.getQueryCache();
const subscribe = (listener: () => void) => cache.subscribe(listener);

export const useRefusal = (partner: string | undefined): boolean =>
  useSyncExternalStore(subscribe, () =>
    cache.findAll({ type: 'active' }).some(({ queryKey: [, options], state: { error } }) => {
      const { path } = (options ?? {}) as { path?: { id?: string } };
      return isCode(error, 'sso_required') && path?.id === partner;
    }),
  );
