// A link of a mail: delete the own account. Only the button does it.
import { confirmDeletion } from '@concord/client';
import { useState } from 'react';
import { write } from '#api/write.ts';
import { fragmentPart } from '#app/link-fragment.ts';
import { Banner } from '#ui/feedback/feedback.tsx';
import { Form } from '#ui/form/form.tsx';
import { Page } from '#ui/layout/page.tsx';
import { deadLink } from '../messages.ts';
import { NoToken } from './link-page.tsx';

export function DeletePage() {
  const [isDone, setDone] = useState(false);
  const token = fragmentPart('token');
  if (token === '') return <NoToken title="Delete your account" />;
  if (isDone) {
    return (
      <Page title="Your account is deleted">
        <Banner tone="good">Your name and your addresses are erased. You can close this page.</Banner>
      </Page>
    );
  }
  return (
    <Page
      title="Delete your account"
      about="This deletes your user with all its agreements, sessions and access tokens."
    >
      <p>
        It cannot be undone. The audit log keeps what your user did, under an id, without your name and
        addresses.
      </p>
      <p>
        If you did not ask for this, close this page and set a new password: somebody else may have access to
        your account.
      </p>
      <Form
        submit="Delete my account"
        look="danger"
        explain={{ invalid_token: deadLink }}
        onSubmit={async () => {
          await write(confirmDeletion, { body: { token } }, { keepsCache: true });
          setDone(true);
        }}
      />
    </Page>
  );
}
