// The access reviews of a partner, and how often they open.
import { type AccessReview, getAccessReviewPolicy, listAccessReviews } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { usePartner } from '#app/address.ts';
import { Empty } from '#ui/feedback/empty.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { Page } from '#ui/layout/page.tsx';
import { List } from '#ui/table/list.tsx';
import { useListState } from '#ui/table/list-state.ts';
import type { Column } from '#ui/table/table.tsx';
import { Status, Time } from '#ui/text/text.tsx';
import { OwnersOnly } from '../owners-only.tsx';
import { progressOf, reviewStates } from './messages.ts';
import { PolicyButtons, PolicyFacts } from './policy.tsx';

export function AccessReviewsPage() {
  return (
    <OwnersOnly title="Access reviews">
      <Reviews />
    </OwnersOnly>
  );
}

function Reviews() {
  const partner = usePartner();
  const path = { id: partner };
  const policy = useRead(getAccessReviewPolicy, { path }, { live: true });
  const next = policy.data?.data.next_review_at;
  const isOpening = typeof next === 'string' && Date.parse(next) <= Date.now();
  const state = useListState({ sort: { by: 'id', direction: 'desc' } });
  const reviews = useRead(
    listAccessReviews,
    { path, query: state.query },
    { live: true, until: () => !isOpening },
  );
  return (
    <Page
      title="Access reviews"
      about="Owners confirm each agreement from time to time. What nobody confirms ends after a warning."
      action={policy.data !== undefined && <PolicyButtons answer={policy.data} />}
    >
      <Loaded query={policy} lines={2}>
        {({ data }) => <PolicyFacts policy={data} />}
      </Loaded>
      <List
        label="Access reviews"
        query={reviews}
        state={state}
        keyOf={({ id }) => id}
        columns={columnsOf(partner)}
        empty={
          <Empty>
            No review has been opened. Turn on reviews, and owners are asked who still needs access.
          </Empty>
        }
      />
    </Page>
  );
}

const columnsOf = (partner: string): Column<AccessReview>[] => [
  {
    name: 'Opened',
    cell: ({ id, state, opened_at }) => (
      <Link
        to="/p/$partner/access-reviews/$review"
        params={{ partner, review: id }}
        search={(state === 'open' ? { decision: 'pending' } : {}) as never}
      >
        <Time at={opened_at} />
      </Link>
    ),
  },
  { name: 'State', cell: ({ state }) => <Status {...reviewStates[state]} /> },
  { name: 'Decided', cell: progressOf },
  { name: 'Ends', cell: ({ closed_at, due_at }) => <Time at={closed_at ?? due_at} />, isSecondary: true },
];
