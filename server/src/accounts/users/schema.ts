// The wire of users, for operators.
import { Type } from 'typebox';
import { listQuery } from '../../http/lists.ts';
import { NullableMoment, NullableString, NullableText, PathId, Timestamp } from '../../http/schemas.ts';

const closed = { additionalProperties: false };

export const User = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    email_verified: Type.Boolean(),
    role: Type.Enum(['operator', 'user']),
    banned: Type.Boolean(),
    ban_reason: NullableString(),
    ban_expires_at: NullableString(),
    two_factor_enabled: Type.Boolean(),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'User', ...closed },
);
export const UserPath = Type.Object({ id: PathId('The user') });
export const BanUser = Type.Object(
  {
    reason: Type.Optional(NullableText(255)),
    expires_at: Type.Optional(NullableMoment('When the ban ends by itself; null: never')),
  },
  { title: 'BanUser', ...closed },
);
export const OrphanQuery = Type.Object({
  orphan: Type.Optional(
    Type.Boolean({ description: 'Also when a partner loses its last owner by it (operators). Default: false' }),
  ),
});
export const SetUserRole = Type.Object({ role: Type.Enum(['operator', 'user']) }, { title: 'SetUserRole', ...closed });

export const userList = {
  kind: 'user',
  sortable: { email: 'text', name: 'text', created_at: 'timestamp' },
  filters: {
    email: 'Users whose e-mail contains this text, in any case',
    name: 'Users whose name contains this text, in any case',
  },
} as const;
export const UserListQuery = listQuery(userList);
