// Orders the test files: the slowest start first, so that none of them runs alone at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const slow = [
  'browser/screens',
  'browser/other-screens',
  'program',
  'access-matrix',
  'metrics',
  'restore',
  'publish-kills',
  'embedded-server',
  'strict-kills',
  'accounts-guarded',
  'endpoint-batches',
  'backup-file',
  'mail-links',
  'faults/kills',
  'worker-processes',
  'signing-kills',
  'commands',
  'doctor',
  'webhook-engine',
  'agreement-races',
];
const projects = ['server', 'packages', 'units'];

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = ({ project, moduleId }: TestSpecification) => {
      const place = slow.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return projects.indexOf(project.name) * slow.length + (place < 0 ? slow.length : place);
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
