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
    const ask = (kind: Kind) => (onClose: () => void) => (
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
                dialog: ask('revoke'),
              },
            ]
          : []),
      ];
    }
    const canRule = rules && serviceAccountOf(agreement) === null;
    return [
      ...(canRule && agreement.owner ? [{ label: 'End the ownership', dialog: ask('end_ownership') }] : []),
      ...(canRule && !agreement.owner ? [{ label: 'Make an owner', dialog: ask('make_owner') }] : []),
      ...(isOwn ? [{ label: 'Leave this partner', isDangerous: true, dialog: ask('leave') }] : []),
      ...(!isOwn && can('agreements', 'delete')
        ? [{ label: 'Remove', isDangerous: true, disabledBecause: reserved, dialog: ask('remove') }]
        : []),
    ];
  };
}

type Kind = 'revoke' | 'leave' | 'remove' | 'make_owner' | 'end_ownership';

const questions = (name: string) =>
  ({
    revoke: {
      title: `Revoke the invitation of ${name}?`,
      confirm: 'Revoke the invitation',
      about: `The link in the mail stops working. You can invite ${name} again at any time.`,
      done: `The invitation of ${name} is revoked.`,
    },
    leave: {
      title: 'Leave this partner?',
      confirm: 'Leave',
      about:
        'You lose all access to this partner at once. Only somebody at the partner can invite you again.',
      done: 'You have left.',
    },
    remove: {
      title: `Remove ${name}?`,
      confirm: `Remove ${name}`,
      about: `${name} loses all access to this partner with the next request, also through access tokens. To come back, ${name} needs a new invitation. What they did stays in the audit log.`,
      done: `${name} is removed.`,
    },
    make_owner: {
      title: `Make ${name} an owner?`,
      confirm: `Make ${name} an owner`,
      about:
        'Owners may do everything here: remove other owners, create access tokens of service accounts, delete the partner.',
      done: `${name} is an owner.`,
    },
    end_ownership: {
      title: `End the ownership of ${name}?`,
      confirm: 'End the ownership',
      about: `${name} keeps only what the groups and own permissions of the agreement grant.`,
      done: `${name} is no longer an owner.`,
    },
  }) satisfies Record<Kind, object>;

type Question = Pick<Events, 'onGone'> & { kind: Kind; agreement: Agreement; onClose: () => void };

function Ask({ kind, agreement, onClose, onGone }: Question) {
  const { isOperator, partner } = useAccess();
  const navigate = useNavigate();
  const [isForced, setForced] = useState(false);
  const { title, confirm, about, done } = questions(nameOf(agreement))[kind];
  const path = { id: partner, agreement_id: agreement.id };
  const query = isForced ? { orphan: true } : {};
  const setOwner = (owner: boolean) =>
    write(updatePartnerAgreement, { path, query, body: { owner } }, { done });
  const end = (leave: Events['onGone']) => write(deletePartnerAgreement, { path, query }, { leave, done });
  const changes = {
    revoke: () => end(onGone),
    leave: () => end(() => navigate({ to: '/' })),
    remove: () => end(onGone),
    make_owner: () => setOwner(true),
    end_ownership: () => setOwner(false),
  };
  return (
    <Confirm
      title={title}
      confirm={confirm}
      isDangerous={kind !== 'make_owner'}
      explain={agreementProblems}
      onClose={onClose}
      onConfirm={changes[kind]}
    >
      <p>{about}</p>
      {isOperator && agreement.owner && (
        <CheckField
          name="orphan"
          label="Even if no owner is left"
          help="Only an operator can do this. Nobody of the partner can then make an owner."
          checked={isForced}
          onChange={(event) => setForced(event.target.checked)}
        />
      )}
    </Confirm>
  );
}
