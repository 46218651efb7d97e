// Orders the test files: the slowest start first, so that none of them runs alone at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const slow = [
  'browser/screens',
  'browser/other-screens',
  'metrics',
  'access-matrix',
  'program',
  'doctor',
  'webhook-engine',
  'commands',
  'faults/kills',
  'accounts-guarded',
  'backup-file',
  'locked-receivers-kill',
  'upgrade/rolling',
  'upgrade/dumps',
  'database',
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
