// Where the person goes after the return from a provider: a path below the console. It is no secret. And the code of
// a link, while the person signs in to the account.
import { attempt } from './attempt.ts';

const returnKey = 'concord.return';
const linkKey = 'concord.link';

export const keepReturn = (path: string): void => sessionStorage.setItem(returnKey, path);
/** This tab has left for a provider. */
export const hasLeft = (): boolean => sessionStorage.getItem(returnKey) !== null;

export function takeReturn(): string | undefined {
  const path = sessionStorage.getItem(returnKey) ?? undefined;
  sessionStorage.removeItem(returnKey);
  return path;
}

export const keepLink = (code: string): void => sessionStorage.setItem(linkKey, code);
export const readLink = (): string => sessionStorage.getItem(linkKey) ?? '';

/** For the next person in this tab. */
export const forgetVisit = (): unknown =>
  attempt(() => {
    for (const key of [returnKey, linkKey]) sessionStorage.removeItem(key);
  });
