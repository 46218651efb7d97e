// The go-live check of an endpoint: its cases, which fill while it runs, and the waiver of operators.
import {
  checkWebhookEndpoint,
  type EndpointCheck,
  getWebhookEndpointCheck,
  type WebhookEndpoint,
  waiveWebhookEndpointCheck,
} from '@concord/client';
import { useRead } from '#api/read.ts';
import { useWrite, write } from '#api/write.ts';
import { usePartner } from '#app/address.ts';
import { useAccess } from '#app/session.ts';
import { formatMs } from '#format/numbers.ts';
import { checkCases, checkStatus } from '#messages/webhooks.ts';
import { Button } from '#ui/button.tsx';
import { DialogButton, FormDialog } from '#ui/dialog/dialog.tsx';
import { Loaded } from '#ui/feedback/feedback.tsx';
import { TextArea } from '#ui/form/field.tsx';
import { Row, Section, Stack } from '#ui/layout/page.tsx';
import { Faint, Soft, Status, Time } from '#ui/text/text.tsx';
import { useReadAgainAtEnd } from '../sending/jobs.ts';
import css from './endpoints.module.css';

const explain = {
  endpoint_in_use:
    'The receiver at this URL gets live events already, so it is not checked. Check a sandbox endpoint with the same code.',
};

type Props = { endpoint: WebhookEndpoint };

export function Check({ endpoint }: Props) {
  const { can, isOperator, partner } = useAccess();
  const { run, isRunning: isStarting } = useWrite();
  const path = { id: partner, endpoint_id: endpoint.id };
  const { status } = endpoint.check;
  const state = checkStatus[status];
  const mayWaive = isOperator && (status === 'none' || status === 'failed');
  return (
    <Section
      title="Go-live check"
      about="Concord sends the receiver correct and forged requests, and says what to change in its code. The correct ones carry an example."
      action={
        <Row>
          {mayWaive && (
            <DialogButton dialog={(onClose) => <WaiveCheck endpoint={endpoint} onClose={onClose} />}>
              Waive the check…
            </DialogButton>
          )}
          {can('webhook_endpoints', 'post') && (
            <Button
              isBusy={isStarting || status === 'running'}
              onClick={() => void run(checkWebhookEndpoint, { path }, { explain })}
            >
              Check the receiver
            </Button>
          )}
        </Row>
      }
    >
      <Stack>
        <Row>
          <Status {...state} />
          <Soft>
            {state.about}{' '}
            {endpoint.check.checked_at !== null && (
              <>
                Checked <Time at={endpoint.check.checked_at} />.
              </>
            )}
          </Soft>
        </Row>
        {status !== 'none' && <Cases endpoint={endpoint} />}
      </Stack>
    </Section>
  );
}

function Cases({ endpoint }: Props) {
  const partner = usePartner();
  const path = { id: partner, endpoint_id: endpoint.id };
  const query = useRead(getWebhookEndpointCheck, { path }, { live: true, until: (check) => !runs(check) });
  // The endpoint then has another state too.
  useReadAgainAtEnd(query.data !== undefined && runs(query.data.data));
  return (
    <Loaded query={query} lines={10}>
      {({ data }) => (
        <>
          {data.waived && (
            <p>
              Waived <Time at={data.waived.waived_at} />: {data.waived.reason}
            </p>
          )}
          {data.cases.length > 0 && <CaseList check={data} />}
        </>
      )}
    </Loaded>
  );
}

const runs = ({ status }: EndpointCheck): boolean => status === 'running';

function CaseList({ check }: { check: EndpointCheck }) {
  const next = check.cases.find(({ status }) => status === 'waiting');
  return (
    <ol aria-label="Cases of the check" className={css.cases}>
      {check.cases.map((each) => (
        <li key={each.name}>
          <Outcome each={each} isNext={runs(check) && each === next} />
          {each.problem !== null && (
            <p className={css.advice}>
              {each.problem} <Soft>{each.advice}</Soft>
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

type OutcomeProps = { each: EndpointCheck['cases'][number]; isNext: boolean };
function Outcome({ each: { name, status, status_code, duration_ms }, isNext }: OutcomeProps) {
  const title = checkCases[name];
  if (status === 'waiting')
    return (
      <Status tone={isNext ? 'info' : 'neutral'}>
        <Faint>
          {title}: {isNext ? 'sending' : 'not sent'}
        </Faint>
      </Status>
    );
  return (
    <Row>
      <Status tone={status === 'passed' ? 'good' : 'bad'}>
        {title}: {status}
      </Status>
      <Faint>
        {status_code ?? 'no answer'}
        {duration_ms !== null && `, ${formatMs(duration_ms)}`}
      </Faint>
    </Row>
  );
}

function WaiveCheck({ endpoint, onClose }: Props & { onClose: () => void }) {
  const partner = usePartner();
  const path = { id: partner, endpoint_id: endpoint.id };
  return (
    <FormDialog
      title={`Waive the check of ${endpoint.url}?`}
      onClose={onClose}
      submit="Waive the check"
      onSubmit={(values) => {
        const body = { reason: values.text('reason') };
        return write(waiveWebhookEndpointCheck, { path, body }, { done: 'The check is waived' });
      }}
    >
      <TextArea
        name="reason"
        label="Reason"
        required
        help="The audit log keeps it. The waiver ends when the URL of the endpoint changes."
      />
    </FormDialog>
  );
}
