// Access that members ask for: people who may give it answer, and the others see their own requests.
import { type AccessRequest, listAccessRequests } from '@concord/client';
import { useRead } from '#api/read.ts';
import { useAccess } from '#app/session.ts';
import { namePermissions } from '#messages/permissions.ts';
import type { State } from '#messages/state.ts';
import { Empty } from '#ui/feedback/empty.tsx';
import { Skeleton } from '#ui/feedback/feedback.tsx';
import { Page } from '#ui/layout/page.tsx';
import { FilterSelect, Filters, List, useListState } from '#ui/table/list.tsx';
import type { Column, RowAction } from '#ui/table/table.tsx';
import { Hint } from '#ui/text/hint.tsx';
import { Faint, Lines, NoWrap, Status, Time } from '#ui/text/text.tsx';
import { AnswerDialog, durationOf, type Verb, verbs } from './answer-dialog.tsx';

const requestStates: Readonly<Record<AccessRequest['state'], State>> = {
  pending: { label: 'Waiting', tone: 'info' },
  approved: { label: 'Approved', tone: 'good' },
  denied: { label: 'Denied', tone: 'bad' },
  withdrawn: { label: 'Withdrawn', tone: 'neutral' },
  lapsed: { label: 'Lapsed', tone: 'neutral' },
  ended: { label: 'Ended', tone: 'neutral' },
};

export function AccessRequestsPage() {
  const { can, agreement, isOperator, isLoading } = useAccess();
  const isMember = agreement !== null || isOperator;
  const seesAll = can('agreements', 'query');
  return (
    <Page
      title="Access requests"
      {...(isMember && {
        about: seesAll
          ? 'Temporary access that members ask for. You can approve what you may grant yourself.'
          : 'What you have asked for, and what came of it.',
      })}
    >
      {isLoading ? (
        <Skeleton lines={8} />
      ) : isMember ? (
        <Requests />
      ) : (
        <Empty>This partner does not exist, or you have no access to it.</Empty>
      )}
    </Page>
  );
}

function Requests() {
  const { can, agreement, partner } = useAccess();
  const state = useListState({ filters: ['state'], sort: { by: 'created_at', direction: 'desc' } });
  const query = useRead(listAccessRequests, { path: { id: partner }, query: state.query }, { live: true });

  /** Nobody answers their own. What the person may not grant, the server refuses with the reason. */
  function actionsOf(request: AccessRequest): RowAction[] {
    const isOwn = request.agreement_id === agreement?.id;
    const decides = can('agreements', 'patch');
    const action = (verb: Verb): RowAction => ({
      label: `${verbs[verb]}…`,
      isDangerous: verb !== 'approve',
      dialog: (onClose) => <AnswerDialog request={request} verb={verb} onClose={onClose} />,
    });
    if (request.state === 'pending')
      return isOwn ? [action('withdraw')] : decides ? [action('approve'), action('deny')] : [];
    return request.state === 'approved' && (isOwn || decides) ? [action('end')] : [];
  }

  return (
    <>
      <Filters>
        <FilterSelect state={state} name="state" label="State" any="Any state" options={requestStates} />
      </Filters>
      <List
        label="Access requests"
        query={query}
        state={state}
        keyOf={({ id }) => id}
        nameOf={({ name, permissions }) => `${name}: ${namePermissions(permissions)}`}
        actions={actionsOf}
        columns={columnsOf(can('agreements', 'query'))}
        empty={
          <Empty>
            {can('agreements', 'query')
              ? 'Nobody has asked for access.'
              : 'You have not asked for access. A page that is closed to you has a button to ask.'}
          </Empty>
        }
      />
    </>
  );
}

/** `seesAll`: otherwise they are the person's own. */
const columnsOf = (seesAll: boolean): Column<AccessRequest>[] => [
  {
    name: 'Asks for',
    cell: ({ permissions, name }) => (
      <Lines>
        {namePermissions(permissions)}
        {seesAll && <Faint>{name}</Faint>}
      </Lines>
    ),
  },
  { name: 'Because', cell: ({ reason }) => <Reason text={reason} />, isSecondary: true },
  { name: 'For', cell: (request) => <NoWrap>{durationOf(request)}</NoWrap>, isSecondary: true },
  {
    name: 'State',
    cell: (request) => (
      <Lines>
        <Status {...requestStates[request.state]} />
        <Outcome {...request} />
      </Lines>
    ),
  },
  { name: 'Asked', at: 'created_at', sortBy: 'created_at', isSecondary: true },
];

const shownLength = 140;
/** The whole of a long one is in its hint, and in the dialog that answers. */
function Reason({ text }: { text: string }) {
  if (text.length <= shownLength) return text;
  return <Hint text={text}>{`${text.slice(0, shownLength).trimEnd()}…`}</Hint>;
}

/** Until when, or by whom and why. */
function Outcome({ state, lapses_at, ends_at, decided_by, note }: AccessRequest) {
  if (state === 'pending')
    return (
      <Faint>
        lapses <Time at={lapses_at} />
      </Faint>
    );
  if (state === 'approved' || state === 'ended')
    return (
      <Faint>
        {state === 'approved' && 'ends '}
        <Time at={ends_at} />
        {decided_by !== null && `, by ${decided_by}`}
      </Faint>
    );
  const said = [decided_by !== null && `by ${decided_by}`, note].filter(Boolean).join(': ');
  return said === '' ? null : <Faint>{said}</Faint>;
}
