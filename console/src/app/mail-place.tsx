// Where a mail went, on every screen that has one sent. Without an SMTP server it is a file on the machine of
// Concord.
import type { ReactNode } from 'react';
import { Banner } from '#ui/feedback/feedback.tsx';
import { useSettings } from './settings.ts';

export function MailPlace() {
  const settings = useSettings();
  if (settings?.mail.kind !== 'files') return null;
  return (
    <Banner tone="info" title="Concord has no mail server">
      <p>
        The mail is the newest file in <code>{settings.mail.folder ?? 'outbox, in the data directory'}</code>{' '}
        on the machine that runs Concord. Set <code>CONCORD_SMTP_URL</code> to have mails delivered.
      </p>
    </Banner>
  );
}

export function MailSent({ children }: { children: ReactNode }) {
  return (
    <>
      <Banner tone="good">{children}</Banner>
      <MailPlace />
    </>
  );
}
