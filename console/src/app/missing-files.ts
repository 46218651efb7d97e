// Files of the console that the browser loads later, with a page. After an upgrade those of an open page are
// gone.

const missing = new WeakSet<Error>();
const reloadedAt = 'concord.reloaded-at';
const pauseMs = 60_000;

window.addEventListener('vite:preloadError', ({ payload }) => {
  missing.add(payload);
  // The router must not know it: it reloads at once, and without Concord the page would be lost.
  payload.message = 'A part of the console could not be loaded. Reload the page.';
});

export const isMissingFile = (error: unknown): boolean => missing.has(error as Error);

/** At most once a minute, since the file can be missing for good. */
export function reloadOnce(): void {
  if (Date.now() - Number(sessionStorage.getItem(reloadedAt)) < pauseMs) return;
  sessionStorage.setItem(reloadedAt, String(Date.now()));
  window.location.reload();
}
