// The agreements of a review: select many to confirm, or decide about one.
import {
  type AccessReview,
  type AccessReviewItem,
  confirmReviewedAgreement,
  confirmReviewedAgreements,
  endReviewedAgreement,
  listAccessReviewItems,
} from '@concord/client';
import { useState } from 'react';
import { useRead } from '../../../api/read.ts';
import { useWrite, write } from '../../../api/write.ts';
import { useAccess } from '../../../app/session.ts';
import { namePermissions, resources } from '../../../messages/permissions.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Confirm } from '../../../ui/dialog/confirm.tsx';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { Row } from '../../../ui/layout/page.tsx';
import type { Action } from '../../../ui/menu/row-menu.tsx';
import { FilterSelect, Filters, FilterText, List } from '../../../ui/table/list.tsx';
import { useListState } from '../../../ui/table/list-state.ts';
import type { Column } from '../../../ui/table/table.tsx';
import { Faint, Status, Time } from '../../../ui/text/text.tsx';
import css from '../people/people.module.css';
import { decisions, reviewProblems, words } from './messages.ts';

const nameOf = ({ name }: AccessReviewItem): string => name ?? words.erased;

export function Items({ partner, review }: { partner: string; review: AccessReview }) {
  const path = { id: partner, review_id: review.id };
  const { agreement } = useAccess(partner);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [ending, setEnding] = useState<AccessReviewItem | null>(null);
  const { isRunning, run } = useWrite();
  const state = useListState({ filters: ['decision', 'email'] });
  const query = useRead(listAccessReviewItems, { path, query: state.query }, { live: true });
  const isOpen = review.state === 'open';
  // What left the page is no longer selected.
  const chosen = (query.data?.data ?? []).filter(
    ({ id, decision }) => selected.has(id) && decision === 'pending',
  );

  const confirm = (item: AccessReviewItem) =>
    run((client) => confirmReviewedAgreement({ client, path: { ...path, agreement_id: item.id } }), {
      done: words.confirmed(nameOf(item)),
    });
  async function confirmMany(): Promise<void> {
    const agreement_ids = chosen.map(({ id }) => id);
    const items = await run((client) => confirmReviewedAgreements({ client, path, body: { agreement_ids } }));
    if (items) setSelected(new Set());
  }
  const actionsOf = (item: AccessReviewItem): Action[] =>
    isOpen && item.decision === 'pending'
      ? [
          { label: words.confirm, onSelect: () => void confirm(item) },
          { label: `${words.end}…`, isDangerous: true, onSelect: () => setEnding(item) },
        ]
      : [];
  return (
    <>
      <Filters>
        <FilterSelect
          state={state}
          name="decision"
          label={words.decision}
          any={words.anyDecision}
          options={Object.entries(decisions).map(([value, { name }]) => ({ value, label: name }))}
        />
        <FilterText state={state} name="email" label={words.email} placeholder={words.contains} />
      </Filters>
      {isOpen && (
        <Row>
          <Button
            look="primary"
            disabled={chosen.length === 0}
            isBusy={isRunning}
            onClick={() => void confirmMany()}
          >
            {words.confirmSelected(chosen.length)}
          </Button>
          {agreement?.owner && chosen.some(({ id }) => id === agreement.id) && <Faint>{words.yours}</Faint>}
        </Row>
      )}
      <List
        label={words.one}
        query={query}
        state={state}
        keyOf={({ id }) => id}
        nameOf={nameOf}
        columns={columns}
        empty={<Empty>{words.noneListed}</Empty>}
        {...(isOpen && { actions: actionsOf, selection: { selected, onChange: setSelected } })}
      />
      {ending && (
        <Confirm
          title={words.endTitle(nameOf(ending))}
          confirm={words.end}
          explain={reviewProblems}
          onClose={() => setEnding(null)}
          onConfirm={() =>
            write((client) => endReviewedAgreement({ client, path: { ...path, agreement_id: ending.id } }), {
              done: words.ended(nameOf(ending)),
            })
          }
        >
          <p>{words.endAbout}</p>
        </Confirm>
      )}
    </>
  );
}

const columns: Column<AccessReviewItem>[] = [
  {
    name: words.person,
    cell: (item) => (
      <span className={css.person}>
        {nameOf(item)}
        <Faint>{item.service_account ? words.program : item.email}</Faint>
      </span>
    ),
  },
  { name: words.access, cell: describe, isSecondary: true },
  {
    name: words.decision,
    cell: ({ decision, decided_at, decided_by }) => (
      <span className={css.person}>
        <Status tone={decisions[decision].tone}>{decisions[decision].name}</Status>
        {decided_at !== null && (
          <Faint>
            <Time at={decided_at} />
            {decided_by !== null && words.by(decided_by)}
          </Faint>
        )}
      </span>
    ),
  },
];

function describe({ owner, permissions, group_names }: AccessReviewItem): string {
  if (owner) return words.owner;
  const everywhere = permissions.flatMap((name) =>
    name.startsWith('*.') ? resources.map((resource) => resource + name.slice(1)) : [name],
  );
  const direct = namePermissions(everywhere);
  return [...group_names, ...(direct === '' ? [] : [direct])].join('; ') || words.nothing;
}
