// The HTTP of the setup.
import { Type } from 'typebox';
import { type Access, createRoutes } from '../../../access/index.ts';
import { Text } from '../../../base/http/schemas.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import { NewPassword, passwordExample, SignedIn } from '../../schema.ts';
import type { Setup } from './setup.ts';

const SetUp = Type.Object(
  { token: Text(64, 'The token in the link that the start printed, behind the #'), password: NewPassword },
  {
    title: 'SetUp',
    examples: [{ token: 'Zm9vYmFyYmF6cXV4cXV1eGNvcmdlZ3Jh', password: passwordExample }],
    additionalProperties: false,
  },
);

export function registerSetupRoutes(
  server: HttpServer,
  { setup, access }: { setup: Setup; access: Access },
): void {
  const routes = createRoutes(server, 'Sign-in');
  routes.plain('POST', '/api/auth/set-up', {
    operationId: 'setUp',
    summary: 'Set up the first operator',
    description:
      'Sets the password of the first operator with the token of the link that the start printed, and answers like a sign-in. It works once, and never after an operator has signed in.',
    access: access.anyone,
    body: SetUp,
    answer: SignedIn,
    run: ({ body, request }) => setup.setUp(request, body),
  });
}
