// The signing secret of an endpoint, for libraries of Standard Webhooks. It is shown once.
import { deleteSigningSecret, rotateSigningSecret, type WebhookEndpoint } from '@concord/client';
import { useState } from 'react';
import { write } from '../../../api/write.ts';
import { useAccess } from '../../../app/session.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Confirm } from '../../../ui/dialog/confirm.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog/dialog.tsx';
import { Row, Section } from '../../../ui/layout/page.tsx';
import { Code } from '../../../ui/text/code.tsx';
import { Soft, Time } from '../../../ui/text/text.tsx';

type Props = { partner: string; endpoint: WebhookEndpoint };

export function SigningSecret({ partner, endpoint }: Props) {
  const { can } = useAccess(partner);
  const [open, setOpen] = useState<'rotate' | 'delete' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const path = { id: partner, endpoint_id: endpoint.id };
  const { signing_secret: shown } = endpoint;
  const close = () => setOpen(null);
  const make = async () => {
    const made = await write((client) => rotateSigningSecret({ client, path }));
    setSecret(made.secret);
  };
  return (
    <Section
      title="Signing secret"
      about="Only for libraries of Standard Webhooks. Every request is signed with Concord’s keys in any case, which needs no secret."
      action={
        can('webhook_endpoints', 'patch') && (
          <Row>
            {shown && <Button onClick={() => setOpen('delete')}>Delete the secret…</Button>}
            <Button onClick={shown ? () => setOpen('rotate') : () => void make()}>
              {shown ? 'Make a new secret…' : 'Make a secret'}
            </Button>
          </Row>
        )
      }
    >
      {shown ? (
        <p>
          Made <Time at={shown.created_at} />.
          {shown.previous_valid_until !== null && (
            <Soft>
              {' '}
              The one before is valid until <Time at={shown.previous_valid_until} />.
            </Soft>
          )}
        </p>
      ) : (
        <p>None.</p>
      )}
      {open === 'rotate' && (
        <Confirm
          title="Make a new signing secret?"
          confirm="Make a new secret"
          isDangerous={false}
          onConfirm={make}
          onClose={close}
        >
          <p>Requests are signed with both secrets for 24 hours. Change the receiver in that time.</p>
        </Confirm>
      )}
      {open === 'delete' && (
        <Confirm
          title="Delete the signing secret?"
          confirm="Delete the secret"
          onConfirm={() =>
            write((client) => deleteSigningSecret({ client, path }), { done: 'The secret is deleted' })
          }
          onClose={close}
        >
          <p>A receiver that verifies with it refuses every request from now on.</p>
        </Confirm>
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
