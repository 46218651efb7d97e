// Which folder may import which (ARCHITECTURE.md, Arrows). Each row may import the rows before it.
import type { IConfiguration } from 'dependency-cruiser';

const src = '^server/src/';
/** From the bottom up. A name with a slash at its end is a folder. */
const rows = [
  ['errors.ts', 'ids.ts', 'config-values.ts', 'log.ts'],
  ['settings.ts', 'permissions/'],
  ['config.ts'],
  ['tracing/'],
  ['postgres/'],
  ['secrets/'],
  ['http/'],
  ['feature.ts'],
  ['idempotency/', 'audit/', 'mail/', 'browser-session/', 'limits/'],
  ['access/'],
  ['audit-log/'],
  ['accounts/'],
  ['evaluations/'],
  ['partners/'],
  ['agreements/'],
  ['signing-keys/'],
  ['egress/'],
  ['statistics/'],
  ['webhooks/'],
  ['search/', 'platform/', 'console/', 'metrics/'],
  ['personal-data/'],
  ['features.ts'],
  ['worker-processes.ts'],
  ['service.ts'],
  ['commands/'],
  ['main.ts'],
];
/** Entered only through their index.ts. */
const features = [
  'permissions',
  'secrets',
  'idempotency',
  'audit',
  'audit-log',
  'mail',
  'browser-session',
  'limits',
  'access',
  'accounts',
  'evaluations',
  'partners',
  'agreements',
  'signing-keys',
  'egress',
  'statistics',
  'webhooks',
  'search',
  'platform',
  'console',
  'metrics',
  'personal-data',
];
/** Their folders may import one another, in one direction. */
const withFolders = ['accounts', 'webhooks'];
const pattern = (names: string[]) => `${src}(${names.map((name) => name.replaceAll('.', '\\.')).join('|')})`;

const upward = rows.slice(0, -1).map((row, index) => ({
  name: `${row.join(' ')} imports only rows before it`,
  severity: 'error' as const,
  from: { path: pattern(row), pathNot: '\\.test\\.ts$' },
  to: { path: pattern(rows.slice(index + 1).flat()) },
}));
const between = rows
  .filter((row) => row.length > 1)
  .flatMap((row) =>
    row.map((name) => ({
      name: `${name} imports nothing beside it`,
      severity: 'error' as const,
      from: { path: pattern([name]) },
      to: { path: pattern(row.filter((other) => other !== name)) },
    })),
  );

/**
 * What the source of each package may import: our packages that it names, npm packages that it depends on,
 * nothing of Node unless it says so.
 */
const packages: Record<string, { ours: string[]; theirs: string[]; onNode?: true }> = {
  'http-message-signatures': { ours: [], theirs: ['structured-headers'] },
  'webhook-receiver': { ours: ['http-message-signatures'], theirs: [] },
  client: { ours: [], theirs: [] },
  'p384-signer': { ours: [], theirs: [], onNode: true },
};
const packageArrows = Object.entries(packages).flatMap(([name, { ours, theirs, onNode }]) => {
  const from = { path: `^packages/${name}/src/` };
  const portable = {
    name: `${name} runs where there is no Node`,
    severity: 'error' as const,
    from,
    to: { dependencyTypes: ['core' as const] },
  };
  return [
    {
      name: `${name} imports nothing else of ours`,
      severity: 'error' as const,
      from,
      to: {
        path: ['^server/', '^packages/', '^tools/', '^vectors/'],
        pathNot: [from.path, ...ours.map((other) => `^packages/${other}/src/index\\.ts$`)],
      },
    },
    {
      name: `${name} imports no other package`,
      severity: 'error' as const,
      from,
      to: { path: 'node_modules/', pathNot: theirs.map((other) => `node_modules/${other}/`) },
    },
    ...(onNode ? [] : [portable]),
  ];
});

/**
 * The folders of the console, from the bottom up. Areas of pages do not import each other, unless the other
 * is `pages/audit`.
 */
const consoleRows = ['(format|messages|api)/', 'ui/', 'app/', 'pages/'];
const consoleArrows = [
  ...consoleRows.slice(0, -1).map((row, index) => ({
    name: `console ${row} imports only rows before it`,
    severity: 'error' as const,
    from: {
      path: `^console/src/${row}`,
      ...(row === 'app/' && { pathNot: '^console/src/app/(app|router)\\.tsx?$' }),
    },
    to: { path: `^console/src/(${consoleRows.slice(index + 1).join('|')})` },
  })),
  {
    name: 'the console imports the client and nothing else of ours',
    severity: 'error' as const,
    from: { path: '^console/src/' },
    to: {
      path: ['^server/', '^tools/', '^vectors/', '^packages/'],
      pathNot: '^packages/client/src/index\\.ts$',
    },
  },
];

export const arrowRules: IConfiguration = {
  forbidden: [
    ...upward,
    ...between,
    { name: 'no circles', severity: 'error' as const, from: {}, to: { circular: true } },
    ...withFolders.map((feature) => ({
      name: `no circles between the folders of ${feature}`,
      severity: 'error' as const,
      scope: 'folder' as const,
      from: { path: `${src}${feature}/[^/]+` },
      to: { path: `${src}${feature}/[^/]+`, circular: true },
    })),
    ...features.map((feature) => ({
      name: `${feature} is entered through its index.ts`,
      severity: 'error' as const,
      from: { path: src, pathNot: [`${src}${feature}/`, '\\.test\\.ts$'] },
      to: { path: `${src}${feature}/`, pathNot: `${src}${feature}/index\\.ts$` },
    })),
    {
      name: 'only accounts knows better-auth',
      severity: 'error' as const,
      from: { path: src, pathNot: `${src}accounts/` },
      to: { path: 'node_modules/(@better-auth|better-auth|kysely)/' },
    },
    {
      name: 'SQL only in store.ts and postgres/',
      severity: 'error' as const,
      from: { path: src, pathNot: [`${src}postgres/`, '/store\\.ts$'] },
      to: { path: 'node_modules/(sql-template-tag|pg|pg-copy-streams|@types/pg|@types/pg-copy-streams)/' },
    },
    {
      name: 'the server enters the packages through their index.ts',
      severity: 'error' as const,
      from: { path: src },
      to: { path: '^packages/', pathNot: '^packages/[^/]+/src/index\\.ts$' },
    },
    {
      name: 'the program imports no test, tool or development dependency',
      severity: 'error' as const,
      from: { path: src, pathNot: '\\.test\\.ts$' },
      to: { path: ['^server/test/', '^tools/'] },
    },
    ...packageArrows,
    ...consoleArrows,
    {
      name: 'every import resolves',
      severity: 'error' as const,
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no file without a reader',
      severity: 'error' as const,
      from: { orphan: true, path: src, pathNot: '\\.test\\.ts$' },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Built by tools/packages.ts.
    exclude: { path: '^packages/[^/]+/(dist|src/generated/(client|core))/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
