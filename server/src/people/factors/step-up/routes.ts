// The HTTP of the step-up.
import type { Access } from '../../../access/index.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import { Done } from '../../schema.ts';
import * as wire from './schema.ts';
import type { StepUp } from './step-up.ts';

export function registerStepUpRoutes(
  server: HttpServer,
  { stepUp, access }: { stepUp: StepUp; access: Access },
): void {
  const session = access.accountInSession;
  server.post(
    '/api/auth/step-up',
    {
      onRequest: session.hook,
      schema: {
        operationId: 'stepUp',
        tags: ['Account'],
        security: [{ bearer: [] }],
        summary: 'Prove again that it is you',
        description:
          'For ten minutes this session may then make the changes that answer 403 `step_up_required` without it. A sign-in counts as a proof too.',
        body: wire.StepUp,
        response: { 200: Done },
      },
    },
    (request) => stepUp.stepUp(request, session.granted(request), request.body),
  );
}
