// The access reviews of a partner, and how often they open.
import {
  type AccessReview,
  type AccessReviewPolicy,
  getAccessReviewPolicy,
  listAccessReviews,
  setAccessReviewPolicy,
} from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Answer, readNow, useRead } from '#api/read.ts';
import { saveVersion } from '#api/save-version.ts';
import { write } from '#api/write.ts';
import { usePartner } from '#app/address.ts';
import { formatCount } from '#format/numbers.ts';
import { ConfirmButton, DialogButton, FormDialog } from '#ui/dialog/dialog.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { Loaded } from '#ui/feedback/feedback.tsx';
import { TextField } from '#ui/form/field.tsx';
import { Page, Row } from '#ui/layout/page.tsx';
import { List, useListState } from '#ui/table/list.tsx';
import type { Column } from '#ui/table/table.tsx';
import { Fact, Facts, Status, Time } from '#ui/text/text.tsx';
import { progressOf, reviewStates } from './messages.ts';

export function AccessReviewsPage() {
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
        search={state === 'open' ? { decision: 'pending' } : {}}
      >
        <Time at={opened_at} />
      </Link>
    ),
  },
  { name: 'State', cell: ({ state }) => <Status {...reviewStates[state]} /> },
  { name: 'Decided', cell: progressOf },
  { name: 'Ends', cell: ({ closed_at, due_at }) => <Time at={closed_at ?? due_at} />, isSecondary: true },
];

type Props = { answer: Answer<AccessReviewPolicy> };

const days = (count: number) => formatCount(count, 'day', 'days');

function PolicyFacts({ policy }: { policy: AccessReviewPolicy }) {
  const { interval_days, warning_days, next_review_at } = policy;
  return (
    <Facts>
      <Fact name="Reviews">{interval_days === null ? 'Off' : `Every ${days(interval_days)}`}</Fact>
      {interval_days !== null && (
        <>
          <Fact name="Warning">
            {days(warning_days)} after the opening, and {days(warning_days)} before the end
          </Fact>
          <Fact name="Next review" at={next_review_at} />
        </>
      )}
    </Facts>
  );
}

function PolicyButtons({ answer }: Props) {
  const partner = usePartner();
  const isOn = answer.data.interval_days !== null;
  return (
    <Row>
      <DialogButton
        look={isOn ? 'secondary' : 'primary'}
        dialog={(onClose) => <SetPolicy answer={answer} onClose={onClose} />}
      >
        {isOn ? 'Change' : 'Turn on reviews'}
      </DialogButton>
      {isOn && (
        <ConfirmButton
          button="Turn off"
          look="plain"
          title="Turn off reviews?"
          confirm="Turn off"
          onConfirm={() => {
            const request = { path: { id: partner }, body: { interval_days: null } };
            return write(setAccessReviewPolicy, { ...request }, { done: 'Reviews are off.' });
          }}
        >
          The open review closes, and no access ends. Documents of earlier reviews stay.
        </ConfirmButton>
      )}
    </Row>
  );
}

type Fields = Pick<AccessReviewPolicy, 'interval_days' | 'warning_days'>;
const fieldNames: Readonly<Record<keyof Fields, string>> = {
  interval_days: 'A review opens every',
  warning_days: 'Days until the warning',
};
const show = (value: unknown): string => (value === null ? 'Off' : days(Number(value)));

function SetPolicy({ answer, onClose }: Props & { onClose: () => void }) {
  const partner = usePartner();
  // The page reads it again meanwhile, and the form keeps what it was opened with.
  const [opened] = useState(answer);
  const { interval_days, warning_days } = opened.data;
  const path = { id: partner };

  const save = (mine: Fields) =>
    saveVersion<Fields>({
      thing: 'how often access is reviewed',
      opened,
      mine,
      load: () => readNow(getAccessReviewPolicy, { path }),
      save: (changes, headers, present) => {
        const body = { interval_days: present.interval_days, warning_days: present.warning_days, ...changes };
        return write(setAccessReviewPolicy, { path, body, headers });
      },
      names: fieldNames,
      show,
      done: 'The review policy is saved.',
    });

  return (
    <FormDialog
      title="How often is access reviewed?"
      description={
        interval_days === null
          ? 'A review opens at once. Owners get a mail when it opens, and a warning before what nobody confirmed ends.'
          : 'This counts from the next review on.'
      }
      onClose={onClose}
      submit="Save"
      onSubmit={(values) =>
        save({
          interval_days: Number(values.text('interval_days')),
          warning_days: Number(values.text('warning_days')),
        })
      }
    >
      <TextField
        name="interval_days"
        label="A review opens every"
        type="number"
        min={7}
        max={366}
        required
        autoFocus
        defaultValue={interval_days ?? 90}
        help="In days, from 7 to 366."
      />
      <TextField
        name="warning_days"
        label="Days until the warning, and from the warning to the end"
        type="number"
        min={1}
        max={60}
        required
        defaultValue={warning_days}
        help="At most half of the interval."
      />
    </FormDialog>
  );
}
