// The secret in the fragment of a link from a mail or a terminal (B20). It leaves the address bar before anything
// else happens.

/** `#content` skips to the content of the page. */
const isLink = (hash: string): boolean => hash !== '' && hash !== '#content';

/** The fragment must not stay in the history, nor be copied with the address. */
function take(): string {
  const { hash, pathname, search } = window.location;
  if (isLink(hash)) window.history.replaceState(null, '', pathname + search);
  // A second link that is opened in the same tab changes only the fragment.
  window.addEventListener('hashchange', () => {
    if (isLink(window.location.hash)) window.location.reload();
  });
  return isLink(hash) ? hash.slice(1) : '';
}

/** All of it: an invitation has its token alone. Empty: the page was opened without a link. */
export const fragment = take();
/** One part of a fragment such as `token=...`. */
export const fragmentPart = (name: string): string => new URLSearchParams(fragment).get(name) ?? '';
