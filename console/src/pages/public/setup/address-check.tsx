// The address of Concord. Cookies, links in mails and signatures depend on it, so a page at another address
// is no use.
import { useSettings } from '#app/settings.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Faint } from '#ui/text/text.tsx';

/** `isFirst`: the step at which the address is worth a word when all is well. */
export function AddressCheck({ isFirst }: { isFirst: boolean }) {
  const settings = useSettings();
  if (settings === null) return null;
  const { allowed, reason } = settings.cookie_sign_in;
  if (!allowed) {
    return (
      <Banner tone="bad" title="Nobody can sign in at this address">
        <p>{reason}</p>
      </Banner>
    );
  }
  if (new URL(settings.base_url).origin === window.location.origin) {
    if (!isFirst) return null;
    return (
      <p>
        <Faint>
          The address of Concord is <code>{settings.base_url}</code>. Set <code>CONCORD_BASE_URL</code> before
          others use it from elsewhere.
        </Faint>
      </p>
    );
  }
  return (
    <Banner tone="warning" title="This is not the address of Concord">
      <p>
        Concord is set up for <code>{settings.base_url}</code>, and this page is at{' '}
        <code>{window.location.origin}</code>. Open the printed link at that address, or set{' '}
        <code>CONCORD_BASE_URL</code> to this one and start Concord again.
      </p>
    </Banner>
  );
}
