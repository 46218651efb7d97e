// What the pages of links have in common: without a token they say what to do, and when they are done they
// say what follows.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Banner } from '#ui/feedback/feedback.tsx';
import { Page } from '#ui/layout/page.tsx';

/** The page was opened without a link of a mail. */
export function NoToken({ title, about, children }: { title: string; about?: string; children?: ReactNode }) {
  return (
    <Page title={title}>
      <p>
        {about ??
          'This page works with the link from a mail. Open the link again. If that does not help, ask for a new mail.'}
      </p>
      {children}
      <ToConcord />
    </Page>
  );
}

export function Done({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Page title={title}>
      <Banner tone="good">{children}</Banner>
      <ToConcord />
    </Page>
  );
}

const ToConcord = () => (
  <p>
    <Link to="/">Go to Concord</Link>
  </p>
);
