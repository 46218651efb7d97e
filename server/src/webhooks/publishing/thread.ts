// The jobs of threads: reading large batches, and checking data, schemas and filters that could take long.
import { ServiceError } from '../../base/errors.ts';
import { remember } from '../../base/keep-last.ts';
import { serveJobs } from '../../base/threads/thread.ts';
import { compile, type Data, findMisfit, findMisfits } from '../catalogue/compile.ts';
import { readDocument } from '../catalogue/documents/read-document.ts';
import { requireLinearPatterns } from '../catalogue/schema-weight.ts';
import { readFilter } from '../filters/filter.ts';
import { readBatch } from './read-drafts.ts';

/** A few are enough: a batch rarely has more types. */
const validatorOf = remember(20, (schema) => compile(JSON.parse(schema), { isNew: false }));

serveJobs({
  readBatch,

  findMisfit: ({ schemas, data }: { schemas: string[]; data: Data[] }) =>
    findMisfit(schemas.map(validatorOf), data),

  findMisfits: ({ schema, bodies }: { schema: string; bodies: string[] }) =>
    findMisfits(validatorOf(schema), bodies),

  findMatching({ filter, bodies }: { filter: string; bodies: string[] }): boolean[] {
    const { matches } = readFilter(JSON.parse(filter));
    return bodies.map((body) => matches(JSON.parse(body).data));
  },

  readDocument,

  requireValidType(text: string) {
    const { schema, example }: { schema: object; example?: unknown } = JSON.parse(text);
    requireLinearPatterns(schema);
    const validate = compile(schema, { isNew: true });
    if (example === undefined) return;
    const data = { schema: 0, text: JSON.stringify(example), pointer: '/example' };
    const misfit = findMisfit([validate], [data]);
    if (misfit) throw new ServiceError('invalid_request', misfit);
  },
});
