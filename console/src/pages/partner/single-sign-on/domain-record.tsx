// The DNS record that proves a domain, to copy, and a button that looks for it.
import type { VerifiedDomain } from '@concord/client';
import { useState } from 'react';
import { formatExactTime } from '#format/time.ts';
import { Button } from '#ui/button/button.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { Row } from '#ui/layout/page.tsx';
import { Code } from '#ui/text/code.tsx';
import { Soft, Time } from '#ui/text/text.tsx';
import { checks } from './messages.ts';
import css from './single-sign-on.module.css';

const dayMs = 86_400_000;
/** How long a domain whose record is missing stays verified (K7). */
const graceDays = 7;

type Props = { domain: VerifiedDomain; onCheck?: () => Promise<unknown> };

export function DomainRecord({ domain, onCheck }: Props) {
  const { domain: name, status, record, last_check, checked_at, lost_at } = domain;
  const [isChecking, setChecking] = useState(false);
  return (
    <div className={css.record}>
      {lost_at !== null && (
        <Banner tone="warning" title={`The record of ${name} is missing`}>
          <p>
            People who have access keep it, and nobody new joins. Restore the record before{' '}
            {formatExactTime(new Date(Date.parse(lost_at) + graceDays * dayMs))}. Afterwards the domain is not
            verified any more.
          </p>
        </Banner>
      )}
      <p>
        {status === 'verified' ? 'This TXT record proves ' : 'Publish this TXT record to prove '}
        <b>{name}</b>. It must stay.
      </p>
      <Code label={`Name, for ${name}`} text={record.name} />
      <Code label={`Value, for ${name}`} text={record.value} />
      {onCheck && (
        <Row>
          <Button
            isBusy={isChecking}
            onClick={async () => {
              setChecking(true);
              await onCheck();
              setChecking(false);
            }}
          >
            Check now
          </Button>
          {(last_check === 'missing' || last_check === 'failed') && (
            <Soft>
              <Time at={checked_at} />: {checks[last_check]}
            </Soft>
          )}
        </Row>
      )}
    </div>
  );
}
