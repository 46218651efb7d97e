// Answers a request, or ends it: what is asked, for how long, why, and what follows.
import {
  type AccessRequest,
  approveAccessRequest,
  denyAccessRequest,
  revokeAccessRequest,
  withdrawAccessRequest,
} from '@concord/client';
import { write } from '#api/write.ts';
import { usePartner } from '#app/address.ts';
import { formatDuration } from '#format/time.ts';
import { durations } from '#messages/access-requests.ts';
import { namePermissions } from '#messages/permissions.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog/dialog.tsx';
import { TextArea } from '#ui/form/field.tsx';
import { Form } from '#ui/form/form.tsx';
import { Fact, Facts } from '#ui/text/text.tsx';

const problems = {
  access_request_settled: 'Somebody was faster: this request was already answered or withdrawn.',
};

export const verbs = {
  approve: 'Approve',
  deny: 'Deny',
  withdraw: 'Withdraw',
  end: 'End the access',
};
export type Verb = keyof typeof verbs;
const operations = {
  approve: approveAccessRequest,
  withdraw: withdrawAccessRequest,
  end: revokeAccessRequest,
};

/** A usual duration has its own words: `1 day` and not `24 h`. */
export const durationOf = ({ duration_seconds: seconds }: AccessRequest): string =>
  durations.find(({ value }) => value === String(seconds))?.label ?? formatDuration(seconds);

type Props = { request: AccessRequest; verb: Verb; onClose: () => void };

export function AnswerDialog({ request, verb, onClose }: Props) {
  const partner = usePartner();
  const { title, about, submit, done } = wordsOf(request)[verb];
  const path = { id: partner, access_request_id: request.id };
  return (
    <Dialog title={title} description={about} onClose={onClose} staysOpen={verb === 'deny'}>
      <Facts>
        <Fact name="Person">
          {request.name} ({request.email})
        </Fact>
        <Fact name="Asks for">{namePermissions(request.permissions)}</Fact>
        <Fact name="For">{durationOf(request)}</Fact>
        <Fact name="Because" isLong>
          {request.reason}
        </Fact>
      </Facts>
      <Form
        submit={submit}
        look={verb === 'approve' ? 'primary' : 'danger'}
        explain={problems}
        beside={<Button onClick={onClose}>Cancel</Button>}
        onSubmit={async (values) => {
          const note = values.optional('note');
          if (verb === 'deny')
            await write(denyAccessRequest, { path, body: note === null ? {} : { note } }, { done });
          else await write(operations[verb], { path }, { done });
          onClose();
        }}
      >
        {verb === 'deny' && (
          <TextArea name="note" label="Why not" help="Optional." maxLength={500} rows={3} />
        )}
      </Form>
    </Dialog>
  );
}

const wordsOf = ({ name }: AccessRequest) => ({
  approve: {
    title: `Give ${name} this access?`,
    about: 'It works with the next request of that person, and ends by itself.',
    submit: verbs.approve,
    done: `${name} has the access now.`,
  },
  deny: {
    title: `Deny the request of ${name}?`,
    about: 'The person gets a mail with what you write here.',
    submit: 'Deny the request',
    done: `The request of ${name} is denied.`,
  },
  withdraw: {
    title: 'Withdraw your request?',
    about: 'Nobody can approve it any more. You can ask again.',
    submit: 'Withdraw the request',
    done: 'The request is withdrawn.',
  },
  end: {
    title: `End this access of ${name}?`,
    about: 'From the next request on, it gives nothing any more. What the agreement itself grants stays.',
    submit: verbs.end,
    done: 'The access has ended.',
  },
});
