// The wire of packages.
import { type Static, Type } from 'typebox';
import { Closed } from '../../base/http/schemas.ts';

const version = '0.2.0';
const base = 'https://concord.example.com/packages';

export const Package = Closed(
  'PublishedPackage',
  {
    name: Type.String({ description: 'The name by which programs import it' }),
    version: Type.String({ description: 'The version of Concord that it belongs to' }),
    url: Type.String({ format: 'uri', description: 'The tarball of the running version' }),
    immutable_url: Type.String({
      format: 'uri',
      description: 'Always the same tarball. After an upgrade, the answer is 404',
    }),
    integrity: Type.String({
      description: 'The SHA-512 of the tarball, as in package-lock.json (Subresource Integrity)',
    }),
    size: Type.Integer({ minimum: 0, description: 'In bytes' }),
  },
  {
    name: '@concord/client',
    version,
    url: `${base}/client.tgz`,
    immutable_url: `${base}/client-${version}-5f3dbaff5f0077d7.tgz`,
    integrity:
      'sha512-9r8Kz1vO0G0ZyFbHyfpSz9BvTq0Yl7oEBbF0hP2y4yJ3w1m0c8m6m0kq2nq6l3v5w5oYcZ5o0bq4v8i7fO2t1A==',
    size: 124_163,
  },
);
export type Package = Static<typeof Package>;
