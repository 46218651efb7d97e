// What a long page costs.
import type { Case } from '../case.ts';
import { getRequest } from '../load.ts';
import { measureRequests } from '../requests.ts';
import { startStage } from '../stage.ts';

export const list100Agreements: Case = {
  name: 'list_100_agreements',
  about: 'GET of a page of 100 agreements over 64 connections',
  limitMinutes: 2,
  yardstick: 'bare_http',
  async measure(context) {
    const { api, load, observe } = await startStage(context);
    const { id } = await api.post('/partners', { name: 'Acme' });
    for (let n = 0; n < 100; n++)
      await api.post(`/partners/${id}/agreements`, { email: `member${n}@bench.example` });
    const requests = [getRequest(`/partners/${id}/agreements?page_size=100`, api.token)];
    return measureRequests({ name: 'list_100_agreements', quick: context.quick, requests, load, observe });
  },
};
