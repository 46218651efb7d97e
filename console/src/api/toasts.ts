// Short messages about what just happened. Only the last one is shown.
/** How it went. */
export type Tone = 'good' | 'warning' | 'bad' | 'info';

export type ToastMessage = { readonly tone: Tone; readonly text: string; readonly requestId?: string | null };

let shown: (ToastMessage & { readonly number: number }) | null = null;
let number = 0;
const listeners = new Set<() => void>();

function set(next: typeof shown): void {
  shown = next;
  for (const listener of listeners) listener();
}
export function toast(message: ToastMessage): void {
  number += 1;
  set({ ...message, number });
}
export const dismissToast = (): void => set(null);
export const readToast = () => shown;
export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
