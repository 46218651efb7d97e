// The two forms of a test that repeats something: `npm test` runs the short form, `npm run test:long` the
// long form.

/** The value for the current form. */
export const inForm = <T>({ short, long }: { short: T; long: T }) =>
  process.env.TEST_LENGTH === 'long' ? long : short;
