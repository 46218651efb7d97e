// The two forms of a test that repeats something many times: `npm test` runs the short one, `npm run test:long` the long one.

/** The value for the form that is running. */
export const inForm = <T>({ short, long }: { short: T; long: T }): T => (process.env.TEST_LENGTH === 'long' ? long : short);
