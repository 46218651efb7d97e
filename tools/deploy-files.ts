// The files of deploy/, read for the tests of them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { parseDockerfile, parseEnv } from '../deploy/dockerfile.ts';

export const root = join(import.meta.dirname, '..');
export const read = (path: string) => readFileSync(join(root, path), 'utf8');
const readAll = (folder: string) => readdirSync(join(root, folder)).map((name) => read(`${folder}/${name}`));

export const packageJson = JSON.parse(read('package.json'));
export const stages = parseDockerfile(read('deploy/Dockerfile'));
export const image = stages.at(-1)?.instructions ?? [];
export const argumentOf = (keyword: string) =>
  image.find((instruction) => instruction.keyword === keyword)?.argument ?? '';
export const imageEnv = parseEnv(argumentOf('ENV'), {});

const unit = read('deploy/concord.service');
export const unitValues = (name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
/** The unit with its drop-ins. */
export const unitFiles = [unit, ...readAll('deploy/concord.service.d')];

type Service = {
  image?: string;
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  environment?: Record<string, string>;
  networks: string[];
  stop_grace_period?: string;
  depends_on?: Record<string, { condition: string }>;
  deploy?: { resources: { limits: Record<string, unknown> } };
  ports?: string[];
  profiles?: string[];
};
export const compose = parse(read('deploy/compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
};
export const chartValues = parse(read('deploy/helm/values.yaml'));
export const chart = readAll('deploy/helm/templates').join('\n');
