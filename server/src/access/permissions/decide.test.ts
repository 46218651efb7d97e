// decide() and the reference model say the same, whatever the users, agreements, groups, expiries and
// requests.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type Caller,
  type Facts,
  isOwn,
  judge,
  liveAgreement,
  type Request,
  type Verdict,
} from '../../../test/access/access-model.ts';
import { inForm } from '../../../test/stage/form.ts';
import { type Decision, decide } from './decide.ts';
import { type AccessFacts, type AclPermission, methodNames, resourceNames } from './index.ts';

const now = 1_000;
const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);
const aclPermission = fc.record({
  resource: oneOf<AclPermission['resource']>('*', ...resourceNames),
  ...(Object.fromEntries(methodNames.map((method) => [method, fc.boolean()])) as Record<
    (typeof methodNames)[number],
    fc.Arbitrary<boolean>
  >),
});
const aclPermissions = fc.array(aclPermission, { maxLength: 3 });
const users = ['anna', 'ben', 'cleo'];
const partners = ['acme', 'globex', 'gone'];

const facts: fc.Arbitrary<Facts> = fc.record({
  now: fc.constant(now),
  partners: fc.constant(partners.slice(0, 2)),
  operatorsNeedSecondFactor: fc.boolean(),
  agreements: fc.uniqueArray(
    fc
      .record({
        partner: oneOf(...partners),
        person: oneOf(...users),
        accepted: fc.boolean(),
        owner: fc.boolean(),
        mfa: fc.boolean(),
        sso: fc.boolean(),
        expiresAt: oneOf<number | null>(null, now - 1, now, now + 1),
        direct: aclPermissions,
        groups: fc.array(aclPermissions, { maxLength: 3 }),
      })
      .map(({ person, accepted, ...rest }) => ({
        ...rest,
        id: `${person} at ${rest.partner}`,
        user: accepted ? person : null,
        email: `${person}@x`,
      })),
    { selector: ({ id }) => id, minLength: 4, maxLength: 9 },
  ),
});
const caller: fc.Arbitrary<Caller> = fc
  .record({
    userId: oneOf(...users),
    verified: fc.boolean(),
    operator: fc.boolean(),
    secondFactor: oneOf('not_enabled' as const, 'proven' as const, 'missing' as const),
    sso: fc.boolean(),
    token: fc.option(
      fc.record({
        scopes: aclPermissions,
        partners: fc.option(fc.uniqueArray(oneOf(...partners), { maxLength: 2 })),
      }),
    ),
  })
  .map((each) => ({ ...each, email: `${each.userId}@x` }));
const request: fc.Arbitrary<Request> = fc.record(
  {
    partner: oneOf('acme', 'acme', 'acme', ...partners, 'nowhere'),
    permission: fc
      .tuple(oneOf(...resourceNames), oneOf(...methodNames))
      .map(([resource, method]) => `${resource}.${method}`),
    agreement: oneOf(...users.flatMap((user) => partners.map((partner) => `${user} at ${partner}`))),
    ownRight: oneOf('read' as const, 'leave' as const, 'answer' as const),
  },
  { requiredKeys: ['partner', 'permission'] },
);

/** What the access read would have found. */
function toFacts(world: Facts, who: Caller, { partner, agreement }: Request): AccessFacts {
  const exists = world.partners.includes(partner);
  const named = exists
    ? world.agreements.find((each) => each.id === agreement && each.partner === partner)
    : undefined;
  const mine = exists ? liveAgreement(world, who, partner) : undefined;
  return {
    principal: {
      userId: who.userId,
      role: who.operator ? 'operator' : 'user',
      secondFactor: who.secondFactor,
      credential: who.token
        ? { kind: 'token', id: 't', scopes: who.token.scopes, partnerIds: who.token.partners }
        : { kind: 'session', id: 's' },
    },
    partnerId: exists ? partner : null,
    membership: mine
      ? {
          agreementId: mine.id,
          owner: mine.owner,
          mfaRequired: mine.mfa,
          lacksSso: mine.sso === true && (who.sso !== true || who.token !== null),
          expiresAt: null,
          aclPermissions: mine.direct,
          groups: mine.groups.map((aclPermissions, index) => ({ id: `${index}`, aclPermissions })),
          temporary: [],
        }
      : null,
    item:
      agreement === undefined
        ? 'none'
        : named === undefined
          ? 'missing'
          : isOwn(who, named)
            ? 'own'
            : 'there',
    ownRequiresSecondFactor: named?.mfa ?? false,
    operatorsNeedSecondFactor: world.operatorsNeedSecondFactor,
  };
}

const verdictOf = (decision: Decision): Verdict => {
  if (decision.allowed) return 'allowed';
  return 'needed' in decision ? 'forbidden' : decision.because;
};

it('R3, E5, A9, K10: decide() and the reference model say the same', () => {
  const numRuns = inForm({ short: 5_000, long: 20_000 });
  const seen = new Map<Verdict, number>();
  fc.assert(
    fc.property(facts, caller, request, (world, who, asked) => {
      const [resource, method] = asked.permission.split('.') as [
        (typeof resourceNames)[number],
        (typeof methodNames)[number],
      ];
      const verdict = verdictOf(decide(toFacts(world, who, asked), { resource, method }, asked.ownRight));
      seen.set(verdict, (seen.get(verdict) ?? 0) + 1);
      expect(verdict).toBe(judge(world, who, asked));
    }),
    { numRuns },
  );
  for (const verdict of ['allowed', 'hidden', 'forbidden', 'mfa_required', 'sso_required'] as const)
    expect(seen.get(verdict)).toBeGreaterThan(numRuns / 1_000);
});
