// How often the owners of a partner review access.
import { type AccessReviewPolicy, setAccessReviewPolicy } from '@concord/client';
import { useState } from 'react';
import { write } from '../../../api/write.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Confirm } from '../../../ui/dialog/confirm.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { TextField } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Row } from '../../../ui/layout/page.tsx';
import { Fact, Facts, Time } from '../../../ui/text/text.tsx';
import { policyWords } from './messages.ts';

type Props = { partner: string; policy: AccessReviewPolicy };

export function PolicyFacts({ policy }: { policy: AccessReviewPolicy }) {
  return (
    <Facts>
      <Fact name={policyWords.interval}>{policyWords.every(policy)}</Fact>
      {policy.interval_days !== null && (
        <>
          <Fact name={policyWords.warning}>{policyWords.warns(policy)}</Fact>
          <Fact name={policyWords.next}>
            <Time at={policy.next_review_at} />
          </Fact>
        </>
      )}
    </Facts>
  );
}

export function PolicyButtons({ partner, policy }: Props) {
  const [open, setOpen] = useState<'set' | 'off' | null>(null);
  const close = () => setOpen(null);
  const isOn = policy.interval_days !== null;
  return (
    <Row>
      <Button look={isOn ? 'secondary' : 'primary'} onClick={() => setOpen('set')}>
        {isOn ? policyWords.change : policyWords.turnOn}
      </Button>
      {isOn && (
        <Button look="plain" onClick={() => setOpen('off')}>
          {policyWords.turnOff}
        </Button>
      )}
      {open === 'set' && <SetPolicy partner={partner} policy={policy} onClose={close} />}
      {open === 'off' && (
        <Confirm
          title={policyWords.offTitle}
          confirm={policyWords.turnOff}
          onClose={close}
          onConfirm={() => save(partner, { interval_days: null }, policyWords.offDone)}
        >
          <p>{policyWords.offAbout}</p>
        </Confirm>
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
    <Dialog
      title={policyWords.title}
      description={interval_days === null ? policyWords.about : policyWords.changeAbout}
      onClose={onClose}
      staysOpen
    >
      <Form
        submit={policyWords.save}
        onSubmit={async (values) => {
          const body = {
            interval_days: Number(values.text('interval_days')),
            warning_days: Number(values.text('warning_days')),
          };
          await save(partner, body, policyWords.saved);
          onClose();
        }}
      >
        <TextField
          name="interval_days"
          label={policyWords.intervalLabel}
          type="number"
          min={7}
          max={366}
          required
          autoFocus
          defaultValue={interval_days ?? 90}
          help={policyWords.intervalHelp}
        />
        <TextField
          name="warning_days"
          label={policyWords.warningLabel}
          type="number"
          min={1}
          max={60}
          required
          defaultValue={warning_days}
          help={policyWords.warningHelp}
        />
      </Form>
    </Dialog>
  );
}
