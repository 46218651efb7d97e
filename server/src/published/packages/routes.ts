// The HTTP of packages: their list, and their tarballs.
import { Type } from 'typebox';
import { type Access, createRoutes } from '../../access/index.ts';
import { ServiceError } from '../../base/errors.ts';
import { isKnown } from '../../base/http/entity-tag.ts';
import { readHeaders } from '../../base/http/request-headers.ts';
import { PathId } from '../../base/http/schemas.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { Package } from './schema.ts';
import type { Tarball } from './tarballs.ts';

type Options = { access: Pick<Access, 'anyone'>; baseUrl: string; tarballs: readonly Tarball[] };

export function registerPackageRoutes(server: HttpServer, { access, baseUrl, tarballs }: Options): void {
  const routes = createRoutes(server, 'Packages');
  const urlOf = (file: string) => `${baseUrl}/packages/${file}`;
  const packages = tarballs.map(({ name, version, file, immutableFile, integrity, content }) => ({
    name,
    version,
    url: urlOf(file),
    immutable_url: urlOf(immutableFile),
    integrity,
    size: content.length,
  }));
  const files = new Map(
    tarballs.flatMap((tarball) => [
      [tarball.file, { tarball, cacheControl: 'no-cache' }],
      [tarball.immutableFile, { tarball, cacheControl: 'public, max-age=31536000, immutable' }],
    ]),
  );

  routes.read('/packages', {
    operationId: 'listPackages',
    summary: 'List the packages that programs can install',
    description:
      'npm installs them by their URL. Their version is that of this Concord. The list is empty if they were not built.',
    access: access.anyone,
    answer: Type.Array(Package),
    run({ reply }) {
      void reply.header('cache-control', 'no-cache');
      return packages;
    },
  });

  routes.plain('GET', '/packages/:file', {
    operationId: 'downloadPackage',
    summary: 'Get the tarball of a package',
    description:
      '`client.tgz` is the tarball of the running version. A name with version and hash, as in `immutable_url`, always gets the same tarball.',
    access: access.anyone,
    params: Type.Object({ file: PathId('The end of a URL of the list') }),
    schema: { headers: readHeaders },
    errors: [404],
    headers: ['ETag'],
    answer: Type.Unsafe<never>({
      description: 'A compressed tarball, as npm takes it',
      content: { 'application/gzip': { schema: Type.String({ format: 'binary' }) } },
    }),
    run({ params, request, reply }) {
      const found = files.get(params.file);
      // No cache may keep this: during an upgrade, another instance can have the file.
      if (!found) throw new ServiceError('not_found', { headers: { 'cache-control': 'no-store' } });
      const { tarball, cacheControl } = found;
      void reply.header('cache-control', cacheControl);
      if (isKnown(request, reply, tarball.etag)) return reply.code(304).send();
      return reply.type('application/gzip').send(tarball.content);
    },
  });
}
