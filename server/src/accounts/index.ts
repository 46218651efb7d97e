// The door of accounts: the only folder that knows better-auth.
export { createAuth } from './better-auth.ts';
export { ensureFirstOperator } from './first-operator.ts';
export { registerAccountRoutes } from './routes.ts';
export { createSessions, readBearerToken, type Sessions } from './sessions.ts';
