// What can be done with the check of an endpoint: start it, see it, and waive it.
import { changeOnce } from '../../../agreements/index.ts';
import { changesBetween } from '../../../audit/index.ts';
import { requireFound, ServiceError } from '../../../base/errors.ts';
import { serializer } from '../../../base/http/serialization.ts';
import { type Answer, type IdempotentRequest, ok } from '../../../base/idempotency/index.ts';
import { formatId } from '../../../base/ids.ts';
import { createSharedQuota } from '../../../base/limits/index.ts';
import type { Database } from '../../../base/postgres/database.ts';
import { record } from '../../endpoints/change.ts';
import { type GrantedEndpoint, toEndpoint } from '../../endpoints/store.ts';
import { checkPayload, clearFailing, holdLanes, laneChannel, wakeLanes } from '../../lanes/store.ts';
import { type CaseName, caseNames, explain, isExpectedToPass, isPassed, type Result } from './check.ts';
import * as wire from './schema.ts';
import * as store from './store.ts';

const toJson = serializer(wire.EndpointCheck);

export type EndpointChecks = ReturnType<typeof createEndpointChecks>;

export function createEndpointChecks({ db }: { db: Database }) {
  const quota = createSharedQuota(
    'endpoint-checks',
    { requests: 5, windowSeconds: 3_600 },
    'Too many checks of endpoints of this partner',
  );
  return {
    get: async ({ row }: GrantedEndpoint): Promise<wire.EndpointCheck> =>
      toWire(requireFound(await store.selectCheck(db, row.endpoint_id))),

    start: (granted: GrantedEndpoint, idempotent: IdempotentRequest): Promise<Answer> =>
      changeOnce(db, granted, idempotent, async (tx, locked) => {
        const { row, partnerId } = locked;
        if (row.listener)
          throw new ServiceError('invalid_request', { detail: 'A listener cannot be checked.' });
        if (row.check_status === 'running') throw new ServiceError('check_running');
        if (row.environment === 'live' && (await store.isInUse(tx, partnerId, row.url)))
          throw new ServiceError('endpoint_in_use');
        await quota.count(tx, partnerId);
        const check = await store.startCheck(tx, row.endpoint_id, row.url);
        tx.notifyAfterCommit(laneChannel, checkPayload);
        const endpoint = toEndpoint(row);
        const changes = changesBetween({ check: row.check_status }, { check: 'running' });
        await record(tx, locked, { action: 'check', endpoint, changes });
        return { status: 202, headers: {}, json: toJson(toWire(check)) };
      }),

    /** The deliveries that waited for the check are sent. */
    waive: (
      granted: GrantedEndpoint,
      { reason }: wire.WaiveCheck,
      idempotent: IdempotentRequest,
    ): Promise<Answer> =>
      changeOnce(db, granted, idempotent, async (tx, locked) => {
        const { row } = locked;
        const { endpoint_id: endpointId, url } = row;
        const before = await store.selectCheck(tx, endpointId);
        await holdLanes(tx, [endpointId]);
        const check = await store.waiveCheck(tx, { endpointId, url, reason });
        const changes = changesBetween(
          { waived_reason: before?.waived_reason ?? null },
          { waived_reason: check.waived_reason },
        );
        await record(tx, locked, { action: 'waive_check', endpoint: toEndpoint(row), changes });
        await clearFailing(tx, [endpointId]);
        await wakeLanes(tx, [endpointId]);
        return ok(toJson(toWire(check)));
      }),
  };
}

function toWire(row: store.CheckRow): wire.EndpointCheck {
  const { id, endpoint_id, url, status, results, waived_at: waivedAt, waived_reason: reason } = row;
  const waived = waivedAt === null || reason === null ? null : { reason, waived_at: waivedAt.toISOString() };
  const ended = status === 'none' || status === 'failed';
  return {
    id: formatId('endpoint_check', id),
    endpoint_id: formatId('webhook_endpoint', endpoint_id),
    url,
    status: waived && ended ? 'waived' : status === 'none' ? 'failed' : status,
    waived,
    started_at: row.started_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    cases: status === 'none' ? [] : caseNames.map((name) => toCase(name, results)),
  };
}

function toCase(wanted: CaseName, results: readonly Result[]): wire.EndpointCheck['cases'][number] {
  const result = results.find(({ name }) => name === wanted);
  const { status_code = null, duration_ms = null } = result ?? {};
  const passed = result !== undefined && isPassed(result);
  const { problem, advice } = result && !passed ? explain(result) : { problem: null, advice: null };
  return {
    name: wanted,
    status: result ? (passed ? 'passed' : 'failed') : 'waiting',
    expected: isExpectedToPass(wanted) ? '2xx' : 'not 2xx',
    status_code,
    duration_ms,
    problem,
    advice,
  };
}
