// Which folder may import which (ARCHITECTURE.md, Who may import whom). Each row may import the rows before it.
import type { IConfiguration } from 'dependency-cruiser';

const src = '^server/src/';
const severity = 'error' as const;

/**
 * From the ground up: a row imports the rows before it, and the names of one row do not import each other. A
 * name with a slash at its end is a folder.
 */
const floors: Readonly<Record<string, readonly (readonly string[])[]>> = {
  '': [
    ['base/'],
    ['audit/'],
    ['access/'],
    ['people/'],
    ['partners/'],
    ['agreements/'],
    ['webhooks/'],
    ['insight/', 'console/', 'published/'],
    ['program/'],
    ['main.ts'],
  ],
  'base/': [
    ['errors.ts', 'ids.ts', 'config-values.ts', 'log.ts'],
    ['tracing/'],
    ['postgres/'],
    ['secrets/'],
    ['http/'],
    ['feature.ts'],
    ['idempotency/', 'mail/', 'browser-session/', 'limits/', 'egress/'],
    ['threads/'],
  ],
  'people/': [
    ['better-auth/'],
    ['users/'],
    ['notices/'],
    ['tokens/', 'sessions/'],
    ['factors/'],
    ['providers/'],
    ['sign-in/'],
    ['links/'],
    ['own-account/'],
  ],
  'webhooks/': [
    ['environments.ts'],
    ['signing-keys/', 'catalogue/', 'filters/', 'statistics/'],
    ['lanes/'],
    ['endpoints/'],
    ['delivering/'],
    ['tools/'],
    ['history/'],
    ['publishing/'],
    ['checkpoints/'],
  ],
  'insight/': [
    ['audit-log/', 'evaluations/', 'search/', 'status/', 'metrics/', 'personal-data/', 'platform-events/'],
  ],
  'program/': [
    ['settings.ts', 'command-line.ts'],
    ['config.ts'],
    ['features.ts'],
    ['worker-processes.ts'],
    ['service.ts'],
    ['commands/'],
  ],
};
/** Entered only through their index.ts. */
const features = [
  'base/idempotency',
  'base/mail',
  'base/browser-session',
  'base/limits',
  'base/egress',
  'base/secrets',
  'access/permissions',
  'access',
  'audit',
  'people',
  'partners',
  'agreements',
  'webhooks',
  'console',
  'published',
  'insight/audit-log',
  'insight/evaluations',
  'insight/search',
  'insight/status',
  'insight/metrics',
  'insight/personal-data',
  'insight/platform-events',
  'webhooks/signing-keys',
  'webhooks/statistics',
];
const pattern = (floor: string, names: readonly string[]) =>
  `${src}${floor}(${names.map((name) => name.replaceAll('.', '\\.')).join('|')})`;

const betweenRows = Object.entries(floors).flatMap(([floor, rows]) =>
  rows.flatMap((row, index) => [
    {
      name: `${floor}${row.join(' ')} imports only rows before it`,
      severity,
      from: { path: pattern(floor, row), pathNot: '\\.test\\.ts$' },
      to: { path: pattern(floor, [...rows.slice(index + 1).flat(), '\n']) },
    },
    ...row.map((name) => ({
      name: `${floor}${name} imports nothing beside it`,
      severity,
      from: { path: pattern(floor, [name]) },
      to: { path: pattern(floor, [...row.filter((other) => other !== name), '\n']) },
    })),
  ]),
);

/**
 * What the source of each package may import: our packages that it names, npm packages that it depends on,
 * nothing of Node unless it says so.
 */
const packages: Record<string, { ours: string[]; theirs: string[]; onNode?: true }> = {
  'http-message-signatures': { ours: [], theirs: ['structured-headers'] },
  'webhook-receiver': { ours: ['http-message-signatures'], theirs: [] },
  client: { ours: [], theirs: [] },
  cli: { ours: ['client', 'webhook-receiver'], theirs: ['commander'], onNode: true },
  'p384-signer': { ours: [], theirs: [], onNode: true },
};
const packageArrows = Object.entries(packages).flatMap(([name, { ours, theirs, onNode }]) => {
  const from = { path: `^packages/${name}/src/` };
  const portable = {
    name: `${name} runs where there is no Node`,
    severity,
    from,
    to: { dependencyTypes: ['core' as const] },
  };
  return [
    {
      name: `${name} imports nothing else of ours`,
      severity,
      from,
      to: {
        path: ['^server/', '^packages/', '^tools/', '^vectors/'],
        pathNot: [from.path, 'node_modules/', ...ours.map((other) => `^packages/${other}/src/index\\.ts$`)],
      },
    },
    {
      name: `${name} imports no other package`,
      severity,
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
    severity,
    from: {
      path: `^console/src/${row}`,
      ...(row === 'app/' && { pathNot: '^console/src/app/router\\.ts$' }),
    },
    to: { path: `^console/src/(${consoleRows.slice(index + 1).join('|')})` },
  })),
  {
    name: 'the console imports the client and nothing else of ours',
    severity,
    from: { path: '^console/src/' },
    to: {
      path: ['^server/', '^tools/', '^vectors/', '^packages/'],
      pathNot: '^packages/client/src/index\\.ts$',
    },
  },
];

export const arrowRules: IConfiguration = {
  forbidden: [
    ...betweenRows,
    { name: 'no circles', severity, from: {}, to: { circular: true } },
    ...['people', 'agreements', 'webhooks'].map((feature) => ({
      name: `no circles between the folders of ${feature}`,
      severity,
      scope: 'folder' as const,
      from: { path: `${src}${feature}/[^/]+` },
      to: { path: `${src}${feature}/[^/]+`, circular: true },
    })),
    ...features.map((feature) => ({
      name: `${feature} is entered through its index.ts`,
      severity,
      from: { path: src, pathNot: [`${src}${feature}/`, '\\.test\\.ts$'] },
      // A feature inside another one has an index.ts of its own.
      to: {
        path: `${src}${feature}/`,
        pathNot: [
          `${src}${feature}/index\\.ts$`,
          ...features.filter((inner) => inner.startsWith(`${feature}/`)).map((inner) => `${src}${inner}/`),
        ],
      },
    })),
    {
      name: 'only people knows better-auth',
      severity,
      from: { path: src, pathNot: `${src}people/better-auth/` },
      to: { path: 'node_modules/(@better-auth|better-auth|kysely)/' },
    },
    {
      name: 'SQL only in store.ts and postgres/',
      severity,
      from: { path: src, pathNot: [`${src}base/postgres/`, '/store\\.ts$'] },
      to: { path: 'node_modules/(sql-template-tag|pg|pg-copy-streams|@types/pg|@types/pg-copy-streams)/' },
    },
    {
      name: 'the server enters the packages through their index.ts',
      severity,
      from: { path: src },
      to: { path: '^packages/', pathNot: '^packages/[^/]+/src/index\\.ts$' },
    },
    {
      name: 'the program imports no test, tool or development dependency',
      severity,
      from: { path: src, pathNot: '\\.test\\.ts$' },
      to: { path: ['^server/test/', '^tools/'] },
    },
    ...packageArrows,
    ...consoleArrows,
    {
      name: 'every import resolves',
      severity,
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no file without a reader',
      severity,
      from: { orphan: true, path: src, pathNot: '\\.test\\.ts$' },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Built by tools/packages.ts. Programs of other frameworks, which the console shows as text.
    exclude: { path: '^packages/[^/]+/(dist|src/generated/(client|core))/|^interop/frameworks/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
