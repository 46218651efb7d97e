// A partner with two owners and a member, whose access is reviewed.
import { beforeEach } from 'vitest';
import { createCast, type Member, may, type Player, succeed, uuidOf } from '../stage/cast.ts';
import { untilSent, useMailbox } from '../stage/mailbox.ts';
import { useService } from '../stage/start-service.ts';

type Review = { id: string; state: string; due_at: string; agreements: Record<string, number> };
export const dayMs = 86_400_000;
export const task = 'run access reviews';
export const policyPath = '/access-review-policy';
export const reviewsPath = '/access-reviews';

/** For one file of tests. Each test has people of its own: `people()`. */
export function useReviews() {
  const mailbox = useMailbox();
  const service = useService(() => ({ CONCORD_SMTP_URL: mailbox.url }));
  const cast = createCast(service);

  let partner: string;
  let owner: Member;
  let other: Member;
  let member: Member;
  beforeEach(async () => {
    await service.advanceClock(0);
    await runOnlyByStep();
    // What the tests before left.
    await service.sql('delete from mail');
    await service.sql('delete from access_review_policy');
    await service.sql('delete from access_review');
    partner = await cast.partner('Nordlys');
    owner = await cast.member(partner, { owner: true }, { name: 'Olga Owner' });
    other = await cast.member(partner, { owner: true }, { name: 'Otto Other' });
    member = await cast.member(partner, may('deliveries', 'query'), { name: 'Ann Lee' });
  });

  /** The service's own timer does not run the task, also after a step that has more to do. */
  async function runOnlyByStep() {
    await service.sql(`create or replace function stay_paused() returns trigger language plpgsql as $$
      begin if old.next_at = '-infinity' then new.next_at := 'infinity'; end if; return new; end $$`);
    await service.sql(
      `create or replace trigger stay_paused before update on scheduled_task
       for each row when (new.name = '${task}') execute function stay_paused()`,
    );
    await service.pauseTask(task);
  }
  async function step() {
    await service.runTask(task);
    // It stays due where it has nothing to do.
    await service.pauseTask(task);
  }

  const path = (rest = '') => `/partners/${partner}${rest}`;
  const setPolicy = (body: object, token = owner.token) => service.put(path(policyPath), body, token);
  /** As if everybody had signed in anew. */
  async function advance(ms: number) {
    const at = Date.now() + ms;
    await service.sql('update auth.session set created_at = $1, updated_at = $1, expires_at = $2', [
      new Date(at),
      new Date(at + dayMs),
    ]);
    await service.advanceClock(ms);
  }
  async function pass(ms: number) {
    await advance(ms);
    await step();
  }
  const list = async (token = owner.token): Promise<Review[]> =>
    succeed(await service.get(path(reviewsPath), token));
  async function joinMany(count: number, isOwner = false) {
    await service.sql(
      `with person as (
         insert into auth."user" (id, name, email, email_verified, role)
         select 'usr_' || gen_random_uuid(), 'Person ' || n, gen_random_uuid() || '@concord.test', true, 'user' from generate_series(1, $2::int) n
         returning id, email)
       insert into agreement (id, partner_id, email, email_key, user_id, owner)
       select gen_random_uuid(), $1, email, email, id, $3 from person`,
      [uuidOf(partner), count, isOwner],
    );
  }
  async function openReview(body: object = { interval_days: 90, warning_days: 14 }): Promise<Review> {
    succeed(await setPolicy(body));
    await step();
    const [review] = await list();
    if (!review) throw new Error('No review is open');
    return review;
  }
  const one = (review: { id: string }, rest = '') => path(`${reviewsPath}/${review.id}${rest}`);
  const read = async (review: { id: string }): Promise<Review & Record<string, unknown>> =>
    succeed(await service.get(one(review), owner.token));
  const items = async (review: { id: string }, query = '') =>
    succeed(await service.get(one(review, `/items${query}`), owner.token));
  const decide = (
    review: { id: string },
    { agreement }: { agreement: string },
    verb: string,
    token = owner.token,
  ) => service.request('POST', one(review, `/items/${agreement}/${verb}`), { token });
  const bulk = (review: { id: string }, ids: string[], token = owner.token) =>
    service.post(one(review, '/confirm'), { agreement_ids: ids }, token);
  const decisions = async (review: { id: string }): Promise<Record<string, string>> =>
    Object.fromEntries(
      (await items(review)).map((item: { id: string; decision: string }) => [item.id, item.decision]),
    );
  const works = async ({ token }: Player) => (await service.get(path('/deliveries'), token)).status;
  const agreement = async (of: { agreement: string }) =>
    succeed(await service.get(path(`/agreements/${of.agreement}`)));
  /** Warns, and ends what nobody confirmed, as the days pass. */
  async function finish(days = 14) {
    await pass(days * dayMs + 1_000);
    await pass(2 * days * dayMs + 60_000);
  }

  /** They can arrive in any order. */
  async function mailsTo({ email }: Player, subject = /^Review who|ends soon$/) {
    await untilSent(service);
    return mailbox
      .to(email)
      .filter((mail) => subject.test(mail.subject ?? ''))
      .map((mail) => `${mail.subject}\n${mail.text}`);
  }

  return {
    people: () => ({ partner, owner, other, member }),
    mailbox,
    service,
    cast,
    task,
    path,
    setPolicy,
    advance,
    step,
    pass,
    list,
    joinMany,
    openReview,
    one,
    read,
    items,
    decide,
    bulk,
    decisions,
    works,
    agreement,
    finish,
    mailsTo,
  };
}
