// The HTTP of the step-up.
import { type Access, createRoutes } from '../../../access/index.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import { Done } from '../../schema.ts';
import * as wire from './schema.ts';
import type { StepUp } from './step-up.ts';

export function registerStepUpRoutes(
  server: HttpServer,
  { stepUp, access }: { stepUp: StepUp; access: Access },
): void {
  const routes = createRoutes(server, 'Account');
  const session = access.accountInSession;
  routes.plain('POST', '/api/auth/step-up', {
    operationId: 'stepUp',
    summary: 'Prove again that it is you',
    description:
      'For ten minutes this session may then make the changes that answer 403 `step_up_required` without it. A sign-in counts as a proof too.',
    access: session,
    body: wire.StepUp,
    answer: Done,
    run: ({ granted, body, request }) => stepUp.stepUp(request, granted, body),
  });
}
