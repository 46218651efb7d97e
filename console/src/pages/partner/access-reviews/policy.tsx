// How often the owners of a partner review access.
import { type AccessReviewPolicy, setAccessReviewPolicy } from '@concord/client';
import { write } from '../../../api/write.ts';
import { formatCount } from '../../../format/numbers.ts';
import { ConfirmButton } from '../../../ui/dialog/confirm-button.tsx';
import { DialogButton } from '../../../ui/dialog/dialog-button.tsx';
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx';
import { TextField } from '../../../ui/form/field.tsx';
import { Row } from '../../../ui/layout/page.tsx';
import { Fact, Facts, Time } from '../../../ui/text/text.tsx';

type Props = { partner: string; policy: AccessReviewPolicy };

const days = (count: number) => formatCount(count, 'day', 'days');

export function PolicyFacts({ policy }: { policy: AccessReviewPolicy }) {
  const { interval_days, warning_days, next_review_at } = policy;
  return (
    <Facts>
      <Fact name="Reviews">{interval_days === null ? 'Off' : `Every ${days(interval_days)}`}</Fact>
      {interval_days !== null && (
        <>
          <Fact name="Warning">
            {days(warning_days)} after the opening, and {days(warning_days)} before the end
          </Fact>
          <Fact name="Next review">
            <Time at={next_review_at} />
          </Fact>
        </>
      )}
    </Facts>
  );
}

export function PolicyButtons({ partner, policy }: Props) {
  const isOn = policy.interval_days !== null;
  return (
    <Row>
      <DialogButton
        look={isOn ? 'secondary' : 'primary'}
        dialog={(onClose) => <SetPolicy {...{ partner, policy, onClose }} />}
      >
        {isOn ? 'Change' : 'Turn on reviews'}
      </DialogButton>
      {isOn && (
        <ConfirmButton
          button="Turn off"
          look="plain"
          title="Turn off reviews?"
          confirm="Turn off"
          onConfirm={() => save(partner, { interval_days: null }, 'Reviews are off.')}
        >
          <p>The open review closes, and no access ends. Documents of earlier reviews stay.</p>
        </ConfirmButton>
      )}
    </Row>
  );
}

type Body = { interval_days: number | null; warning_days?: number };
/** Without If-Match: the opening of a review changes the ETag. */
const save = (partner: string, body: Body, done: string) =>
  write((client) => setAccessReviewPolicy({ client, path: { id: partner }, body }), { done });

function SetPolicy({ partner, policy, onClose }: Props & { onClose: () => void }) {
  const { interval_days, warning_days } = policy;
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
      onSubmit={async (values) => {
        const body = {
          interval_days: Number(values.text('interval_days')),
          warning_days: Number(values.text('warning_days')),
        };
        await save(partner, body, 'Reviews are on.');
        onClose();
      }}
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
