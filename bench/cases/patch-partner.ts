// What changing a partner costs, with its row of the audit log.
import type { Case } from '../case.ts';
import { bodyRequest } from '../load.ts';
import { createAcmes, measureRequests } from '../requests.ts';
import { startStage } from '../stage.ts';

export const patchPartner: Case = {
  name: 'patch_partner',
  about: 'PATCH of the description of 64 partners over 64 connections',
  limitMinutes: 2,
  yardstick: 'single_insert',
  async measure(context) {
    const { api, load, observe } = await startStage(context);
    const requests = (await createAcmes(api)).map((id) =>
      bodyRequest('PATCH', `/partners/${id}`, api.token, { description: 'Stock {number}' }),
    );
    return measureRequests({ name: 'patch_partner', quick: context.quick, requests, load, observe });
  },
};
