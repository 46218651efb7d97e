// Planner settings of statements that look up a few rows by an index, and run all the time.

/**
 * After a table has grown, old statistics make PostgreSQL read all of it (measured: a third of the
 * throughput, until the next analyze).
 * A plan is kept, since planning takes longer than the statement: PostgreSQL expects ten elements of an
 * array, and would plan again for each shorter one.
 */
export const lookUpSettings = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
} as const;

/** For a transaction: a prepared statement, parsed once for each connection. */
export const setLocalLookUps = {
  name: 'set look-ups',
  text: `select ${Object.entries(lookUpSettings)
    .map(([name, value]) => `set_config('${name}', '${value}', true)`)
    .join(', ')}`,
};
