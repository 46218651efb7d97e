// For 403 sso_required: leads to the identity provider of the partner, and comes back to this page.
import { ConcordError, proveSignIn } from '@concord/client';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { keepReturn } from '../../api/return-path.ts';
import { toast } from '../../api/toasts.ts';
import { Button } from '../button/button.tsx';

export function ProveSignIn() {
  const [isBusy, setBusy] = useState(false);
  const partner = /\/p\/(ptr_[0-9a-z]+)/.exec(window.location.pathname)?.[1];
  if (partner === undefined) return null;
  const leave = async () => {
    setBusy(true);
    try {
      const { url } = await proveSignIn({ client, body: { partner_id: partner } });
      keepReturn(window.location.pathname.replace(/^\/console/, '') + window.location.search);
      window.location.assign(url);
    } catch (error) {
      setBusy(false);
      if (!(error instanceof ConcordError)) throw error;
      toast({ tone: 'bad', text: error.message, requestId: error.requestId });
    }
  };
  return (
    <Button isBusy={isBusy} onClick={() => void leave()}>
      Sign in with the identity provider
    </Button>
  );
}
