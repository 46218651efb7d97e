// Ends requests that nobody answers, and deletes old ones.
import { systemActor } from '../../audit/index.ts';
import type { ErasePerson } from '../../base/feature.ts';
import type { ScheduledTask } from '../../base/postgres/scheduled-tasks.ts';
import { type AccessRequests, record } from './access-requests.ts';
import * as store from './store.ts';

/** The transaction of one run stays short. */
const maxInRun = 500;
const name = 'lapse access requests';

/** A request has lapsed when its time has passed: this marks it, and tells the person. */
export const lapseRequests = ({ tellAsker }: AccessRequests): ScheduledTask => ({
  name,
  intervalMs: 10 * 60_000,
  async run(tx) {
    const lapsed = await store.lapse(tx, maxInRun);
    for (const row of lapsed) {
      await record(tx, systemActor(name), 'lapse', { ...row, state: 'pending', settled_at: null }, row);
      await tellAsker(tx, row, 'lapsed');
    }
    const hasMoreOld = await store.deleteOld(tx);
    return hasMoreOld || lapsed.length === maxInRun;
  },
});

/** The requests of the person go with their agreements. */
export const eraseDecisions: ErasePerson = (tx, { userId }) => store.eraseDecisions(tx, userId);
