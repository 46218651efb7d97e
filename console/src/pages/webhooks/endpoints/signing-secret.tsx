// The signing secret of an endpoint, for libraries of Standard Webhooks. One that Concord makes is shown once.
import { deleteSigningSecret, rotateSigningSecret, type WebhookEndpoint } from '@concord/client';
import { useState } from 'react';
import { type ForClient, write } from '#api/write.ts';
import { useAccess } from '#app/session.ts';
import { Button } from '#ui/button.tsx';
import { ConfirmButton, Dialog, DialogActions, DialogButton, FormDialog } from '#ui/dialog/dialog.tsx';
import { TextField } from '#ui/form/field.tsx';
import type { Values } from '#ui/form/form.tsx';
import { Row, Section } from '#ui/layout/page.tsx';
import { Code } from '#ui/text/code.tsx';
import { Soft, Time } from '#ui/text/text.tsx';

type Props = { endpoint: WebhookEndpoint };

const makeSecret = (): string =>
  `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;
const explain = {
  answer_lost: 'Concord did not answer, so the secret may already be set. Try again: it is set only once.',
};

export function SigningSecret({ endpoint }: Props) {
  const { can, partner } = useAccess();
  const [made, setMade] = useState<string | null>(null);
  // Made here, so that it stays the same when its answer is lost: a third one would end the receiver's (W65).
  const [next, setNext] = useState(makeSecret);
  const path = { id: partner, endpoint_id: endpoint.id };
  const { signing_secret: shown } = endpoint;
  const mayChange = can('webhook_endpoints', 'patch');
  const set = async (values: Values) => {
    const own = values.optional('secret');
    const rotate = async ({ client }: ForClient) => {
      const { secret } = await rotateSigningSecret({ client, path, body: { secret: own ?? next } });
      if (own !== null) return;
      setMade(secret);
      setNext(makeSecret());
    };
    await write(rotate, {}, own === null ? {} : { done: 'The secret is set' });
  };
  if (!shown && !mayChange) return null;
  return (
    <Section
      title="Signing secret"
      about="Only for libraries of Standard Webhooks. Every request is signed with Concord's keys in any case, which needs no secret."
      action={
        mayChange && (
          <Row>
            {shown && (
              <ConfirmButton
                button="Delete the secret…"
                title="Delete the signing secret?"
                confirm="Delete the secret"
                onConfirm={() => write(deleteSigningSecret, { path }, { done: 'The secret is deleted' })}
              >
                A receiver that verifies with it refuses every request from now on.
              </ConfirmButton>
            )}
            <DialogButton
              dialog={(onClose) => <SecretForm isNew={shown !== null} onSubmit={set} onClose={onClose} />}
            >
              {shown ? 'Set a new secret…' : 'Set a secret…'}
            </DialogButton>
          </Row>
        )
      }
    >
      {shown && (
        <p>
          Set <Time at={shown.created_at} />.
          {shown.previous_valid_until !== null && (
            <Soft>
              {' '}
              The one before is valid until <Time at={shown.previous_valid_until} />.
            </Soft>
          )}
        </p>
      )}
      {made !== null && (
        <Dialog title="The signing secret" onClose={() => setMade(null)} staysOpen>
          <p>Copy it now. It is not shown again.</p>
          <Code text={made} label="Signing secret" />
          <DialogActions>
            <Button onClick={() => setMade(null)}>Done</Button>
          </DialogActions>
        </Dialog>
      )}
    </Section>
  );
}

type FormProps = { isNew: boolean; onSubmit: (values: Values) => Promise<void>; onClose: () => void };

/** `isNew`: in place of another one. */
function SecretForm({ isNew, ...form }: FormProps) {
  return (
    <FormDialog
      {...form}
      title={isNew ? 'Set a new signing secret' : 'Set a signing secret'}
      description={
        isNew && 'Requests are signed with both secrets for 24 hours. Change the receiver in that time.'
      }
      submit="Set the secret"
      explain={explain}
    >
      <TextField
        name="secret"
        label="A secret that the receiver has already"
        type="password"
        autoComplete="new-password"
        maxLength={100}
        help="It begins with whsec_. Empty: Concord makes one."
      />
    </FormDialog>
  );
}
