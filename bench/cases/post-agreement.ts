// What inviting somebody costs, with its mail and its row of the audit log.
import type { Case } from '../case.ts';
import { bodyRequest } from '../load.ts';
import { createAcmes, measureRequests } from '../requests.ts';
import { startStage } from '../stage.ts';

export const postAgreement: Case = {
  name: 'post_agreement',
  about: 'POST of agreements to 64 partners over 64 connections',
  limitMinutes: 2,
  yardstick: 'single_insert',
  async measure(context) {
    const { api, load, observe } = await startStage(context);
    const requests = (await createAcmes(api)).map((id) =>
      bodyRequest('POST', `/partners/${id}/agreements`, api.token, { email: `{number}.${id.slice(-4)}@bench.example` }),
    );
    return measureRequests({ name: 'post_agreement', quick: context.quick, requests, load, observe });
  },
};
