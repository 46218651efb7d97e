// The entry point of what Concord publishes of itself, of its own version: packages and documents.
import { join } from 'node:path';
import type { Access } from '../access/index.ts';
import type { Feature } from '../base/feature.ts';
import { readDocuments } from './documents/documents.ts';
import { registerDocumentRoutes } from './documents/routes.ts';
import { registerPackageRoutes } from './packages/routes.ts';
import { readTarballs } from './packages/tarballs.ts';

const root = join(import.meta.dirname, '../../..');

type Options = {
  access: Pick<Access, 'anyone'>;
  baseUrl: string;
  /** By default those of the sources. */
  folders?: { packages: string; documents: string };
  onProblem: (what: 'packages' | 'documents', error: unknown) => void;
};

export function createPublished({ folders, onProblem, ...options }: Options): Feature {
  const { packages, documents } = folders ?? {
    packages: join(root, 'packages/dist'),
    documents: join(root, 'docs'),
  };
  /** The service works without them. */
  function tryRead<Item>(what: 'packages' | 'documents', read: () => Item[]): Item[] {
    try {
      return read();
    } catch (error) {
      onProblem(what, error);
      return [];
    }
  }
  return {
    routes(server) {
      const tarballs = tryRead('packages', () => readTarballs(packages));
      registerPackageRoutes(server, { ...options, tarballs });
      const texts = tryRead('documents', () => readDocuments(documents, options.baseUrl));
      registerDocumentRoutes(server, { ...options, documents: texts });
    },
  };
}
