// Invitations by the link in their mail: what the token shows, who answers with it, and when it ends.
import { createHash } from 'node:crypto';
import type { Email } from 'postal-mime';
import { beforeAll, describe, expect, it } from 'vitest';
import { acl, createCast, expectStatus, may, type Player, succeed, uuidOf } from '../stage/cast.ts';
import { password } from '../stage/enrolment.ts';
import { meanwhile } from '../stage/locks.ts';
import { untilSent, useMailed } from '../stage/mailbox.ts';
import { openService } from '../stage/start-service.ts';

let partner: string;
let owner: Player;
let count = 0;
const { mailbox, service, cast } = useMailed();
beforeAll(async () => {
  partner = await cast.partner('Nordlys AS');
  owner = await cast.member(partner, { owner: true }, { name: 'Olga Owner' });
});

const newEmail = () => `Invited${count++}@concord.test`;
const linkIn = (mail: Email) => new URL(/http:\S+/.exec(mail.text ?? '')?.[0] ?? '');

async function invite(email = newEmail(), at = partner) {
  const { id } = succeed(await cast.invite(at, email, {}, owner.token));
  const mail = await mailbox.next(email);
  return { id, email, mail, token: linkIn(mail).hash.slice(1) };
}
const resend = async (id: string, email: string) => {
  succeed(
    await service.request('POST', `/partners/${partner}/agreements/${id}/resend`, { token: owner.token }),
  );
  return linkIn(await mailbox.next(email)).hash.slice(1);
};
type Shown = { id: string; token: string };
const ask = (method: string, { id, token }: Shown, path = '', bearer: string | null = null) =>
  service.request(method, `/invitations/${id}${path}`, {
    token: bearer,
    headers: { 'invitation-token': token },
  });
const show = (shown: Shown) => ask('GET', shown);
const accept = (shown: Shown, bearer: string | null) => ask('POST', shown, '/accept', bearer);
const decline = (shown: Shown, bearer: string | null) => ask('POST', shown, '/decline', bearer);
const signUp = (email: string, token: string, body: object = {}) =>
  service.request('POST', '/api/auth/sign-up/email', {
    token: null,
    headers: { 'invitation-token': token },
    body: { name: 'Ann', email, password, ...body },
  });
const codes = async (answers: Promise<{ status: number; body: { code?: string } | null }>[]) =>
  (await Promise.all(answers)).map(({ status, body }) => `${status} ${body?.code ?? 'ok'}`);

describe('the mail', () => {
  it('A15: it names the partner, the inviter, the terms and the end, and has a link', async () => {
    const { id, email, mail, token } = await invite();
    expect(mail.text).toContain('Olga Owner invites you to work with Nordlys AS on Concord.');
    expect(mail.text).toContain('The link shows what it gives you, and until when.');
    expect(linkIn(mail).href).toBe(`http://concord.test/console/invitations/${id}#${token}`);
    expect(mail.html).toContain(`<a href="http://concord.test/console/invitations/${id}#${token}" style=`);
    expect(mail.html).toContain('>See the invitation</a>');
    const group = await cast.group(partner, [acl('events', 'get')], 'Readers of evil.example');
    succeed(
      await cast.change(partner, id, {
        expires_at: '2090-12-31T22:30:15Z',
        mfa_required: true,
        ...may('deliveries', 'get', 'query'),
        acl_permission_group_ids: [group],
      }),
    );
    await service.request('POST', `/partners/${partner}/agreements/${id}/resend`, { token: owner.token });
    expect((await mailbox.next(email)).text).toContain(
      'It gives you: the permission groups Readers of evil. example; deliveries (get, query). It requires a second factor. It ends at 2090-12-31 22:30 UTC.',
    );
  });

  it('A15: the token has 192 bits, and the database has only its hash', async () => {
    const { token } = await invite();
    expect(Buffer.from(token, 'base64url').length).toBe(24);
    const hash = createHash('sha256').update(token).digest();
    const [row] = await service.sql(
      'select row_to_json(t)::text as text from auth.invitation_token t where token_hash = $1',
      [hash],
    );
    expect(row.text).toContain('"ended":null');
    expect(row.text).not.toContain(token);
    expect(service.logs.join('')).not.toContain(token);
  });
});

describe('what is offered', () => {
  it('A16: the token shows the invitation without an account, and changes nothing', async () => {
    const invited = await invite();
    const before = await service.sql('select * from agreement where partner_id is not null order by id');
    const { status, body, headers } = await show(invited);
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(body).toMatchObject({
      id: invited.id,
      partner: { id: partner, name: 'Nordlys AS' },
      inviter: { name: 'Olga Owner' },
      email: invited.email,
      has_account: false,
      owner: false,
      expires_at: null,
    });
    await expectStatus(200, ask('HEAD', invited));
    expect(await service.sql('select * from agreement where partner_id is not null order by id')).toEqual(
      before,
    );
    await expectStatus(200, show(invited));
    succeed(await signUp(invited.email, invited.token));
    expect((await show(invited)).body.has_account).toBe(true);
  });

  it('A16: an unknown token is 400, and so is that of another agreement; the header is required, once', async () => {
    const [one, other] = [await invite(), await invite()];
    const garbled = [
      { ...one, token: one.token.slice(0, -1) + (one.token.endsWith('x') ? 'y' : 'x') },
      { ...one, token: other.token },
      { ...one, token: 'x' },
    ];
    expect(await codes(garbled.map(show))).toEqual(Array(3).fill('400 invalid_token'));
    expect(await codes([show({ ...one, id: 'agr_x' })])).toEqual(['400 invalid_token']);
    const path = `/invitations/${one.id}`;
    const twice = { headers: { 'invitation-token': [one.token, one.token] } };
    expect(await codes([service.get(path), service.request('GET', path, twice)])).toEqual(
      Array(2).fill('400 invalid_request'),
    );
  });
});

describe('a new person', () => {
  it('T23, A16: comes from the mail to membership with the link alone: signs up, signs in, accepts', async () => {
    const invited = await invite();
    succeed(await signUp(invited.email, invited.token));
    const session = await service.signIn(invited.email.toLowerCase(), password);
    const accepted = await accept(invited, session);
    expect([accepted.status, accepted.body.accepted, accepted.body.user.name]).toEqual([200, true, 'Ann']);
    expect((await service.get('/me/agreements', session)).body).toHaveLength(1);
    expect(await codes([show(invited), accept(invited, session), decline(invited, session)])).toEqual(
      Array(3).fill('400 invitation_used'),
    );
    await untilSent(service);
    expect(mailbox.to(invited.email)).toEqual([]);
  });

  it('T23: only the invited address, once, and without a token that has ended', async () => {
    const invited = await invite();
    expect(await codes([signUp('other@concord.test', invited.token), signUp(invited.email, 'x')])).toEqual([
      '403 invitation_for_other',
      '400 invalid_token',
    ]);
    const second = await invite(invited.email, await ownPartner());
    const answers = await codes([
      signUp(invited.email, invited.token),
      signUp(invited.email, invited.token),
      signUp(invited.email, second.token),
    ]);
    expect(answers.toSorted()).toEqual(['200 ok', '400 account_exists', '400 account_exists']);
    const other = await invite();
    await resend(other.id, other.email);
    expect(await codes([signUp(other.email, other.token)])).toEqual(['400 invitation_replaced']);
    const raced = await invite();
    const end = `select auth.end_invitation_token($1, 'replaced')`;
    const race = () => signUp(raced.email, raced.token);
    const late = meanwhile(service.database, end, [uuidOf(raced.id)], race);
    expect(await codes([late])).toEqual(['400 invitation_replaced']);
    expect(
      await service.sql('select from auth."user" where email = $1', [other.email.toLowerCase()]),
    ).toEqual([]);
  });

  it('T23: a sign-up that a stranger began for the address ends', async () => {
    const invited = await invite();
    const body = { name: 'Eve', email: invited.email, password: 'a password of a stranger' };
    await service.post('/api/auth/sign-up/email', body, null);
    const [, theirs] =
      /#token=(\S+)/.exec((await mailbox.next(invited.email.toLowerCase())).text ?? '') ?? [];
    succeed(await signUp(invited.email, invited.token));
    expect(
      await service.sql('select from auth.pending_sign_up where email = $1', [invited.email.toLowerCase()]),
    ).toEqual([]);
    const verify = { token: theirs, password: body.password };
    expect(await codes([service.post('/api/auth/verify-email', verify, null)])).toEqual([
      '400 invalid_token',
    ]);
    expect(await service.signIn(invited.email, password)).toEqual(expect.any(String));
  });
});

const ownPartner = async () => {
  const at = await cast.partner('Elsewhere');
  await cast.join(at, owner, { owner: true });
  return at;
};

describe('answers', () => {
  const inviteUser = async (traits = {}) => {
    const player = await cast.user(traits);
    return { ...(await invite(player.email)), player };
  };

  it('A16: only a session of the invited, verified user answers', async () => {
    const invited = await inviteUser();
    const stranger = await cast.user();
    const program = await cast.accessToken(invited.player, [acl('*')]);
    for (const answer of [accept, decline]) {
      expect(
        await codes([answer(invited, null), answer(invited, program), answer(invited, stranger.token)]),
      ).toEqual(['401 unauthenticated', '403 forbidden', '403 invitation_for_other']);
    }
    const unverified = await inviteUser({ verified: false });
    expect(await codes([accept(unverified, unverified.player.token)])).toEqual(['403 email_not_verified']);
    expect(await codes([decline(invited, invited.player.token)])).toEqual(['204 ok']);
    expect(await codes([show(invited)])).toEqual(['400 invitation_used']);
    expect((await service.get('/me/agreements', invited.player.token)).body).toEqual([]);
  });

  it('A15, A16: PATCH still accepts without the token, and ends it', async () => {
    const invited = await inviteUser();
    succeed(await cast.change(partner, invited.id, { accepted: true }, invited.player.token));
    expect(await codes([show(invited), accept(invited, invited.player.token)])).toEqual(
      Array(2).fill('400 invitation_used'),
    );
  });

  it('A16, A9: an invitation that requires a second factor is declined without it, but not accepted', async () => {
    const invited = await inviteUser({ secondFactor: 'missing' });
    succeed(await cast.change(partner, invited.id, { mfa_required: true }));
    expect(await codes([accept(invited, invited.player.token)])).toEqual(['403 mfa_required']);
    expect(await codes([decline(invited, invited.player.token)])).toEqual(['204 ok']);
    const proven = await inviteUser({ secondFactor: 'proven' });
    succeed(await cast.change(partner, proven.id, { mfa_required: true }));
    await expectStatus(200, accept(proven, proven.player.token));
  });

  it('A15, A16: sending it again ends the older token; so do a deletion and a hidden partner, with a code of their own', async () => {
    const at = await ownPartner();
    const [sent, deleted, hidden] = [await inviteUser(), await inviteUser(), await invite(newEmail(), at)];
    const newer = { ...sent, token: await resend(sent.id, sent.email) };
    expect(await codes([show(sent), accept(sent, sent.player.token), show(newer)])).toEqual([
      ...Array(2).fill('400 invitation_replaced'),
      '200 ok',
    ]);
    await service.remove(`/partners/${partner}/agreements/${deleted.id}`, owner.token);
    await service.remove(`/partners/${at}`);
    expect(await codes([show(deleted), accept(deleted, deleted.player.token), show(hidden)])).toEqual(
      Array(3).fill('400 invitation_withdrawn'),
    );
  });

  it('A16: of an acceptance and a declination at once, one wins; the loser gets invitation_used', async () => {
    for (let round = 0; round < 5; round++) {
      const invited = await inviteUser();
      const { token } = invited.player;
      const answers = await codes([accept(invited, token), decline(invited, token), accept(invited, token)]);
      expect(answers.filter((answer) => answer === '400 invitation_used')).toHaveLength(2);
    }
  });

  it('A16, A14: a member who accepts for another address gets already_member, and the invitation is gone', async () => {
    const member = await cast.member(partner);
    const address = newEmail().toLowerCase();
    const invited = await invite(address);
    await cast.set(member.id, { email: address });
    expect(await codes([accept(invited, member.token)])).toEqual(['400 already_member']);
    expect(await codes([show(invited)])).toEqual(['400 invitation_withdrawn']);
  });
});

describe('answers that are repeated', () => {
  const answer = (path: string, { id, token }: Shown, bearer: string, key: string) =>
    service.request('POST', `/invitations/${id}/${path}`, {
      token: bearer,
      headers: { 'invitation-token': token, 'idempotency-key': key },
    });

  it('A21, C2: a repeated acceptance or declination gets the first answer, and has no second effect', async () => {
    for (const path of ['accept', 'decline']) {
      const player = await cast.user();
      const invited = await invite(player.email);
      const first = await answer(path, invited, player.token, 'once');
      const records = () => service.sql('select from audit_log where target = $1', [invited.id]);
      const before = (await records()).length;
      const again = await answer(path, invited, player.token, 'once');
      expect([again.status, again.text, again.headers.etag]).toEqual([
        first.status,
        first.text,
        first.headers.etag,
      ]);
      expect([first.status, first.headers['idempotent-replayed']]).toEqual([
        path === 'accept' ? 200 : 204,
        undefined,
      ]);
      expect([again.headers['idempotent-replayed'], (await records()).length]).toEqual(['true', before]);
      expect(await codes([answer(path, invited, player.token, 'another')])).toEqual(['400 invitation_used']);
      const other = { ...invited, token: (await invite()).token };
      await expectStatus(422, answer(path, other, player.token, 'once'));
      // Another caller has keys of their own, and a session that has ended gets nothing.
      expect(await codes([answer(path, invited, (await cast.user()).token, 'once')])).toEqual([
        '400 invitation_used',
      ]);
      await service.sql('delete from auth.session where user_id = $1', [player.id]);
      await expectStatus(401, answer(path, invited, player.token, 'once'));
    }
  });

  it('A21: the ETag of an acceptance is that of the agreement', async () => {
    const player = await cast.user();
    const invited = await invite(player.email);
    const { headers } = await accept(invited, player.token);
    const path = `/partners/${partner}/agreements/${invited.id}`;
    expect((await service.get(path, player.token)).headers.etag).toBe(headers.etag);
    expect(headers.etag).toMatch(/^"/);
  });

  it('A21, A14: a refused answer is not kept', async () => {
    const player = await cast.user();
    const invited = await invite(player.email);
    await cast.set(player.id, { email_verified: false });
    expect(await codes([answer('accept', invited, player.token, 'k')])).toEqual(['403 email_not_verified']);
    await cast.set(player.id, { email_verified: true });
    expect(await codes([answer('accept', invited, player.token, 'k')])).toEqual(['200 ok']);
    const address = newEmail().toLowerCase();
    const second = await invite(address);
    await cast.set(player.id, { email: address });
    expect(await codes([answer('accept', second, player.token, 'k')])).toEqual(['400 already_member']);
    expect(await codes([answer('accept', second, player.token, 'k')])).toEqual(['400 invitation_withdrawn']);
  });
});

describe('an operator', () => {
  it('A22: accepts by the link as with PATCH: CONCORD_OPERATOR_MFA asks them for a second factor, and the agreement does not', async () => {
    const strict = await openService({
      CONCORD_SMTP_URL: mailbox.url,
      CONCORD_OPERATOR_MFA: 'required',
    });
    for (const at of [service, strict]) {
      const people = createCast(at);
      const { sql: run } = at.database;
      // An operator who may invite.
      const setter = await people.user({ secondFactor: 'proven' });
      const token = await people.appoint(setter, true);
      const { id: home } = succeed(await at.request('POST', '/partners', { token, body: { name: 'Acme' } }));
      for (const way of ['link', 'PATCH']) {
        for (const asked of [true, false]) {
          const player = await people.user({ secondFactor: 'missing' });
          const unproven = await people.appoint(player);
          const { id } = succeed(await people.invite(home, player.email, {}, token));
          const link = linkIn(await mailbox.next(player.email)).hash.slice(1);
          succeed(await people.change(home, id, { mfa_required: asked }, token));
          const answer = (bearer: string) =>
            way === 'PATCH'
              ? people.change(home, id, { accepted: true }, bearer)
              : at.request('POST', `/invitations/${id}/accept`, {
                  token: bearer,
                  headers: { 'invitation-token': link },
                });
          const told = `${way}, ${at === strict ? 'strict' : 'not strict'}, the agreement asks: ${asked}`;
          if (at === strict)
            expect([told, ...(await codes([answer(unproven)]))]).toEqual([told, '403 mfa_required']);
          const bearer = at === strict ? await people.session(player.id, true) : unproven;
          expect([told, ...(await codes([answer(bearer)]))]).toEqual([told, '200 ok']);
        }
      }
      const declining = await people.user();
      const bearer = await people.appoint(declining);
      const { id } = succeed(await people.invite(home, declining.email, {}, token));
      const link = linkIn(await mailbox.next(declining.email)).hash.slice(1);
      const decline = { token: bearer, headers: { 'invitation-token': link } };
      expect(await codes([at.request('POST', `/invitations/${id}/decline`, decline)])).toEqual(['204 ok']);
      expect(await run('select from agreement where email_key = $1', [declining.email])).toEqual([]);
    }
  });
});

// The last test: a task deletes the sessions of the others when the clock moves.
it('A15, A16: a token lasts seven days, and says for 30 more days why it does not work', async () => {
  const invited = await invite();
  const dayMs = 24 * 60 * 60_000;
  await service.advanceClock(7 * dayMs - 60_000);
  await expectStatus(200, show(invited));
  await service.advanceClock(7 * dayMs);
  expect(await codes([show(invited), signUp(invited.email, invited.token)])).toEqual(
    Array(2).fill('400 invitation_expired'),
  );
  await service.advanceClock(36 * dayMs);
  await service.runTask('delete expired sessions and tokens');
  expect(await codes([show(invited)])).toEqual(['400 invitation_expired']);
  await service.advanceClock(38 * dayMs);
  await service.runTask('delete expired sessions and tokens');
  expect(await codes([show(invited)])).toEqual(['400 invalid_token']);
});
