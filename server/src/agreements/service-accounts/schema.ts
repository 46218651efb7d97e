// The wire of service accounts.
import { Type } from 'typebox';
import { Closed, exampleId, Id, Text, Timestamp } from '../../base/http/schemas.ts';

export const ServiceAccount = Closed(
  'ServiceAccount',
  {
    id: Id('usr', 'The id of its user'),
    name: Type.String(),
    agreement_id: Id('agr', 'The agreement that gives it permissions'),
    created_at: Timestamp(),
  },
  {
    id: exampleId('usr'),
    name: 'Warehouse sync',
    agreement_id: exampleId('agr'),
    created_at: '2026-01-31T08:00:00.000Z',
  },
);
export const CreateServiceAccount = Closed(
  'CreateServiceAccount',
  { name: Text(255) },
  { name: 'Warehouse sync' },
);

export const serviceAccountList = {
  kind: 'user',
  sortable: { created_at: 'timestamp' },
  filters: {},
} as const;
