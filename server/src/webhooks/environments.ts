// Where an event belongs: its endpoints and its signing keys are of the same environment. Threads load this file, and
// not the keys.

export const environments = ['live', 'sandbox'] as const;
export type Environment = (typeof environments)[number];
