// What accounts know about a person: the profile, the ways to sign in, sessions, access tokens, and changes
// that wait for a link.
import { Type } from 'typebox';
import type { PersonalData } from '../../base/feature.ts';
import { readInBatches } from '../../base/http/lists.ts';
import { closed, NullableString, Timestamp } from '../../base/http/schemas.ts';
import type { Database } from '../../base/postgres/database.ts';
import { withTextTimes } from '../../base/postgres/sql/rows.ts';
import { listPasskeys } from '../factors/passkeys/passkeys.ts';
import { Passkey } from '../factors/passkeys/schema.ts';
import { AccessToken } from '../tokens/schema.ts';
import { tokensOf } from '../tokens/store.ts';
import { User } from '../users/schema.ts';
import { selectUser, toUser } from '../users/store.ts';
import { listAccounts, listSessions } from './own-account.ts';
import * as wire from './schema.ts';
import { selectPendingChanges } from './store.ts';

const PendingChange = Type.Object(
  {
    purpose: Type.String({ description: '`reset_password`, `change_email` or `delete_user`' }),
    email: NullableString('The new address. null: the change is another one'),
    expires_at: Timestamp(),
  },
  closed,
);

export const createPersonalData = (db: Database): PersonalData[] => [
  {
    name: 'profile',
    schema: User,
    single: true,
    async *read({ userId }) {
      const row = await selectUser(db, userId);
      if (!row) throw new Error('The user was deleted during the export');
      yield [toUser(row)];
    },
  },
  {
    name: 'linked_accounts',
    schema: wire.LinkedAccount,
    async *read({ userId }) {
      yield await listAccounts(db, userId);
    },
  },
  {
    name: 'passkeys',
    schema: Passkey,
    async *read({ userId }) {
      yield await listPasskeys(db, userId);
    },
  },
  {
    name: 'sessions',
    schema: wire.Session,
    async *read({ userId, sessionId }) {
      yield await listSessions(db, userId, sessionId);
    },
  },
  {
    name: 'access_tokens',
    schema: AccessToken,
    read: ({ userId }) => readInBatches(tokensOf(db, userId)),
  },
  {
    name: 'pending_changes',
    schema: PendingChange,
    async *read({ userId }) {
      yield (await selectPendingChanges(db, userId)).map(withTextTimes);
    },
  },
];
