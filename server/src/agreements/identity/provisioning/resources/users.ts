// How users of a directory are written. An active one with an address of the connection has an agreement.

import { emailKey } from '../../../../base/email.ts';
import { ScimError } from '../../../../base/http/scim.ts';
import type { Transaction } from '../../../../base/postgres/database.ts';
import { selectAgreement } from '../../../store.ts';
import { userKind } from '../protocol/attributes.ts';
import { isActive } from '../protocol/document.ts';
import { chooseAddress, endAgreement, type Settling } from '../settling/settling.ts';
import * as store from './store.ts';
import { recordResource, type Writer } from './writing.ts';

const maxUsers = 10_000;

export function createUsers(settling: Settling): Writer {
  return {
    async write(by, before, document) {
      const { tx, connectionId } = by;
      if (!before && (await store.countResources(tx, userKind, connectionId)) >= maxUsers)
        throw new ScimError(400, 'tooMany', `A connection can have at most ${maxUsers} users.`);
      const active = isActive(document);
      const wasActive = before !== null && isActive(before.document);
      const held = wasActive || !active ? (before?.emailKey ?? null) : null;
      const address = chooseAddress(document, await store.selectDomains(tx, connectionId), held);
      if (active && address === null && emailKey(String(document.userName)) !== null)
        throw new ScimError(
          400,
          'invalidValue',
          'Neither userName nor emails have an address of a verified domain of the connection.',
        );
      const id = before?.id ?? null;
      // Before anything is written, so that a refusal to join commits nothing else.
      const taken = await store.selectTaken(tx, connectionId, id, {
        userName: String(document.userName),
        externalId: document.externalId === undefined ? null : String(document.externalId),
        key: address?.key ?? null,
      });
      if (taken !== undefined) throw new ScimError(409, 'uniqueness', `Another user has this ${taken}.`);
      const agreementId = await settling.settle(by, before, active, address);
      const row = { document, emailKey: address?.key ?? null, agreementId };
      const written = await store.writeResource(tx, userKind, by, id, row);
      await recordResource(by, {
        kind: userKind,
        id: written,
        before: before?.document ?? null,
        after: document,
        subject: await findSubject(tx, row),
      });
      return written;
    },

    async remove(by, row) {
      const subject = await findSubject(by.tx, row);
      if (row.agreementId !== null) await endAgreement(by, row.agreementId);
      await store.touchGroupsOf(by.tx, row.id);
      await store.deleteResource(by.tx, userKind, row.id);
      await recordResource(by, {
        kind: userKind,
        id: row.id,
        before: row.document,
        after: null,
        subject,
      });
    },
  };
}

/** The account, if there is one: the address at the directory can change. */
async function findSubject(
  tx: Transaction,
  { agreementId, emailKey: key }: Pick<store.ResourceRow, 'agreementId' | 'emailKey'>,
) {
  const agreement = agreementId === null ? null : await selectAgreement(tx, agreementId);
  return agreement?.user_id ?? key;
}
