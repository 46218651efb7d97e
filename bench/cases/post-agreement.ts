// What inviting somebody costs, with its mail and its row of the audit log.
import type { Case } from '../case.ts';
import { measureInvitations } from '../requests.ts';
import { startStage } from '../stage.ts';

export const postAgreement: Case = {
  name: 'post_agreement',
  about: 'POST of agreements to 64 partners over 64 connections',
  limitMinutes: 2,
  yardstick: 'single_insert',
  measure: async (context) => measureInvitations('post_agreement', await startStage(context), context.quick),
};
