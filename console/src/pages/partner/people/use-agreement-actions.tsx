// What can be done with an agreement, in menus and on its page, with the questions before it.
import {
  type Agreement,
  deletePartnerAgreement,
  resendInvitation,
  updatePartnerAgreement,
} from '@concord/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { toast } from '#api/toasts.ts';
import { useWrite, write } from '#api/write.ts';
import { useAccess } from '#app/session.ts';
import { Confirm } from '#ui/dialog/dialog.tsx';
import { CheckField } from '#ui/form/field.tsx';
import type { RowAction } from '#ui/table/table.tsx';
import { agreementProblems } from '../messages.ts';
import { nameOf, plainLinkOf, serviceAccountOf, stateOf } from './agreement.ts';

type Events = {
  onMailed: () => void;
  onGone?: (() => Promise<unknown>) | undefined;
};

export function useAgreementActions({ onMailed, onGone }: Events): (agreement: Agreement) => RowAction[] {
  const { can, rules, agreement: own, partner } = useAccess();
  const { run } = useWrite();

  return (agreement) => {
    const ask = (kind: Question['kind']) => (onClose: () => void) => (
      <Ask kind={kind} agreement={agreement} onClose={onClose} onGone={onGone} />
    );
    const isOwn = agreement.id === own?.id;
    const reserved = agreement.owner && !rules && !isOwn ? 'Only owners can do this to an owner.' : undefined;
    const path = { id: partner, agreement_id: agreement.id };
    if (stateOf(agreement) === 'pending') {
      return [
        ...(can('agreements', 'post')
          ? [
              {
                label: 'Copy the link',
                onSelect: () =>
                  void navigator.clipboard.writeText(plainLinkOf(agreement)).then(() =>
                    toast({
                      tone: 'good',
                      text: `The link is copied. It does not confirm the address: ${agreement.user.email} signs in there with this address, and answers.`,
                    }),
                  ),
              },
              {
                label: 'Send the invitation again',
                disabledBecause: reserved,
                onSelect: () =>
                  void run(
                    resendInvitation,
                    { path },
                    {
                      done: `Sent again to ${agreement.user.email}. The earlier link no longer works.`,
                    },
                  ).then((sent) => sent && onMailed()),
              },
            ]
          : []),
        ...(can('agreements', 'delete')
          ? [
              {
                label: 'Revoke the invitation',
                isDangerous: true,
                disabledBecause: reserved,
                dialog: ask('remove'),
              },
            ]
          : []),
      ];
    }
    const canRule = rules && serviceAccountOf(agreement) === null;
    return [
      ...(canRule && agreement.owner ? [{ label: 'End the ownership', dialog: ask('member') }] : []),
      ...(canRule && !agreement.owner ? [{ label: 'Make an owner', dialog: ask('owner') }] : []),
      ...(isOwn ? [{ label: 'Leave this partner', isDangerous: true, dialog: ask('remove') }] : []),
      ...(!isOwn && can('agreements', 'delete')
        ? [{ label: 'Remove', isDangerous: true, disabledBecause: reserved, dialog: ask('remove') }]
        : []),
    ];
  };
}

type Question = Pick<Events, 'onGone'> & {
  kind: 'remove' | 'owner' | 'member';
  agreement: Agreement;
  onClose: () => void;
};

function Ask({ kind, agreement, onClose, onGone }: Question) {
  const { isOperator, agreement: own, partner } = useAccess();
  const navigate = useNavigate();
  const [isForced, setForced] = useState(false);
  const name = nameOf(agreement);
  const isOwn = agreement.id === own?.id;
  const path = { id: partner, agreement_id: agreement.id };
  const query = isForced ? { orphan: true } : {};
  const force = isOperator && agreement.owner && (
    <CheckField
      name="orphan"
      label="Even if no owner is left"
      help="Only an operator can do this. Nobody of the partner can then make an owner."
      checked={isForced}
      onChange={(event) => setForced(event.target.checked)}
    />
  );

  if (kind === 'remove') {
    const isInvitation = stateOf(agreement) === 'pending';
    const title = isInvitation
      ? `Revoke the invitation of ${name}?`
      : isOwn
        ? 'Leave this partner?'
        : `Remove ${name}?`;
    return (
      <Confirm
        title={title}
        confirm={isInvitation ? 'Revoke the invitation' : isOwn ? 'Leave' : `Remove ${name}`}
        explain={agreementProblems}
        onClose={onClose}
        onConfirm={() =>
          write(
            deletePartnerAgreement,
            { path, query },
            {
              leave: isOwn ? () => navigate({ to: '/' }) : onGone,
              done: isInvitation
                ? `The invitation of ${name} is revoked.`
                : isOwn
                  ? 'You have left.'
                  : `${name} is removed.`,
            },
          )
        }
      >
        {isInvitation ? (
          <p>The link in the mail stops working. You can invite {name} again at any time.</p>
        ) : isOwn ? (
          <p>
            You lose all access to this partner at once. Only somebody at the partner can invite you again.
          </p>
        ) : (
          <p>
            {name} loses all access to this partner with the next request, also through access tokens. To come
            back, {name} needs a new invitation. What they did stays in the audit log.
          </p>
        )}
        {force}
      </Confirm>
    );
  }
  const makesOwner = kind === 'owner';
  return (
    <Confirm
      title={makesOwner ? `Make ${name} an owner?` : `End the ownership of ${name}?`}
      confirm={makesOwner ? `Make ${name} an owner` : 'End the ownership'}
      isDangerous={!makesOwner}
      explain={agreementProblems}
      onClose={onClose}
      onConfirm={() =>
        write(
          updatePartnerAgreement,
          { path, query, body: { owner: makesOwner } },
          { done: makesOwner ? `${name} is an owner.` : `${name} is no longer an owner.` },
        )
      }
    >
      {makesOwner ? (
        <p>
          Owners may do everything here: remove other owners, create access tokens of service accounts, delete
          the partner.
        </p>
      ) : (
        <p>{name} keeps only what the groups and own permissions of the agreement grant.</p>
      )}
      {force}
    </Confirm>
  );
}
