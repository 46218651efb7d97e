// Accept and decline.
import { acceptInvitation, ConcordError, declineInvitation, type Invitation, type Me } from '@concord/client';
import { useState } from 'react';
import { stepUpQuestion } from '#api/questions.ts';
import { write } from '#api/write.ts';
import { Button } from '#ui/button/button.tsx';
import { ConfirmButton } from '#ui/dialog/confirm-button.tsx';
import { Row } from '#ui/layout/page.tsx';
import { enterConsole } from '../enter-console.ts';

type Props = {
  invitation: Invitation;
  token: string;
  me: Me;
  canAccept: boolean;
  onDeclined: () => void;
  onFailure: (error: ConcordError | null) => void;
};

export function Buttons({ invitation, token, me, canAccept, onDeclined, onFailure }: Props) {
  const [isBusy, setBusy] = useState(false);
  const request = { path: { agreement_id: invitation.id }, headers: { 'invitation-token': token } };

  async function accept() {
    setBusy(true);
    onFailure(null);
    try {
      // The agreement wants the second factor in this session, not only in the account.
      if (
        invitation.mfa_required &&
        me.two_factor_enabled &&
        !me.credential.second_factor_proven &&
        !(await stepUpQuestion.ask())
      )
        return;
      await write(acceptInvitation, { ...request }, { keepsCache: true });
      await enterConsole(`/p/${invitation.partner.id}`);
    } catch (error) {
      if (!(error instanceof ConcordError)) throw error;
      onFailure(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Row>
      {canAccept && (
        <Button look="primary" isBusy={isBusy} onClick={() => void accept()}>
          Accept the invitation
        </Button>
      )}
      <ConfirmButton
        button="Decline"
        look={canAccept ? 'secondary' : 'plain'}
        title={`Decline the invitation to ${invitation.partner.name}?`}
        confirm="Decline the invitation"
        onConfirm={async () => {
          await write(declineInvitation, { ...request }, { keepsCache: true });
          onDeclined();
        }}
      >
        The invitation is deleted. To join later you need a new one.
      </ConfirmButton>
    </Row>
  );
}
