// The changes that rules A7 and A8 forbid, by the reference model.
import {
  type Agreement,
  type Caller,
  type Facts,
  grantsOf,
  holdings,
  isLive,
  isOwn,
  liveAgreement,
  termsOf,
} from './access-model.ts';

type Change = { before: Facts; after: Facts; caller: Caller; partner: string; orphan: boolean };

/** The first rule that the change breaks; null when it breaks none. */
export function brokenRule({ before, after, caller, partner, orphan }: Change) {
  const own = liveAgreement(before, caller, partner);
  const rules = caller.operator || own?.owner === true;
  const held = holdings(before, caller, partner);
  const was = new Map(before.agreements.map((each) => [each.id, each]));
  const is = new Map(after.agreements.map((each) => [each.id, each]));

  for (const [id, now] of is) {
    const old = was.get(id);
    if (old && same(old, now)) continue;
    if (now.partner !== partner) return `changed ${id} of another partner`;
    const gained = [...given(now, after.now)].filter((grant) => !old || !given(old, before.now).has(grant));
    if (gained.some((grant) => !held.has(grant)))
      return `gave ${gained.filter((grant) => !held.has(grant))} without holding it`;
    const end = caller.operator ? null : (own?.expiresAt ?? null);
    if (gained.length > 0 && end !== null && (now.expiresAt ?? Number.POSITIVE_INFINITY) > end)
      return 'gave for longer than it has';
    if (old?.mfa && !now.mfa && !rules) return 'lifted mfa_required';
    if (gained.length > 0 && own?.mfa && !rules && !now.mfa)
      return 'gave without the second factor that it needs';
    if (old && isOwn(caller, old) && !rules && terms(old) !== terms(now))
      return 'changed the terms of its own agreement';
    if ((old?.owner ?? false) !== now.owner && !rules) return 'set owner without being one';
    if (old?.owner && !rules && terms(old) !== terms(now)) return "changed an owner's agreement";
    if (
      old &&
      old.user !== now.user &&
      !(old.user === null && now.user === caller.userId && isOwn(caller, old))
    )
      return 'bound to somebody else';
  }
  for (const [id, old] of was) {
    if (is.has(id) || isOwn(caller, old)) continue;
    // A new invitation may have replaced an agreement that had expired.
    const replaced = old.expiresAt !== null && old.expiresAt <= after.now && held.has('agreements.post');
    if (old.partner !== partner || !(held.has('agreements.delete') || replaced))
      return `deleted ${id} without the permission`;
    if (old.owner && !rules) return "deleted an owner's agreement";
  }
  const owned = ({ agreements }: Facts) =>
    agreements.some((each) => each.partner === partner && each.owner && each.user && each.expiresAt === null);
  if (owned(before) && !owned(after) && !(orphan && caller.operator)) return 'took the last owner away';
  return null;
}

/** The permissions that the agreement grants now, or would grant once it is accepted. */
function given(agreement: Agreement, now: number): Set<string> {
  const live = isLive({ ...agreement, user: 'anyone' }, now);
  return live ? termsOf(agreement) : new Set();
}

const terms = ({ owner, mfa, expiresAt, direct, groups }: Agreement) =>
  JSON.stringify([owner, mfa, expiresAt, [...grantsOf([...direct, ...groups.flat()])].sort()]);
const same = (a: Agreement, b: Agreement) => a.user === b.user && terms(a) === terms(b);
