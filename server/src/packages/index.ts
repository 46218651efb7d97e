// The entry point of packages: serves the client, the receiver and the signatures, of its own version.
import { join } from 'node:path';
import type { Access } from '../access/index.ts';
import type { Feature } from '../base/feature.ts';
import { registerPackageRoutes } from './routes.ts';
import { readTarballs } from './tarballs.ts';

const defaultFolder = join(import.meta.dirname, '../../../packages/dist');

type Options = {
  access: Pick<Access, 'anyone'>;
  baseUrl: string;
  folder?: string;
  onProblem: (error: unknown) => void;
};

export function createPackages({ folder = defaultFolder, onProblem, ...options }: Options): Feature {
  /** The service works without the packages. */
  function readBuild() {
    try {
      return readTarballs(folder);
    } catch (error) {
      onProblem(error);
      return [];
    }
  }
  return {
    routes: (server) => registerPackageRoutes(server, { ...options, tarballs: readBuild() }),
  };
}
