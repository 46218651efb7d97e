// What can be done with partners: the rules between HTTP and SQL. Each write is one transaction that decides access again.
import { isDeepStrictEqual } from 'node:util';
import type { FastifyRequest } from 'fastify';
import { type Access, grantedTo } from '../agreements/index.ts';
import { ServiceError } from '../errors.ts';
import { requireMatch } from '../http/entity-tag.ts';
import { type Answer, answerOnce } from '../http/idempotency.ts';
import { ignoredMembers } from '../http/ignored-members.ts';
import type { ListSource } from '../http/lists.ts';
import { newId } from '../ids.ts';
import type { Database } from '../postgres/database.ts';
import type { ScheduledTask } from '../postgres/scheduled-tasks.ts';
import { emptyPartner, type Ignored, type Partner, revise } from './partner.ts';
import type { CreatePartner, UpdatePartner } from './schema.ts';
import * as store from './store.ts';

type Revised = { partner: Partner; ignored: Ignored };
type PartnerRequest<Body = unknown> = FastifyRequest<{ Params: { id: string }; Body: Body }>;

export type Partners = ReturnType<typeof createPartners>;

export function createPartners({ db, access }: { db: Database; access: Access }) {
  /** The partner, locked, with the access to it decided in this transaction. */
  async function changing<T>(
    request: PartnerRequest,
    method: 'patch' | 'delete',
    change: (tx: Parameters<Parameters<Database['transaction']>[0]>[0], row: store.PartnerRow) => Promise<T>,
  ): Promise<T> {
    return db.transaction(async (tx) => {
      await store.lockPartner(tx, request.params.id);
      const { row } = await access.againOnPartner<store.PartnerRow>(
        tx,
        request,
        { resource: 'partner', method },
        store.partnerRead,
      );
      requireMatch(request.headers['if-match'], store.toPartner(row));
      return change(tx, row);
    });
  }

  return {
    /** The partner that the access read of this request found. */
    get: (request: PartnerRequest): Partner => store.toPartner(grantedTo<store.PartnerRow>(request).row),

    update: (request: PartnerRequest<UpdatePartner>): Promise<Revised> =>
      changing(request, 'patch', async (tx, row) => {
        const current = store.toPartner(row);
        const { next, ignored } = revise(current, request.body);
        if (isDeepStrictEqual(next, current)) return { partner: current, ignored };
        return { partner: store.toPartner(await store.updatePartner(tx, row.partner_id, next)), ignored };
      }),

    /** Hides the partner and all that hangs on it; an operator can restore it for 30 days. */
    delete: (request: PartnerRequest): Promise<void> =>
      changing(request, 'delete', (tx, row) => store.hidePartner(tx, row.partner_id)),

    create: (request: FastifyRequest<{ Body: CreatePartner }>): Promise<Answer> =>
      db.transaction(async (tx) => {
        const { userId } = await access.againOnPlatform(tx, request);
        return answerOnce(tx, request, userId, async () => {
          const { next, ignored } = revise(emptyPartner, request.body);
          const partner = store.toPartner(await store.insertPartner(tx, newId('partner'), next));
          return {
            status: 201,
            headers: { location: `/partners/${partner.id}`, ...ignoredMembers(ignored) },
            body: partner,
          };
        });
      }),

    restore: (request: PartnerRequest): Promise<Partner> =>
      db.transaction(async (tx) => {
        await access.againOnPlatform(tx, request);
        const row = await store.unhidePartner(tx, request.params.id);
        if (!row) throw new ServiceError('not_found');
        return store.toPartner(row);
      }),

    /** The partners that the caller can see: so far operators see all, and everyone else none. */
    list(request: FastifyRequest, filter: store.PartnerFilter): ListSource<store.PartnerSort, Partner> {
      if (grantedTo(request).principal.role !== 'operator')
        return { page: async () => [], count: async () => 0 };
      return {
        page: async (order, after, limit) =>
          (await store.selectPartners(db, filter, order, after, limit)).map(store.toPartner),
        count: () => store.countPartners(db, filter),
      };
    },
  };
}

export const purgeDeletedPartners: ScheduledTask = {
  name: 'purge deleted partners',
  intervalMs: 60 * 60_000,
  run: store.purgePartners,
};
