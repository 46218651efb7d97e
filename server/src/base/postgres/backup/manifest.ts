// The manifest of a backup.
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

const closed = { additionalProperties: false };
const count = Type.Integer({ minimum: 0 });
// The names and bounds become SQL, so only the forms that Concord makes are taken.
const Partition = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z_]{1,40}_[0-9]{8}$' }),
    parent: Type.String({ pattern: '^[a-z_]{1,40}$' }),
    bounds: Type.String({ pattern: "^FOR VALUES FROM \\('[0-9a-f-]{36}'\\) TO \\('[0-9a-f-]{36}'\\)$" }),
  },
  closed,
);

/** Printable ASCII: commands print these texts, and a terminal obeys control characters. */
const shown = '^[ -~]{0,200}$';
/** Some hundred columns of a table. */
const list = '^[ -~]{0,20000}$';

const Manifest = Type.Object(
  {
    concord: Type.String({ pattern: shown, description: 'The version of the program that wrote the backup' }),
    postgres: Type.String({ pattern: shown, description: 'The version of the server that it read' }),
    taken_at: Type.String({
      format: 'date-time',
      description: 'The time of the snapshot, by the clock of the database',
    }),
    database_bytes: Type.Number({ minimum: 0, description: 'The size of the files of the database' }),
    migrations: Type.Array(Type.String({ pattern: shown }), { description: 'The schema' }),
    secret_checks: Type.Array(
      Type.Object(
        { version: Type.Integer(), check_value: Type.String({ pattern: '^[0-9a-f]{0,200}$' }) },
        closed,
      ),
      {
        description: 'They identify the secrets that the database needs, and do not reveal them',
      },
    ),
    secrets: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'With --with-secrets' }),
    tables: Type.Array(
      Type.Object(
        { table: Type.String({ pattern: shown }), columns: Type.String({ pattern: list }) },
        closed,
      ),
    ),
    partitions: Type.Array(Partition),
    sequences: Type.Array(
      Type.Object(
        { name: Type.String({ pattern: shown }), last_value: Type.String({ pattern: '^[0-9]{1,19}$' }) },
        closed,
      ),
    ),
  },
  closed,
);
export type Manifest = Static<typeof Manifest>;

const TableEnd = Type.Object(
  { table: Type.String({ pattern: shown }), rows: count, bytes: count, sha256: Type.String() },
  closed,
);
export type TableEnd = Static<typeof TableEnd>;

/** `sha256`: of the manifest and of the end of each table, and so of everything. */
const End = Type.Object({ rows: count, bytes: count, sha256: Type.String() }, closed);
export type End = Static<typeof End>;

export const parseManifest = (json: unknown): Manifest => Value.Parse(Manifest, json);
export const parseTableEnd = (json: unknown): TableEnd => Value.Parse(TableEnd, json);
export const parseEnd = (json: unknown): End => Value.Parse(End, json);
