// The door of webhooks.
export { registerDebugRoutes } from './debug-routes.ts';
export { createDestinations } from './deliverer/destination.ts';
export { createNoticeDisabled } from './deliverer/disabled-notice.ts';
export { createEngine } from './deliverer/engine.ts';
export { createHistory, emptyPartner } from './deliverer/history.ts';
export { queueSettings } from './deliverer/queue-store.ts';
export { createDeliveries } from './deliveries.ts';
export { registerDeliveryRoutes } from './delivery-routes.ts';
export { registerEndpointRoutes } from './endpoint-routes.ts';
export { createEndpoints } from './endpoints.ts';
export { registerEventRoutes } from './event-routes.ts';
export { registerEventTypeRoutes } from './event-type-routes.ts';
export { createEventTypes } from './event-types.ts';
export { createEvents } from './events.ts';
export { createRecoveries } from './recoveries.ts';
export { createVerifyCaptured } from './verify-captured.ts';
