// Planner settings of statements that look up a few rows by an index, and run all the time.

/**
 * Old statistics make PostgreSQL read a whole grown table (a third of the throughput). Plans are kept:
 * planning takes longer than the statement.
 */
export const lookUpSettings = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
} as const;

export const setLocalLookUps = {
  name: 'set look-ups',
  text: `select ${Object.entries(lookUpSettings)
    .map(([name, value]) => `set_config('${name}', '${value}', true)`)
    .join(', ')}`,
};
