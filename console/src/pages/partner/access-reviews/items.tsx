// The agreements of a review: select many to confirm, or decide about one.
import {
  type AccessReview,
  type AccessReviewItem,
  confirmReviewedAgreement,
  confirmReviewedAgreements,
  endReviewedAgreement,
  listAccessReviewItems,
} from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { useWrite, write } from '#api/write.ts';
import { useAccess } from '#app/session.ts';
import { formatCount, formatNumber } from '#format/numbers.ts';
import { namePermissions, resources } from '#messages/permissions.ts';
import type { State } from '#messages/state.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialog/dialog.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { Row } from '#ui/layout/page.tsx';
import { FilterSelect, Filters, FilterText, List, useListState } from '#ui/table/list.tsx';
import type { Column, RowAction } from '#ui/table/table.tsx';
import { EmailAddress, Faint, Lines, Status, Time } from '#ui/text/text.tsx';

const reviewProblems = {
  access_review_settled: 'Somebody was faster: this was already decided, or the review is closed.',
  last_owner: 'The last owner of a partner stays.',
};

const decisions: Readonly<Record<AccessReviewItem['decision'], State>> = {
  pending: { label: 'To decide', tone: 'info' },
  confirmed: { label: 'Confirmed', tone: 'good' },
  ended: { label: 'Ended', tone: 'neutral' },
  lapsed: { label: 'Ended: not confirmed', tone: 'warning' },
  kept: { label: 'Kept: the last owner', tone: 'warning' },
  gone: { label: 'Ended before', tone: 'neutral' },
  undecided: { label: 'Not decided', tone: 'neutral' },
};

function sayConfirmed(decided: readonly AccessReviewItem[]): string {
  const { length } = decided.filter(({ decision }) => decision === 'confirmed');
  return `${formatCount(length, 'agreement is', 'agreements are')} confirmed.`;
}
const isPending = ({ decision }: AccessReviewItem): boolean => decision === 'pending';
const nameOf = ({ name }: AccessReviewItem): string => name ?? 'Deleted account';

export function Items({ review }: { review: AccessReview }) {
  const { agreement, partner } = useAccess();
  const path = { id: partner, review_id: review.id };
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { isRunning, run } = useWrite();
  const state = useListState({ filters: ['decision', 'email'] });
  const query = useRead(listAccessReviewItems, { path, query: state.query }, { live: true });
  const isOpen = review.state === 'open';
  // What left the page is no longer selected.
  const chosen = (query.data?.data ?? []).filter((item) => selected.has(item.id) && isPending(item));

  async function confirmMany(): Promise<void> {
    const items = await run(
      confirmReviewedAgreements,
      { path, body: { agreement_ids: chosen.map(({ id }) => id) } },
      { done: sayConfirmed },
    );
    if (items !== undefined) setSelected(new Set());
  }
  function actionsOf(item: AccessReviewItem): RowAction[] {
    if (!isPending(item)) return [];
    const name = nameOf(item);
    const one = { path: { ...path, agreement_id: item.id } };
    return [
      {
        label: 'Confirm',
        onSelect: () => void run(confirmReviewedAgreement, one, { done: `${name} keeps the access.` }),
      },
      {
        label: 'End the access…',
        isDangerous: true,
        dialog: (onClose) => (
          <Confirm
            title={`End the access of ${name}?`}
            confirm="End the access"
            explain={reviewProblems}
            onClose={onClose}
            onConfirm={() => write(endReviewedAgreement, one, { done: `The access of ${name} has ended.` })}
          >
            It ends now. The agreement stays in the list of people as ended.
          </Confirm>
        ),
      },
    ];
  }
  return (
    <>
      <Filters>
        <FilterSelect state={state} name="decision" label="Decision" any="Any decision" options={decisions} />
        <FilterText state={state} name="email" label="E-mail address" placeholder="contains" />
      </Filters>
      {isOpen && (
        <Row>
          <Button look="primary" isBusy={isRunning || chosen.length === 0} onClick={() => void confirmMany()}>
            {chosen.length === 0 ? 'Confirm the selected' : `Confirm ${formatNumber(chosen.length)} selected`}
          </Button>
          {agreement?.owner && chosen.some(({ id }) => id === agreement.id) && (
            <Faint>If the partner has another owner, they decide about your own agreement.</Faint>
          )}
        </Row>
      )}
      <List
        label="Access review"
        query={query}
        state={state}
        keyOf={({ id }) => id}
        nameOf={nameOf}
        columns={columnsOf(partner)}
        empty={<Empty>This review has no agreements.</Empty>}
        {...(isOpen && {
          actions: actionsOf,
          selection: { selected, canSelect: isPending, onChange: setSelected },
        })}
      />
    </>
  );
}

const columnsOf = (partner: string): Column<AccessReviewItem>[] => [
  {
    name: 'Agreement',
    cell: (item) => (
      <Lines>
        {item.decision === 'gone' ? (
          nameOf(item)
        ) : (
          <Link to="/p/$partner/people/$agreement" params={{ partner, agreement: item.id }}>
            {nameOf(item)}
          </Link>
        )}
        <Faint>{item.service_account ? 'Service account' : <EmailAddress email={item.email} />}</Faint>
      </Lines>
    ),
  },
  { name: 'Access', cell: describe, isSecondary: true },
  {
    name: 'Decision',
    cell: ({ decision, decided_at, decided_by }) => (
      <Lines>
        <Status {...decisions[decision]} />
        {decided_at !== null && (
          <Faint>
            <Time at={decided_at} />
            {decided_by !== null && `, by ${decided_by}`}
          </Faint>
        )}
      </Lines>
    ),
  },
];

function describe({ owner, permissions, group_names }: AccessReviewItem): string {
  if (owner) return 'Owner';
  const everywhere = permissions.flatMap((name) =>
    name.startsWith('*.') ? resources.map((resource) => resource + name.slice(1)) : [name],
  );
  const direct = namePermissions(everywhere);
  return [...group_names, ...(direct === '' ? [] : [direct])].join('; ') || 'No permissions';
}
