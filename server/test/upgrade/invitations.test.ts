// Invitations of a database from before their mails had links.
import { expect, it } from 'vitest';
import { newId, parseId } from '../../src/base/ids.ts';
import { createCast, succeed } from '../cast.ts';
import { startMailbox } from '../mailbox.ts';
import { startTestService } from '../start-service.ts';
import { createOlderDatabase } from './older-database.ts';

it('A15, A16: an older invitation is accepted with PATCH as its mail says, and sending it again mails a link', async () => {
  const old = await createOlderDatabase('0024');
  const partner = newId('partner');
  await old.sql(`insert into partner (id, name) values ($1, 'Acme')`, [parseId('partner', partner)]);
  const emails = ['asked@concord.test', 'again@concord.test'];
  const [asked = '', again = ''] = emails.map(() => newId('agreement'));
  for (const [index, id] of [asked, again].entries()) {
    await old.sql(
      `insert into agreement (id, partner_id, email, email_key, owner) values ($1, $2, $3, $3, false)`,
      [parseId('agreement', id), parseId('partner', partner), emails[index]],
    );
  }

  const mailbox = await startMailbox();
  const service = await startTestService({ CONCORD_SMTP_URL: mailbox.url }, () => old.url);
  const cast = createCast({ ...service, database: { ...service.database, sql: old.sql } });
  const player = await cast.user();
  await old.sql('update auth."user" set email = $1 where id = $2', [emails[0], player.id]);
  expect((await cast.change(partner, asked, { accepted: true }, player.token)).body.accepted).toBe(true);
  succeed(await service.request('POST', `/partners/${partner}/agreements/${again}/resend`));
  const [, token = ''] = /#(\S+)/.exec((await mailbox.next('again@concord.test')).text ?? '') ?? [];
  const shown = await service.request('GET', `/invitations/${again}`, {
    token: null,
    headers: { 'invitation-token': token },
  });
  expect([shown.status, shown.body.email]).toEqual([200, 'again@concord.test']);
  await service.stop();
  await mailbox.close();
  await old.drop();
});
