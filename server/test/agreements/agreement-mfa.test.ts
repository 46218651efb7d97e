// Who decides that an agreement requires a second factor, and how the requirement is passed on.
import { beforeEach, describe, expect, it } from 'vitest';
import {
  acl,
  expectCode,
  expectStatus,
  hasEnded,
  type Member,
  may,
  succeed,
  useCast,
} from '../stage/cast.ts';
import { newEmail } from '../stage/start-service.ts';

const { service, cast } = useCast();

let partner: string;
let owner: Member;
/** A member who must prove a second factor, and has. */
let bound: Member;
let free: Member;
beforeEach(async () => {
  partner = await cast.partner();
  owner = await cast.owner(partner);
  bound = await cast.member(partner, { ...may('*'), mfa_required: true }, { secondFactor: 'proven' });
  free = await cast.member(partner, may('*'));
});

const path = (id = '') => `/partners/${partner}/agreements${id && `/${id}`}`;
const patch = (id: string, body: object, { token }: { token: string }) =>
  cast.change(partner, id, body, token);
const invite = async ({ token }: { token: string }, email = newEmail()) =>
  succeed(await cast.invite(partner, email, {}, token));
const expire = (id: string) => patch(id, hasEnded, owner);

describe('mfa_required', () => {
  it('A12: is lifted only by owners and operators', async () => {
    const { agreement } = await cast.member(partner, { mfa_required: true });
    for (const member of [bound, free]) {
      const refused = await patch(agreement, { mfa_required: false }, member);
      expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('mfa_required')]);
      await expectStatus(200, patch(agreement, { mfa_required: true }, member));
    }
    expect((await patch(agreement, { mfa_required: false }, owner)).body.mfa_required).toBe(false);
    expect((await patch(agreement, { mfa_required: true }, free)).body.mfa_required).toBe(true);
    await expectStatus(200, patch(agreement, { mfa_required: false }, { token: service.operatorToken }));
  });

  it('A12: is inherited by the agreements that a bound member creates', async () => {
    const boundOwner = await cast.member(
      partner,
      { owner: true, mfa_required: true },
      { secondFactor: 'proven' },
    );
    expect([(await invite(bound)).mfa_required, (await invite(boundOwner)).mfa_required]).toEqual([
      true,
      true,
    ]);
    expect([(await invite(free)).mfa_required, (await invite(owner)).mfa_required]).toEqual([false, false]);
    const second = await cast.user();
    const { id } = await invite(bound, second.email);
    await expectCode('mfa_required', patch(id, { accepted: true }, second));
    // The second account of an editor cannot lift the requirement of the first.
    await cast.set(second.id, { two_factor_enabled: true });
    const proven = { token: await cast.session(second.id, true) };
    succeed(await patch(id, { accepted: true }, proven));
    succeed(await patch(id, may('*'), owner));
    for (const own of [id, bound.agreement])
      await expectStatus(403, patch(own, { mfa_required: false }, proven));
  });

  it('A12: a bound member gives permissions only to agreements that require a second factor', async () => {
    const { id } = await invite(owner);
    const grant = may('events');
    const refused = await patch(id, grant, bound);
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringContaining('set mfa_required to true'),
    ]);
    const group = await cast.group(partner, [acl('events')]);
    await expectStatus(403, patch(id, { acl_permission_group_ids: [group] }, bound));
    // What takes permissions away, or gives none, needs no more than before.
    await expectStatus(200, patch(free.agreement, may('events'), bound));
    expect((await patch(id, { ...grant, mfa_required: true }, bound)).body).toMatchObject({
      ...grant,
      mfa_required: true,
    });
    // An invitation that was made before gives nothing new until a bound member sends it again.
    const { id: older } = await invite(owner);
    succeed(await patch(older, grant, owner));
    const resend = () => service.request('POST', `${path(older)}/resend`, { token: bound.token });
    await expectStatus(403, resend());
    succeed(await patch(older, { mfa_required: true }, bound));
    await expectStatus(200, resend());
  });

  it('A12: a bound member cannot widen a group of agreements without it, nor make a group the default', async () => {
    const group = await cast.group(partner, []);
    const groupPath = `/partners/${partner}/acl-permission-groups/${group}`;
    const widen = (acl_permissions: object[], { token } = bound) =>
      service.patch(groupPath, { acl_permissions }, token);
    const { id } = await invite(owner);
    succeed(await patch(id, { acl_permission_group_ids: [group] }, owner));
    await expectStatus(403, widen([acl('events')]));
    succeed(await patch(id, { mfa_required: true }, owner));
    await expectStatus(200, widen([acl('events')]));
    const setDefault = ({ token } = bound) =>
      service.put(
        `/partners/${partner}/acl-permission-groups/default`,
        { acl_permission_group_id: group },
        token,
      );
    await expectStatus(403, setDefault());
    await expectStatus(200, setDefault(free));
    await expectStatus(403, widen([acl('events'), acl('deliveries')]));
    expect((await invite(bound)).mfa_required).toBe(true);
  });

  it('A12: stays when a new agreement replaces an expired one', async () => {
    const first = await cast.member(partner, { mfa_required: true });
    succeed(await expire(first.agreement));
    expect((await invite(free, first.email)).mfa_required).toBe(true);

    const second = await cast.member(partner, { mfa_required: true });
    succeed(await expire(second.agreement));
    const other = newEmail();
    await cast.set(second.id, { email: other });
    const { id, mfa_required } = await invite(free, other);
    expect([mfa_required, (await patch(id, { accepted: true }, second)).body.mfa_required]).toEqual([
      false,
      true,
    ]);
    await expectCode('mfa_required', service.get(`/partners/${partner}`, second.token));
  });

  it('A9: the invited person can read an invitation that requires a second factor', async () => {
    const player = await cast.user();
    const { id } = await invite(bound, player.email);
    expect((await service.get(path(id), player.token)).body.mfa_required).toBe(true);
  });
});
