// What single requests cost: the requests a second over 64 connections, and the 95th percentile of their latencies.
import type { Case } from '../case.ts';
import { bodyRequest, getRequest } from '../load.ts';
import { connections, measureRequests } from '../requests.ts';
import { type Api, startStage } from '../stage.ts';

const requestCase = (
  { name, about, yardstick }: { name: string; about: string; yardstick: string },
  prepare: (api: Api) => Promise<string[]>,
): Case => ({
  name,
  about,
  yardstick,
  limitMinutes: 2,
  async measure(context) {
    const { api, ...stage } = await startStage(context);
    return measureRequests({ name, requests: await prepare(api), ...stage });
  },
});

/** A request for each of some new partners, one for each connection: changes of one partner run one at a time. */
async function forPartners({ post }: Api, requestOf: (id: string) => string): Promise<string[]> {
  const requests: string[] = [];
  for (let n = 0; n < connections; n++)
    requests.push(requestOf((await post('/partners', { name: 'Acme' })).id ?? ''));
  return requests;
}

export const getPartner = requestCase(
  { name: 'get_partner', about: 'GET of a partner over 64 connections', yardstick: 'bare_http' },
  async ({ token, post }) => {
    const { id } = await post('/partners', { name: 'Acme', website: 'https://acme.example' });
    return [getRequest(`/partners/${id}`, token)];
  },
);

export const list100Agreements = requestCase(
  {
    name: 'list_100_agreements',
    about: 'GET of a page of 100 agreements over 64 connections',
    yardstick: 'bare_http',
  },
  async ({ token, post }) => {
    const { id } = await post('/partners', { name: 'Acme' });
    for (let n = 0; n < 100; n++)
      await post(`/partners/${id}/agreements`, { email: `member${n}@bench.example` });
    return [getRequest(`/partners/${id}/agreements?page_size=100`, token)];
  },
);

/** With a row of the audit log. */
export const patchPartner = requestCase(
  {
    name: 'patch_partner',
    about: 'PATCH of the description of 64 partners over 64 connections',
    yardstick: 'single_insert',
  },
  (api) =>
    forPartners(api, (id) =>
      bodyRequest('PATCH', `/partners/${id}`, api.token, { description: 'Stock {number}' }),
    ),
);

/** With a mail and a row of the audit log. */
export const postAgreement = requestCase(
  {
    name: 'post_agreement',
    about: 'POST of agreements to 64 partners over 64 connections',
    yardstick: 'single_insert',
  },
  (api) =>
    forPartners(api, (id) =>
      bodyRequest('POST', `/partners/${id}/agreements`, api.token, {
        email: `{number}.${id.slice(-4)}@bench.example`,
      }),
    ),
);
