// Short messages about what just happened. Only the last one is shown.
import { createStore } from './store.ts';

export type Tone = 'good' | 'warning' | 'bad' | 'info';

export type ToastMessage = { readonly tone: Tone; readonly text: string; readonly requestId?: string | null };

const shown = createStore<(ToastMessage & { readonly number: number }) | null>(null);
let number = 0;

export const { useValue: useToast } = shown;
export function toast(message: ToastMessage): void {
  number += 1;
  shown.set({ ...message, number });
}
export const dismissToast = (): void => shown.set(null);
