// What waits for a decision of this person: access requests, and the open access review.
import { type AccessReview, listAccessRequests, listAccessReviews } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { usePartner } from '#app/address.ts';
import { useAccess } from '#app/session.ts';
import { formatCount } from '#format/numbers.ts';
import { Banner } from '#ui/feedback/feedback.tsx';
import { Time } from '#ui/text/text.tsx';
import { progressOf } from '../access-reviews/messages.ts';
import { isFirst } from './troubled-endpoints.tsx';

type Waiting = { requests: string | null; review: AccessReview | undefined };
/** Members can make thousands. */
const most = 100;

export function useDecisions(): Waiting & { isWaiting: boolean } {
  const { agreement, can, partner, rules } = useAccess();
  const path = { id: partner };
  const decides = can('agreements', 'query') && can('agreements', 'patch');
  const pending = { page_size: most, 'filter[state]': 'pending' as const };
  const requests = useRead(listAccessRequests, { path, query: pending }, { live: true, enabled: decides });
  const last = { page_size: 1, sort_dir: 'desc' as const };
  const reviews = useRead(listAccessReviews, { path, query: last }, { live: true, enabled: rules });
  // Nobody answers their own.
  const count = requests.data?.data.filter(({ agreement_id }) => agreement_id !== agreement?.id).length ?? 0;
  const isAll = requests.data?.next === null;
  return {
    isWaiting: (decides && isFirst(requests)) || (rules && isFirst(reviews)),
    requests:
      count === 0
        ? null
        : isAll
          ? formatCount(count, 'access request', 'access requests')
          : `${count} or more access requests`,
    review: reviews.data?.data.find(({ state }) => state === 'open'),
  };
}

export function Decisions({ requests, review }: Waiting) {
  const partner = usePartner();
  if (requests === null && review === undefined) return null;
  return (
    <Banner tone="info" title="Decisions wait for you">
      {requests !== null && (
        <p>
          <Link to="/p/$partner/access-requests" params={{ partner }} search={{ state: 'pending' }}>
            {requests}
          </Link>
        </p>
      )}
      {review && (
        <p>
          <Link
            to="/p/$partner/access-reviews/$review"
            params={{ partner, review: review.id }}
            search={{ decision: 'pending' }}
          >
            An access review
          </Link>
          : {progressOf(review)} decided, ends <Time at={review.due_at} />
        </p>
      )}
    </Banner>
  );
}
