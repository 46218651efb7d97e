// What became of each address, after several people were invited at once.
import type { Agreement } from '@concord/client';
import { MailPlace } from '#app/mail-place.tsx';
import { formatCount } from '#format/numbers.ts';
import { formatExactTime } from '#format/time.ts';
import { Button } from '#ui/button.tsx';
import { Dialog, DialogActions } from '#ui/dialog/dialog.tsx';
import { Table } from '#ui/table/table.tsx';
import { CopyButton } from '#ui/text/copy-button.tsx';
import { Faint, Status } from '#ui/text/text.tsx';
import { plainLinkOf } from './agreement.ts';

export type Result = {
  readonly email: string;
  /** Null: not invited. */
  readonly agreement: Agreement | null;
  /** What failed: the invitation, or its groups and terms. */
  readonly problem: string | null;
};

const daysToAccept = 7;
export const acceptUntil = ({ created_at }: Agreement): string =>
  formatExactTime(new Date(Date.parse(created_at) + daysToAccept * 86_400_000));

type Props = {
  results: readonly Result[];
  onAgain: (emails: readonly string[]) => void;
  onClose: () => void;
};

export function InviteResults({ results, onAgain, onClose }: Props) {
  const failed = results.filter(({ agreement }) => agreement === null).map(({ email }) => email);
  const invited = results.flatMap(({ agreement }) => agreement ?? []);
  return (
    <Dialog
      title={`${formatCount(invited.length, 'person is', 'people are')} invited`}
      {...(invited[0] && { description: `They can accept until ${acceptUntil(invited[0])}.` })}
      onClose={onClose}
      isWide
      staysOpen
    >
      <Table
        label="Invitations"
        rows={results}
        keyOf={({ email }) => email}
        columns={[
          {
            name: 'Address',
            cell: ({ email, problem }) => (
              <>
                {email}
                {problem !== null && (
                  <>
                    <br />
                    <Faint>{problem}</Faint>
                  </>
                )}
              </>
            ),
          },
          {
            name: 'Result',
            cell: ({ agreement, problem }) => (
              <Status tone={agreement === null ? 'bad' : problem === null ? 'good' : 'warning'}>
                {agreement === null
                  ? 'Not invited'
                  : problem === null
                    ? 'Invited'
                    : 'Invited, without groups and terms'}
              </Status>
            ),
          },
          {
            name: 'Link',
            cell: ({ agreement }) =>
              agreement && <CopyButton text={plainLinkOf(agreement)} label="Copy the link" />,
          },
        ]}
      />
      <p>
        A copied link does not confirm the address: the person must sign in with the invited address to
        answer.
      </p>
      {invited.length > 0 && <MailPlace />}
      <DialogActions>
        {failed.length > 0 && <Button onClick={() => onAgain(failed)}>Correct the other addresses</Button>}
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
