// The wire of service accounts.
import { Type } from 'typebox';
import { listQuery } from '../../http/lists.ts';
import { PathId, Text, Timestamp } from '../../http/schemas.ts';

const closed = { additionalProperties: false };
export const ServiceAccount = Type.Object(
  { id: Type.String(), name: Type.String(), agreement_id: Type.String(), created_at: Timestamp() },
  { title: 'ServiceAccount', ...closed },
);
export const CreateServiceAccount = Type.Object({ name: Text(255) }, { title: 'CreateServiceAccount', ...closed });

const path = { id: PathId('The partner'), service_account_id: PathId('The service account') };
export const ServiceAccountPath = Type.Object(path);
export const ServiceAccountTokenPath = Type.Object({ ...path, token_id: PathId('The access token') });

export const serviceAccountList = { kind: 'user', sortable: { created_at: 'timestamp' }, filters: {} } as const;
export const ServiceAccountListQuery = listQuery(serviceAccountList);
