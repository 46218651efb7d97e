// One access review: its agreements, what is decided, and its document.
import { type AccessReview, getAccessReview, getAccessReviewDocument } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { download } from '#api/download.ts';
import { useRead } from '#api/read.ts';
import { useWrite } from '#api/write.ts';
import { usePath } from '#app/address.ts';
import { formatExactTime } from '#format/time.ts';
import { Button } from '#ui/button.tsx';
import { Banner, Loaded } from '#ui/feedback/feedback.tsx';
import { Page } from '#ui/layout/page.tsx';
import { Fact, Facts, Status } from '#ui/text/text.tsx';
import { Items } from './items.tsx';
import { progressOf, reviewStates } from './messages.ts';

export function AccessReviewPage() {
  const { partner, review } = usePath();
  const path = { id: partner, review_id: review };
  const query = useRead(getAccessReview, { path }, { live: true });
  const data = query.data?.data;
  return (
    <Page
      title="Access review"
      above={
        <Link to="/p/$partner/access-reviews" params={{ partner }}>
          Access reviews
        </Link>
      }
      beside={data && <Status {...reviewStates[data.state]} />}
      action={data && <Download path={path} review={data} />}
    >
      <Loaded query={query} lines={8}>
        {({ data: found }) => (
          <>
            <Facts>
              <Fact name="Decided">{progressOf(found)}</Fact>
              <Fact name="Opened" at={found.opened_at} />
              <Fact
                name={found.closed_at === null ? 'Ends' : 'Closed'}
                at={found.closed_at ?? found.due_at}
              />
            </Facts>
            {found.closed_at === null && found.warned_at !== null && found.agreements.pending > 0 && (
              <Banner tone="warning" title="The owners were warned">
                What nobody confirms ends on {formatExactTime(found.due_at)}.
              </Banner>
            )}
            <Items review={found} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

type Path = { id: string; review_id: string };
function Download({ path, review: { opened_at } }: { path: Path; review: AccessReview }) {
  const { isRunning, run } = useWrite();
  return (
    <Button
      isBusy={isRunning}
      onClick={async () => {
        const csv = await run(getAccessReviewDocument, { path }, { keepsCache: true });
        if (csv !== undefined) download(`access-review-${opened_at.slice(0, 10)}.csv`, csv, 'text/csv');
      }}
    >
      Download the document
    </Button>
  );
}
