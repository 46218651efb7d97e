// What single requests cost: the requests a second over 64 connections, and the 95th percentile of their latencies.
import type { Case } from '../case.ts';
import { bodyRequest, getRequest } from '../load.ts';
import { connections, measureRequests } from '../requests.ts';
import { type Api, startStage } from '../stage.ts';

const limitMinutes = 2;

/** The ids of new partners, one for each connection: changes of one partner run one at a time. */
async function createAcmes({ post }: Api): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < connections; n++) ids.push((await post('/partners', { name: 'Acme' })).id ?? '');
  return ids;
}

export const getPartner: Case = {
  name: 'get_partner',
  about: 'GET of a partner over 64 connections',
  limitMinutes,
  yardstick: 'bare_http',
  async measure(context) {
    const { api, ...stage } = await startStage(context);
    const { id } = await api.post('/partners', { name: 'Acme', website: 'https://acme.example' });
    const requests = [getRequest(`/partners/${id}`, api.token)];
    return measureRequests({ name: 'get_partner', requests, ...stage });
  },
};

export const list100Agreements: Case = {
  name: 'list_100_agreements',
  about: 'GET of a page of 100 agreements over 64 connections',
  limitMinutes,
  yardstick: 'bare_http',
  async measure(context) {
    const { api, ...stage } = await startStage(context);
    const { id } = await api.post('/partners', { name: 'Acme' });
    for (let n = 0; n < 100; n++)
      await api.post(`/partners/${id}/agreements`, { email: `member${n}@bench.example` });
    const requests = [getRequest(`/partners/${id}/agreements?page_size=100`, api.token)];
    return measureRequests({ name: 'list_100_agreements', requests, ...stage });
  },
};

/** With a row of the audit log. */
export const patchPartner: Case = {
  name: 'patch_partner',
  about: 'PATCH of the description of 64 partners over 64 connections',
  limitMinutes,
  yardstick: 'single_insert',
  async measure(context) {
    const { api, ...stage } = await startStage(context);
    const requests = (await createAcmes(api)).map((id) =>
      bodyRequest('PATCH', `/partners/${id}`, api.token, { description: 'Stock {number}' }),
    );
    return measureRequests({ name: 'patch_partner', requests, ...stage });
  },
};

/** With a mail and a row of the audit log. */
export const postAgreement: Case = {
  name: 'post_agreement',
  about: 'POST of agreements to 64 partners over 64 connections',
  limitMinutes,
  yardstick: 'single_insert',
  async measure(context) {
    const { api, ...stage } = await startStage(context);
    const requests = (await createAcmes(api)).map((id) =>
      bodyRequest('POST', `/partners/${id}/agreements`, api.token, {
        email: `{number}.${id.slice(-4)}@bench.example`,
      }),
    );
    return measureRequests({ name: 'post_agreement', requests, ...stage });
  },
};
