// The signing secret of an endpoint, for libraries of Standard Webhooks. It is shown once.
import { deleteSigningSecret, rotateSigningSecret, type WebhookEndpoint } from '@concord/client';
import { useState } from 'react';
import { type ForClient, useWrite, write } from '#api/write.ts';
import { useAccess } from '#app/session.ts';
import { Button } from '#ui/button.tsx';
import { ConfirmButton, Dialog, DialogActions } from '#ui/dialog/dialog.tsx';
import { Row, Section } from '#ui/layout/page.tsx';
import { Code } from '#ui/text/code.tsx';
import { Soft, Time } from '#ui/text/text.tsx';

type Props = { endpoint: WebhookEndpoint };

export function SigningSecret({ endpoint }: Props) {
  const { can, partner } = useAccess();
  const [secret, setSecret] = useState<string | null>(null);
  const path = { id: partner, endpoint_id: endpoint.id };
  const { signing_secret: shown } = endpoint;
  const mayChange = can('webhook_endpoints', 'patch');
  const { run, isRunning } = useWrite();
  const make = async ({ client }: ForClient) => {
    const made = await rotateSigningSecret({ client, path });
    setSecret(made.secret);
  };
  if (!shown && !mayChange) return null;
  return (
    <Section
      title="Signing secret"
      about="Only for libraries of Standard Webhooks. Every request is signed with Concord's keys in any case, which needs no secret."
      action={
        mayChange && (
          <Row>
            {shown ? (
              <>
                <ConfirmButton
                  button="Delete the secret…"
                  title="Delete the signing secret?"
                  confirm="Delete the secret"
                  onConfirm={() => write(deleteSigningSecret, { path }, { done: 'The secret is deleted' })}
                >
                  A receiver that verifies with it refuses every request from now on.
                </ConfirmButton>
                <ConfirmButton
                  button="Make a new secret…"
                  title="Make a new signing secret?"
                  confirm="Make a new secret"
                  isDangerous={false}
                  onConfirm={() => write(make, {})}
                >
                  Requests are signed with both secrets for 24 hours. Change the receiver in that time.
                </ConfirmButton>
              </>
            ) : (
              <Button isBusy={isRunning} onClick={() => void run(make, {})}>
                Make a secret
              </Button>
            )}
          </Row>
        )
      }
    >
      {shown && (
        <p>
          Made <Time at={shown.created_at} />.
          {shown.previous_valid_until !== null && (
            <Soft>
              {' '}
              The one before is valid until <Time at={shown.previous_valid_until} />.
            </Soft>
          )}
        </p>
      )}
      {secret !== null && (
        <Dialog title="The signing secret" onClose={() => setSecret(null)} staysOpen>
          <p>Copy it now. It is not shown again.</p>
          <Code text={secret} label="Signing secret" />
          <DialogActions>
            <Button onClick={() => setSecret(null)}>Done</Button>
          </DialogActions>
        </Dialog>
      )}
    </Section>
  );
}
