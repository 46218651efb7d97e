// What the audit log and its seals cost.
import type { Case } from '../case.ts';
import { compareInTurns } from '../in-turns.ts';
import { measureInvitations } from '../requests.ts';

export const auditCost: Case = {
  name: 'audit_cost',
  about: 'the requests a second of `post_agreement`, against those of the same without the audit log',
  limitMinutes: 10,
  onlyByName: true,
  measure: (context) =>
    compareInTurns(context, {
      name: 'audit_cost',
      without: 'audit',
      unit: 'of the rate without',
      async measure(stage) {
        const [row] = await measureInvitations('post_agreement', stage, context.quick);
        return { row, number: row.value };
      },
    }),
};
