// Pages of integrators: endpoints, deliveries, events.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/roots.tsx';

const getParentRoute = () => signedInRoute;

export const webhookRoutes = [
  createRoute({
    getParentRoute,
    path: '/p/$partner/webhooks/endpoints',
    component: lazyRouteComponent(() => import('./endpoints/endpoints-page.tsx'), 'EndpointsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/p/$partner/webhooks/endpoints/$endpoint',
    component: lazyRouteComponent(() => import('./endpoints/endpoint-page.tsx'), 'EndpointPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/p/$partner/webhooks/endpoints/$endpoint/checkpoints/$checkpoint',
    component: lazyRouteComponent(() => import('./checkpoints/checkpoint-page.tsx'), 'CheckpointPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/p/$partner/webhooks/deliveries',
    component: lazyRouteComponent(() => import('./deliveries/deliveries-page.tsx'), 'DeliveriesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/p/$partner/webhooks/deliveries/$delivery',
    component: lazyRouteComponent(() => import('./inspector/delivery-page.tsx'), 'DeliveryPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/p/$partner/webhooks/events',
    component: lazyRouteComponent(() => import('./events/events-page.tsx'), 'EventsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/p/$partner/webhooks/events/$event',
    component: lazyRouteComponent(() => import('./events/event-page.tsx'), 'EventPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/p/$partner/webhooks/event-types',
    component: lazyRouteComponent(() => import('./event-types/event-types-page.tsx'), 'EventTypesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/p/$partner/webhooks/event-types/$name',
    component: lazyRouteComponent(() => import('./event-types/event-type-page.tsx'), 'EventTypePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/p/$partner/webhooks/verify',
    component: lazyRouteComponent(() => import('./verify/verify-page.tsx'), 'VerifyRequestPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/p/$partner/webhooks/quickstart',
    component: lazyRouteComponent(() => import('./quickstart/quickstart-page.tsx'), 'QuickstartPage'),
  }),
] as const;
