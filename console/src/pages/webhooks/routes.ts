// Pages of integrators: endpoints, deliveries, events.
import { pagesBelow, signedInRoute } from '#app/roots.tsx';

const page = pagesBelow(signedInRoute);

export const webhookRoutes = [
  page('/p/$partner/webhooks/endpoints', () => import('./endpoints/endpoints-page.tsx'), 'EndpointsPage'),
  page(
    '/p/$partner/webhooks/endpoints/$endpoint',
    () => import('./endpoints/endpoint-page.tsx'),
    'EndpointPage',
  ),
  page(
    '/p/$partner/webhooks/endpoints/$endpoint/checkpoints/$checkpoint',
    () => import('./checkpoints/checkpoint-page.tsx'),
    'CheckpointPage',
  ),
  page('/p/$partner/webhooks/deliveries', () => import('./deliveries/deliveries-page.tsx'), 'DeliveriesPage'),
  page(
    '/p/$partner/webhooks/deliveries/$delivery',
    () => import('./inspector/delivery-page.tsx'),
    'DeliveryPage',
  ),
  page('/p/$partner/webhooks/events', () => import('./events/events-page.tsx'), 'EventsPage'),
  page('/p/$partner/webhooks/events/$event', () => import('./events/event-page.tsx'), 'EventPage'),
  page(
    '/p/$partner/webhooks/event-types',
    () => import('./event-types/event-types-page.tsx'),
    'EventTypesPage',
  ),
  page(
    '/p/$partner/webhooks/event-types/$name',
    () => import('./event-types/event-type-page.tsx'),
    'EventTypePage',
  ),
  page('/p/$partner/webhooks/verify', () => import('./verify/verify-page.tsx'), 'VerifyRequestPage'),
  page('/p/$partner/webhooks/quickstart', () => import('./quickstart/quickstart-page.tsx'), 'QuickstartPage'),
] as const;
