import type { AclPermission } from '@concord/client';
import { expect, it } from 'vitest';
import type { Method } from './permissions.ts';
import { inWords } from './terms.ts';

const none = { get: false, query: false, post: false, patch: false, put: false, delete: false };
const grant = (resource: AclPermission['resource'], ...methods: Method[]): AclPermission => ({
  ...none,
  resource,
  ...Object.fromEntries(methods.map((method) => [method, true])),
});

it('B67: permissions in words are a sentence', () => {
  expect(inWords([grant('partner', 'get', 'query', 'post', 'patch')])).toBe(
    'Read, list, create and change partners',
  );
  expect(inWords([grant('deliveries', 'get', 'query'), grant('audit_log', 'query')])).toBe(
    'Read and list deliveries; list the audit log',
  );
  const all = ['get', 'query', 'post', 'patch', 'put', 'delete'] as const;
  expect(inWords([grant('events', ...all)])).toBe('Full access to events');
  expect(inWords([grant('*', ...all)])).toBe('Full access to everything');
  expect(inWords([grant('events')])).toBe('Grants nothing');
});
