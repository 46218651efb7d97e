// Where the person goes after the return from a provider: a path below the console. It is no secret.
const returnKey = 'concord.return';

export const keepReturn = (path: string): void => window.sessionStorage.setItem(returnKey, path);

export function takeReturn(): string | undefined {
  const path = window.sessionStorage.getItem(returnKey) ?? undefined;
  window.sessionStorage.removeItem(returnKey);
  return path;
}
