// Questions about access by OpenID AuthZEN Authorization API 1.0.
import type { Access, ReadFactsOfMany } from '../../access/index.ts';
import type { Denials } from '../../audit/index.ts';
import type { Feature } from '../../base/feature.ts';
import { createEvaluationOperations } from './evaluations.ts';
import { registerEvaluationRoutes } from './routes.ts';

type Options = { access: Access; readFactsOfMany: ReadFactsOfMany; denials: Denials; baseUrl: string };

export const createEvaluations = ({ access, baseUrl, ...options }: Options): Feature => ({
  routes: (server) =>
    registerEvaluationRoutes(server, { evaluations: createEvaluationOperations(options), access, baseUrl }),
});
