// What can be done with webhook endpoints.
import type { Granted } from '../../access/index.ts';
import { holds } from '../../access/permissions/index.ts';
import { changeLocked, changeOnce } from '../../agreements/index.ts';
import { changesBetween } from '../../audit/index.ts';
import { forbidden, tooMany } from '../../base/errors.ts';
import type { ListSource } from '../../base/http/lists.ts';
import { type Answer, created, type IdempotentRequest, ok } from '../../base/idempotency/index.ts';
import { formatId, newUuid } from '../../base/ids.ts';
import type { Database, Transaction } from '../../base/postgres/database.ts';
import { clearFailing, holdLanes, insertLane, wakeLanes } from '../lanes/store.ts';
import { selectRecent } from '../statistics/index.ts';
import {
  createEndpointChanges,
  type Options as Placing,
  record,
  requireUnchanged,
  setStatus,
  toLogged,
} from './change.ts';
import { type CreateEndpoint, type Endpoint, toEndpointJson, type UpdateEndpoint } from './schema.ts';
import * as store from './store.ts';

const maxEndpoints = 100;

/** With what hangs on it. Nobody may publish to the partner from then until the commit. */
export type DeleteEndpoint = (tx: Transaction, partnerId: string, endpointId: string) => Promise<void>;
type Options = Placing & {
  db: Database;
  deleteEndpoint: DeleteEndpoint;
  sendWaiting: (tx: Transaction, granted: Granted, endpointId: string) => Promise<void>;
};

export type Endpoints = ReturnType<typeof createEndpoints>;

export function createEndpoints({ db, deleteEndpoint, sendWaiting, ...placing }: Options) {
  const { merge, seal, change } = createEndpointChanges(placing);
  return {
    list: (granted: Granted, filter: store.EndpointFilter & { state?: string | undefined }) =>
      listEndpoints(db, granted, filter),

    create: (
      granted: Granted,
      body: CreateEndpoint,
      idempotent: IdempotentRequest,
      { listener = false } = {},
    ): Promise<Answer> =>
      changeOnce(db, granted, idempotent, async (tx, locked) => {
        const { partnerId } = locked;
        const { environment = 'live', ...members } = body;
        const content = await merge(tx, partnerId, { ...defaults, environment, listener }, members);
        if ((await store.countEndpoints(tx, partnerId)).count >= maxEndpoints) {
          throw tooMany(
            `A partner can have at most ${maxEndpoints} webhook endpoints. Delete an endpoint first.`,
          );
        }
        const endpointId = newUuid();
        const made = { endpointId, environment, listener };
        const endpoint = await store.insertEndpoint(tx, partnerId, made, content, seal(endpointId, body));
        await insertLane(tx, endpointId);
        const changes = changesBetween(null, toLogged(endpoint));
        await record(tx, locked, { action: 'create', endpoint, changes });
        const location = `/partners/${formatId('partner', partnerId)}/webhook-endpoints/${endpoint.id}`;
        return created(location, toEndpointJson(endpoint));
      }),

    update: (granted: store.GrantedEndpoint, body: UpdateEndpoint, ifMatch?: string): Promise<Endpoint> =>
      changeLocked(db, granted, (tx, locked) => change(tx, locked, body, ifMatch)),

    /** `sendNow`: retries do not wait for their time. */
    act: (
      granted: store.GrantedEndpoint,
      action: 'pause' | 'resume',
      idempotent: IdempotentRequest,
      { ifMatch, sendNow = false }: { ifMatch: string | undefined; sendNow?: boolean | undefined },
    ): Promise<Answer> =>
      changeOnce(db, granted, idempotent, async (tx, locked) => {
        const endpoint = await setStatus(tx, locked, action, ifMatch);
        if (sendNow) await sendWaiting(tx, locked, locked.row.endpoint_id);
        return ok(toEndpointJson(endpoint));
      }),

    /** Wakes the endpoints of a partner that was restored. */
    async wakeAll(tx: Transaction, partnerId: string): Promise<void> {
      const ids = (await store.selectStatuses(tx, partnerId)).map(({ id }) => id);
      const held = await holdLanes(tx, ids);
      // Nothing was tried meanwhile.
      await clearFailing(tx, held);
      await wakeLanes(tx, held);
    },

    /** At the start of a process: its setting holds for every endpoint from then on (W62). */
    applyPolicy: (requiresCheck: boolean): Promise<void> =>
      db.transaction(async (tx) => {
        await wakeLanes(tx, await store.updatePolicy(tx, requiresCheck));
      }),

    delete: (granted: store.GrantedEndpoint, ifMatch?: string): Promise<void> =>
      changeLocked(db, granted, async (tx, locked) => {
        const endpoint = requireUnchanged(ifMatch, locked);
        await deleteEndpoint(tx, locked.partnerId, locked.row.endpoint_id);
        const changes = changesBetween(toLogged(endpoint), null);
        await record(tx, locked, { action: 'delete', endpoint, changes });
      }),
  };
}

const defaults: store.Content = {
  url: '',
  description: null,
  event_types: null,
  filter: null,
  ordering: 'none',
  max_concurrency: 8,
  rate_limit_per_second: null,
  retry_schedule: null,
  timeout_seconds: null,
  disable_after_hours: null,
  payload: 'full',
  checkpoint_minutes: null,
  batch: null,
  header_names: [],
  authentication: null,
};

async function listEndpoints(
  db: Database,
  { partnerId, principal, membership }: Granted,
  { state, ...others }: store.EndpointFilter & { state?: string | undefined },
): Promise<ListSource<store.EndpointSort, Endpoint>> {
  // Statistics tell whether attempts failed, and they need this permission too (N1).
  if (state !== undefined && !holds(principal, membership, [{ resource: 'deliveries', method: 'query' }]))
    throw forbidden('filter[state] also requires the permission deliveries.query.');
  const filter = { ...others, ids: state === undefined ? undefined : await idsIn(db, partnerId, state) };
  return {
    page: (...asked) => store.selectEndpoints(db, partnerId, filter, ...asked),
    count: () => store.countEndpoints(db, partnerId, filter),
  };
}

/** The endpoints in this state. A partner has few. */
async function idsIn(db: Database, partnerId: string, state: string): Promise<string[]> {
  const all = await store.selectStatuses(db, partnerId);
  const active = all.filter(({ status }) => status === 'active');
  const recent = await selectRecent(
    db,
    active.map(({ id }) => ({ partner_id: partnerId, endpoint_id: id })),
  );
  return all.flatMap(({ id, status }) => {
    const { attempts = 0, delivered = 0 } = recent.get(id) ?? {};
    const failing = delivered === 0 ? 'failing' : 'fails_in_part';
    return (attempts === delivered ? status : failing) === state ? [id] : [];
  });
}
