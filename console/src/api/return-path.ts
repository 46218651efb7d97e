// Where the person goes after the return from a provider: a path below the console. It is no secret. And the code of
// a link, while the person signs in to the account.
import { attempt } from './attempt.ts';

const returnKey = 'concord.return';
const linkKey = 'concord.link';

export const keepReturn = (path: string): void => window.sessionStorage.setItem(returnKey, path);
/** This tab has left for a provider. */
export const hasLeft = (): boolean => window.sessionStorage.getItem(returnKey) !== null;

export function takeReturn(): string | undefined {
  const path = window.sessionStorage.getItem(returnKey) ?? undefined;
  window.sessionStorage.removeItem(returnKey);
  return path;
}

export const keepLink = (code: string): void => window.sessionStorage.setItem(linkKey, code);
export const readLink = (): string => window.sessionStorage.getItem(linkKey) ?? '';

/** For the next person in this tab. */
export const forgetVisit = (): unknown =>
  attempt(() => {
    for (const key of [returnKey, linkKey]) window.sessionStorage.removeItem(key);
  });
