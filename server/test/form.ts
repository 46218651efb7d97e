// The two forms of a test that repeats something many times: `npm test` runs the short one, `npm run test:long` the long one.

/** How often, in the form that is running. */
export const inForm = ({ short, long }: { short: number; long: number }): number =>
  process.env.TEST_LENGTH === 'long' ? long : short;
