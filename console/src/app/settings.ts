// What the service says about itself to anyone, before a sign-in.
import { type ConsoleSettings, getConsoleSettings } from '@concord/client';
import { useRead } from '#api/read.ts';

/** Null: not read yet. */
export const useSettings = (): ConsoleSettings | null => useRead(getConsoleSettings, {}).data?.data ?? null;
