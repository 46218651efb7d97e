// The door of webhooks.
export { registerDebugRoutes } from './debug-routes.ts';
export { createDestinations } from './destination.ts';
export { registerEndpointRoutes } from './endpoint-routes.ts';
export { createEndpoints } from './endpoints.ts';
export { registerEventTypeRoutes } from './event-type-routes.ts';
export { createEventTypes } from './event-types.ts';
export { createVerifyCaptured } from './verify-captured.ts';
