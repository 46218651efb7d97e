// Compares evaluations with the reference model of access, and with what the API itself does for the same person. FUZZ_SEED repeats a run.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Caller, type Facts, judge } from '../access/access-model.ts';
import { namedResources } from '../access/access-operation.ts';
import { acl, type Cast, createCast, hasEnded, may, type Player, succeed, times } from '../stage/cast.ts';
import { inForm } from '../stage/form.ts';
import { createRandom, seed } from '../stage/random.ts';
import { operator as operatorOfTests, startTestService, type TestService } from '../stage/start-service.ts';

const batches = inForm({ short: 3, long: 80 });

const methods = ['get', 'put', 'post', 'patch', 'delete', 'query'];
const permissions = namedResources.flatMap((resource) =>
  methods.map((method) => [resource, method] as const),
);
/** Each reads something of a partner. */
const reads: readonly [path: string, resource: string, method: string][] = [
  ['', 'partner', 'get'],
  ['/agreements', 'agreements', 'query'],
  ['/acl-permission-groups', 'acl_permission_groups', 'query'],
  ['/acl-permission-groups/default', 'acl_permission_groups', 'get'],
  ['/audit-log', 'audit_log', 'query'],
  ['/webhook-endpoints', 'webhook_endpoints', 'query'],
  ['/events', 'events', 'query'],
  ['/deliveries', 'deliveries', 'query'],
];

type Person = { name: string; id: string; email: string; caller: Caller; banned?: true };
type Asker = { name: string; token: string; caller: Caller };
type Stage = {
  service: TestService;
  cast: Cast;
  partners: string[];
  people: Person[];
  askers: Asker[];
  facts: Facts;
};

/** One service asks operators for a second factor, the other does not. */
const stages: Stage[] = [];
beforeAll(async () => {
  for (const strict of [false, true]) stages.push(await setStage(strict));
});
afterAll(async () => {
  for (const { service } of stages) await service.stop();
});

async function setStage(strict: boolean): Promise<Stage> {
  const service = await startTestService({
    CONCORD_LOG_LEVEL: 'error',
    CONCORD_OPERATOR_MFA: strict ? 'required' : 'optional',
  });
  // The operator who sets the stage has proven a second factor. Enabling it ends sessions, so the operator gets a proven one back.
  await service.sql(`update auth."user" set two_factor_enabled = true where email = $1`, [
    operatorOfTests.email,
  ]);
  await service.sql(
    `insert into auth.session (id, user_id, token, expires_at, updated_at, mfa_verified_at)
     select 'operator', id, encode(sha256($1), 'hex'), now() + interval '1 day', now(), now() from auth."user" where email = $2`,
    [service.operatorToken, operatorOfTests.email],
  );
  const cast = createCast(service);
  const partners = [await cast.partner(), await cast.partner()];
  const [home = '', away = ''] = partners;
  const facts: Facts = { now: Date.now(), partners, agreements: [], operatorsNeedSecondFactor: strict };
  const people: Person[] = [];
  const askers: Asker[] = [];
  const deleted = await cast.partner();

  type Terms = {
    owner?: boolean;
    mfa_required?: boolean;
    expires_at?: string;
    acl_permissions?: ReturnType<typeof acl>[];
  };
  /** The terms with the home partner; null: none. Groups are added as one group. */
  async function add(
    name: string,
    terms: Terms | null,
    more: {
      secondFactor?: Caller['secondFactor'];
      operator?: true;
      banned?: true;
      pending?: true;
      group?: ReturnType<typeof acl>[];
      at?: string;
    } = {},
  ): Promise<Player> {
    const { secondFactor = 'not_enabled', group, at = home } = more;
    const player = await cast.user({ secondFactor });
    const groups = group ? [await cast.group(at, group, name)] : [];
    if (more.pending) succeed(await cast.invite(at, player.email, { owner: true }));
    else if (terms) await cast.join(at, player, { ...terms, acl_permission_group_ids: groups });
    if (terms || more.pending) {
      facts.agreements.push({
        id: name,
        partner: at,
        user: more.pending ? null : player.id,
        email: player.email,
        owner: terms?.owner ?? more.pending ?? false,
        mfa: terms?.mfa_required ?? false,
        expiresAt: terms?.expires_at ? Date.parse(terms.expires_at) : null,
        direct: (terms?.acl_permissions ?? []) as never,
        groups: group ? [group as never] : [],
      });
    }
    const token = more.operator ? await cast.appoint(player, secondFactor === 'proven') : player.token;
    const caller: Caller = {
      userId: player.id,
      email: player.email,
      verified: true,
      operator: more.operator ?? false,
      secondFactor,
      token: null,
    };
    people.push({ name, id: player.id, email: player.email, caller, ...(more.banned && { banned: true }) });
    if (more.banned) succeed(await service.post(`/users/${player.id}/ban`, {}));
    else askers.push({ name, token, caller });
    return { ...player, token };
  }

  const owner = await add('owner', { owner: true });
  await add('lister', may('agreements', 'query'));
  await add('reader', may('*', 'get', 'query'));
  await add('by a group', {}, { group: [acl('events'), acl('agreements', 'query')] });
  await add('all but listing', may('*', 'get', 'put', 'post', 'patch', 'delete'));
  await add('no permissions', {});
  await add('expired', { owner: true, ...hasEnded });
  await add('ending', { owner: true, expires_at: '2990-01-01T00:00:00Z' });
  for (const secondFactor of ['not_enabled', 'missing', 'proven'] as const)
    await add(`asked, ${secondFactor}`, { ...may('*'), mfa_required: true }, { secondFactor });
  await add('invited', null, { pending: true });
  await add('banned', { owner: true }, { banned: true });
  await add('stranger', null);
  await add('owner elsewhere', { owner: true }, { at: away });
  const operator = await add('operator', null, { operator: true });
  await add('operator, proven', {}, { operator: true, secondFactor: 'proven' });

  const byToken = async (name: string, of: Player, scopes: ReturnType<typeof acl>[], at: string[] | null) => {
    const caller = people.find(({ id }) => id === of.id)?.caller as Caller;
    const token = await cast.accessToken(of, scopes, at);
    askers.push({ name, token, caller: { ...caller, token: { scopes: scopes as never, partners: at } } });
  };
  await byToken('token, listing', owner, [acl('agreements', 'query')], null);
  await byToken('token, reading', owner, [acl('*', 'get')], null);
  await byToken('token, elsewhere', owner, [acl('*')], [away]);
  await byToken("operator's token", operator, [acl('agreements', 'query')], null);
  await service.remove(`/partners/${deleted}`);
  partners.push(deleted, 'ptr_01h2xcejqtf2nbrexx3vqjhp41', 'x');
  facts.partners = [home, away];
  return { service, cast, partners, people, askers, facts };
}

/** What the model says of a question: a verdict on the subject, or the code of a refusal of the asker. */
function expected(
  { facts }: Stage,
  asker: Asker,
  subject: Person,
  partner: string,
  [resource, method]: readonly [string, string],
) {
  const asked = { partner, permission: `${resource}.${method}` };
  if (subject.id === asker.caller.userId) return judge(facts, asker.caller, asked);
  const asking = judge(facts, asker.caller, { partner, permission: 'agreements.query' });
  if (asking !== 'allowed') return asking === 'hidden' ? asking : `refused: ${asking}`;
  if (subject.banned) return 'hidden';
  const { secondFactor, operator } = subject.caller;
  // Only operators learn who is an operator.
  const role = { operator: operator && asker.caller.operator };
  return judge(
    facts,
    { ...subject.caller, ...role, secondFactor: secondFactor === 'missing' ? 'proven' : secondFactor },
    asked,
  );
}

type Answer = { decision: boolean; context: { reason?: string; error?: { code: string } } };
function toVerdict({ decision, context: { reason = '', error } }: Answer) {
  if (error) return `refused: ${error.code}`;
  if (decision) return 'allowed';
  return ['not_granted', 'out_of_scope'].includes(reason) ? 'forbidden' : reason;
}

const question = (subject: string, partner: string, [type, name]: readonly [string, string]) => ({
  subject: { type: 'user', id: subject },
  action: { name },
  resource: { type, id: partner },
});
async function ask({ service }: Stage, token: string, evaluations: object[]): Promise<string[]> {
  const answer = await service.post('/access/v1/evaluations', { evaluations }, token);
  return succeed(answer).evaluations.map(toVerdict);
}

it('R7, R3: each answer is that of the reference model, whoever asks about whom', async () => {
  const { pick } = createRandom(seed);
  const seen = new Set<string>();
  for (const stage of stages) {
    for (const asker of stage.askers) {
      for (let batch = 0; batch < batches; batch++) {
        const questions = times(100, () => {
          // Half of the questions are about the partner where most people are, and a quarter about the asker.
          const subject = pick([
            pick(stage.people),
            pick(stage.people),
            pick(stage.people),
            self(stage, asker),
          ]);
          return {
            subject,
            partner: pick([stage.partners[0] ?? '', pick(stage.partners)]),
            permission: pick(permissions),
          };
        });
        const verdicts = await ask(
          stage,
          asker.token,
          questions.map(({ subject, partner, permission }) =>
            question(pick([subject.id, subject.email]), partner, permission),
          ),
        );
        questions.forEach(({ subject, partner, permission }, index) => {
          const told = `seed ${seed}: ${asker.name} asks about ${subject.name} at ${partner}: ${permission}`;
          const verdict = expected(stage, asker, subject, partner, permission);
          expect(verdicts[index], told).toBe(verdict);
          seen.add(`${subject.id === asker.caller.userId ? 'self' : 'other'} ${verdict}`);
        });
      }
    }
  }
  for (const outcome of [
    'self allowed',
    'self hidden',
    'self forbidden',
    'self mfa_required',
    'other allowed',
    'other hidden',
  ])
    expect([...seen]).toContain(outcome);
  for (const outcome of [
    'other forbidden',
    'other mfa_required',
    'other refused: forbidden',
    'other refused: mfa_required',
  ])
    expect([...seen]).toContain(outcome);
});

const self = ({ people }: Stage, { caller }: Asker) =>
  people.find(({ id }) => id === caller.userId) as Person;

/** What the API does for a caller who reads, in the words of a verdict. */
async function read({ service }: Stage, token: string, partner: string, path: string): Promise<string> {
  const { status, body } = await service.get(`/partners/${partner}${path}`, token);
  if (status === 200) return 'allowed';
  return status === 404 ? 'hidden' : body.code;
}

it('R7: the answer is what the API itself does for that person', async () => {
  for (const stage of stages) {
    const { askers, people, partners, service, cast } = stage;
    const places = [partners[0] ?? '', partners[2] ?? ''];
    const questions = (subject: string) =>
      places.flatMap((at) => reads.map(([, resource, method]) => question(subject, at, [resource, method])));
    const readAll = (token: string) =>
      Promise.all(places.flatMap((at) => reads.map(([path]) => read(stage, token, at, path))));
    for (const asker of askers) {
      const answers = await ask(stage, asker.token, questions(asker.caller.email));
      expect([asker.name, answers]).toEqual([asker.name, await readAll(asker.token)]);
    }
    for (const { name, id, caller, banned } of people) {
      const answers = await ask(stage, service.operatorToken, questions(id));
      const session = await cast.session(id, caller.secondFactor !== 'not_enabled');
      if (banned) expect([...new Set(answers)]).toEqual(['hidden']);
      else expect(answers, name).toEqual(await readAll(session));
    }
  }
});
