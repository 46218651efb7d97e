// Links of users to providers: what must hold before better-auth makes one, the rows in the audit log, and
// unlinking.
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../access/index.ts';
import { invalidRequest, ServiceError } from '../../base/errors.ts';
import type { Database } from '../../base/postgres/database.ts';
import { byProvider, recordOwn } from '../audited.ts';
import type { Providers } from '../better-auth/better-auth.ts';
import type { BeforeLink } from '../better-auth/verified-addresses.ts';
import type { Notices } from '../notices/notices.ts';
import { done } from '../schema.ts';
import { changeOwn } from '../users/own-change.ts';
import * as store from './store.ts';

/** The provider id of the password, as better-auth names it. */
const password = 'credential';

type Options = { db: Database; providers: Providers; notices: Notices };

export function createProviderLinks({ db, providers, notices }: Options) {
  /** A link to a provider that is no longer configured signs nobody in. */
  const configured = new Set(Object.entries(providers).flatMap(([name, client]) => (client ? [name] : [])));
  const signsIn = ({ provider_id: name }: { provider_id: string }) =>
    name === password || configured.has(name);

  const linkEntry = (...by: Parameters<typeof byProvider>) => ({
    actor: byProvider(...by),
    action: 'account.link_provider',
    details: { provider: by[2] },
  });

  const beforeLink: BeforeLink = async ({ userId, provider, requestId, asked }) => {
    if (!asked && (await store.isUnlinked(db, userId, provider))) return false;
    const request = { id: requestId, ip: null };
    await recordOwn(db, { ...linkEntry(request, userId, provider), outcome: 'intended' });
    return true;
  };

  return {
    beforeLink,

    /**
     * Records a link that better-auth has committed, and tells the user. The caller gets no session if this
     * fails.
     */
    linked: (request: FastifyRequest, provider: string, userId: string) =>
      db.transaction(async (tx) => {
        await store.forgetUnlinked(tx, userId, provider);
        await recordOwn(tx, {
          ...linkEntry(request, userId, provider),
          changes: { linked_account: { before: null, after: provider } },
        });
        await notices.tell(tx, request, { userId, kind: 'provider_linked' });
      }),

    /** Ends no session: the user who is signed in does this. */
    async unlink(request: FastifyRequest, caller: Caller, id: string) {
      // One change at a time, so that two of them cannot remove the last two ways to sign in.
      await changeOwn(db, caller, async (tx, { actor, principal: { userId } }) => {
        const links = await store.selectLinks(tx, userId);
        const link = links.find((each) => each.id === id);
        if (!link) throw new ServiceError('not_found');
        const provider = link.provider_id;
        if (provider === password)
          throw invalidRequest('/id', 'must be the id of an account of a provider, not of the password');
        if (!links.some((each) => each.id !== id && signsIn(each)))
          throw new ServiceError('last_way_to_sign_in');
        await store.deleteLink(tx, userId, link);
        const action = 'account.unlink_provider';
        const changes = { linked_account: { before: provider, after: null } };
        await recordOwn(tx, { actor, action, details: { provider }, changes });
        await notices.tell(tx, request, { userId, kind: 'provider_unlinked' });
      });
      return done;
    },
  };
}
