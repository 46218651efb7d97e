// A value that changes outside of React. Components read it with `useValue`.
import { useSyncExternalStore } from 'react';

export function createStore<Value>(first: Value) {
  let value = first;
  const listeners = new Set<() => void>();
  const read = (): Value => value;
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    read,
    subscribe,
    set(next: Value): void {
      value = next;
      for (const listener of listeners) listener();
    },
    useValue: () => useSyncExternalStore(subscribe, read),
  };
}
