// The two forms of a test that repeats something: `npm test` runs the short form, `npm run test:long` the long form.

/** The number for the form that is running. */
export const inForm = ({ short, long }: { short: number; long: number }): number =>
  process.env.TEST_LENGTH === 'long' ? long : short;
