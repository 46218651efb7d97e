// The sign-in policy of a partner, and the break-glass access of its owners.
import { isDeepStrictEqual } from 'node:util';
import type { Granted } from '../../../access/index.ts';
import { changesBetween, recordAction } from '../../../audit/index.ts';
import { forbidden, invalidRequest, ServiceError } from '../../../base/errors.ts';
import { requireMatch } from '../../../base/http/entity-tag.ts';
import { serializer } from '../../../base/http/serialization.ts';
import { formatId, parseId } from '../../../base/ids.ts';
import { mails } from '../../../base/mail/index.ts';
import type { Queryable, Transaction } from '../../../base/postgres/database.ts';
import { readClock } from '../../../base/postgres/sql/clock.ts';
import { setSignInPolicy } from '../../../partners/index.ts';
import { changeLocked } from '../../agreements.ts';
import type { Options } from '../../options.ts';
import { selectOwnerEmails } from '../../store.ts';
import * as wire from './schema.ts';
import * as store from './store.ts';

const toJson = serializer(wire.SignInPolicy);

export function createSignInPolicies({ db, enqueueMail }: Options) {
  return {
    update: (granted: Granted, body: wire.SignInPolicy, ifMatch: string | undefined) =>
      changeLocked(db, granted, async (tx, locked) => {
        const { partnerId, actor } = locked;
        const current = await readPolicy(tx, partnerId);
        requireMatch(ifMatch, toJson(current));
        const named = await toNamed(tx, partnerId, body);
        if (isDeepStrictEqual(current, named.policy)) return current;
        if (asksMore(current, named.policy)) await requireProved(tx, locked);
        await setSignInPolicy(tx, partnerId, body);
        await store.updateAgreements(tx, partnerId, named);
        await recordAction(tx, {
          actor,
          partnerId,
          action: 'partner.set_sign_in_policy',
          target: formatId('partner', partnerId),
          changes: changesBetween(current, named.policy),
        });
        return named.policy;
      }),

    mayBreakGlass: async ({ partnerId, principal, membership }: Granted) => ({
      allowed: membership?.owner === true && (await store.mayBreakGlass(db, partnerId, principal.userId)),
    }),

    /** All owners get a mail, once for each use. @throws ServiceError forbidden, mfa_required */
    breakGlass: (granted: Granted, reason: string) =>
      changeLocked(db, granted, async (tx, { partnerId, principal, membership, actor }) => {
        const { userId, credential, secondFactor } = principal;
        if (membership?.owner !== true || !(await store.mayBreakGlass(tx, partnerId, userId)))
          throw forbidden('Only the owners who are named for break glass may do this.');
        if (secondFactor !== 'proven') throw new ServiceError('mfa_required');
        await store.requireSession(tx, credential.id);
        const begun = await store.insertBreakGlass(tx, credential.id, partnerId);
        const until = begun ?? (await store.selectBreakGlassEnd(tx, credential.id, partnerId));
        if (until === undefined) throw new Error('The break glass that was there is gone');
        if (begun) {
          const names = await store.selectNames(tx, partnerId, userId);
          const at = await readClock(tx);
          for (const to of await selectOwnerEmails(tx, partnerId))
            await enqueueMail(tx, mails.glassBroken(to, { ...names, reason, at, until }));
          await recordAction(tx, {
            actor,
            partnerId,
            action: 'partner.break_glass',
            target: formatId('partner', partnerId),
            changes: { break_glass: { before: null, after: until.toISOString() } },
            personal: { subject: userId, changes: { reason: { before: null, after: reason } } },
          });
        }
        return { until: until.toISOString() };
      }),
  };
}

const toTyped = (ids: readonly string[]) => ids.map((id) => formatId('agreement', id)).toSorted();

export async function readPolicy(on: Queryable, partnerId: string): Promise<wire.SignInPolicy> {
  const { requiring, breakGlass, ...policy } = await store.selectPolicy(on, partnerId);
  return {
    ...policy,
    sso_required_agreement_ids: toTyped(requiring),
    break_glass_agreement_ids: toTyped(breakGlass),
  };
}

/** @throws ServiceError invalid_request: an agreement of another partner, or break glass for no owner */
async function toNamed(tx: Transaction, partnerId: string, body: wire.SignInPolicy) {
  const all = [...body.sso_required_agreement_ids, ...body.break_glass_agreement_ids];
  const uuidOf = (id: string) => parseId('agreement', id) ?? '';
  const uuids = all.map(uuidOf).filter((id) => id !== '');
  const known = new Map((await store.selectNamed(tx, partnerId, uuids)).map(({ id, owner }) => [id, owner]));
  if (body.sso_required_agreement_ids.some((id) => !known.has(uuidOf(id))))
    throw invalidRequest('/sso_required_agreement_ids', 'must list only agreements of the partner');
  if (body.break_glass_agreement_ids.some((id) => known.get(uuidOf(id)) !== true))
    throw invalidRequest(
      '/break_glass_agreement_ids',
      'must list only agreements of owners who have accepted',
    );
  return {
    requiring: body.sso_required_agreement_ids.map(uuidOf),
    breakGlass: body.break_glass_agreement_ids.map(uuidOf),
    policy: {
      ...body,
      sso_required_agreement_ids: body.sso_required_agreement_ids.toSorted(),
      break_glass_agreement_ids: body.break_glass_agreement_ids.toSorted(),
    },
  };
}

function asksMore(before: wire.SignInPolicy, after: wire.SignInPolicy) {
  const had = new Set(before.sso_required_agreement_ids);
  return (
    (after.sso_required && !before.sso_required) ||
    after.sso_required_agreement_ids.some((id) => !had.has(id))
  );
}

/** So that nobody locks themselves out. Operators need no proof. @throws ServiceError connection_required */
async function requireProved(tx: Transaction, { partnerId, principal }: Granted) {
  if (!(await store.isAnyOn(tx, partnerId)))
    throw new ServiceError('connection_required', {
      detail: 'The partner has no identity provider that is on. Set one up, test it and switch it on first.',
    });
  if (principal.role === 'operator') return;
  if (!(await store.hasProof(tx, principal.credential.id, partnerId)))
    throw new ServiceError('connection_required', {
      detail:
        'Sign in with the identity provider of the partner in this session first (POST /api/auth/connections/prove), so that you do not lock yourself out.',
    });
}
