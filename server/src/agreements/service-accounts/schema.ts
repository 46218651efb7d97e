// The wire of service accounts.
import { Type } from 'typebox';
import { Closed, Text, Timestamp } from '../../base/http/schemas.ts';

export const ServiceAccount = Closed(
  'ServiceAccount',
  {
    id: Type.String({ pattern: '^usr_', description: 'The id of its user' }),
    name: Type.String(),
    agreement_id: Type.String({ pattern: '^agr_', description: 'The agreement that gives it permissions' }),
    created_at: Timestamp(),
  },
  {
    id: 'usr_01h2xcejqtf2nbrexx3vqjhp41',
    name: 'Warehouse sync',
    agreement_id: 'agr_01h2xcejqtf2nbrexx3vqjhp41',
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
