// The shapes of answers: closed schemas written by hand from the interface.
export * from './shapes/accounts.ts';
export * from './shapes/basics.ts';
export * from './shapes/errors.ts';
export * from './shapes/identity.ts';
export * from './shapes/partners.ts';
export * from './shapes/platform.ts';
export * from './shapes/provisioning.ts';
export * from './shapes/webhooks.ts';
