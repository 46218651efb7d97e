// Answers a request, or ends it: what is asked, for how long, why, and what follows.
import {
  type AccessRequest,
  approveAccessRequest,
  denyAccessRequest,
  revokeAccessRequest,
  withdrawAccessRequest,
} from '@concord/client';
import { write } from '../../../api/write.ts';
import { formatDuration } from '../../../format/time.ts';
import { answering, durationName, requestProblems } from '../../../messages/access-requests.ts';
import { namePermissions } from '../../../messages/permissions.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { TextArea } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Fact, Facts } from '../../../ui/text/text.tsx';

export type Verb = 'approve' | 'deny' | 'withdraw' | 'end';

export const durationOf = ({ duration_seconds: seconds }: AccessRequest): string =>
  durationName(seconds) ?? formatDuration(seconds);

type Props = { partner: string; request: AccessRequest; verb: Verb; onClose: () => void };

export function AnswerDialog({ partner, request, verb, onClose }: Props) {
  const { title, about, submit, done } = wordsOf(request)[verb];
  const path = { id: partner, access_request_id: request.id };
  return (
    <Dialog title={title} description={about} onClose={onClose} staysOpen={verb === 'deny'}>
      <Facts>
        <Fact name={answering.person}>
          {request.name} ({request.email})
        </Fact>
        <Fact name={answering.asks}>{namePermissions(request.permissions)}</Fact>
        <Fact name={answering.for}>{durationOf(request)}</Fact>
        <Fact name={answering.because} isLong>
          {request.reason}
        </Fact>
      </Facts>
      <Form
        submit={submit}
        look={verb === 'approve' ? 'primary' : 'danger'}
        explain={requestProblems}
        beside={<Button onClick={onClose}>{answering.cancel}</Button>}
        onSubmit={async (values) => {
          await write(
            (client) => {
              if (verb === 'approve') return approveAccessRequest({ client, path });
              if (verb === 'withdraw') return withdrawAccessRequest({ client, path });
              if (verb === 'end') return revokeAccessRequest({ client, path });
              const note = values.optional('note');
              return denyAccessRequest({ client, path, body: note === null ? {} : { note } });
            },
            { done },
          );
          onClose();
        }}
      >
        {verb === 'deny' && (
          <TextArea name="note" label={answering.note} help={answering.noteHelp} maxLength={500} rows={3} />
        )}
      </Form>
    </Dialog>
  );
}

const wordsOf = ({ name }: AccessRequest) => ({
  approve: {
    title: answering.approveTitle(name),
    about: answering.approveAbout,
    submit: answering.approve,
    done: answering.approved(name),
  },
  deny: {
    title: answering.denyTitle(name),
    about: answering.denyAbout,
    submit: answering.denySubmit,
    done: answering.denied(name),
  },
  withdraw: {
    title: answering.withdrawTitle,
    about: answering.withdrawAbout,
    submit: answering.withdrawSubmit,
    done: answering.withdrawn,
  },
  end: {
    title: answering.endTitle(name),
    about: answering.endAbout,
    submit: answering.end,
    done: answering.ended,
  },
});
