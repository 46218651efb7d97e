// The entry point of the console: serves the built console and its settings.
import { join } from 'node:path';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { Feature } from '../base/feature.ts';
import { readFiles } from './files.ts';
import { registerConsoleFiles } from './serve.ts';
import { registerSettingsRoute, type SettingsOptions } from './settings.ts';

const defaultFolder = join(import.meta.dirname, '../../../console/dist');

type Options = SettingsOptions & {
  /** The settings are open to anyone, and count against the limit of the address. */
  access: onRequestAsyncHookHandler;
  folder?: string;
  onProblem: (error: unknown) => void;
};

export function createConsole({ folder = defaultFolder, onProblem, ...options }: Options): Feature {
  /** The service works without the console. */
  function readBuild() {
    try {
      return readFiles(folder);
    } catch (error) {
      onProblem(error);
      return null;
    }
  }
  return {
    routes(server) {
      registerSettingsRoute(server, options);
      registerConsoleFiles(server, readBuild());
    },
  };
}
