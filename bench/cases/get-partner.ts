// What reading a partner costs: the access read, the row and its answer.
import type { Case } from '../case.ts';
import { getRequest } from '../load.ts';
import { measureRequests } from '../requests.ts';
import { startStage } from '../stage.ts';

export const getPartner: Case = {
  name: 'get_partner',
  about: 'GET of a partner over 64 connections',
  limitMinutes: 2,
  yardstick: 'bare_http',
  async measure(context) {
    const { api, load, observe } = await startStage(context);
    const { id } = await api.post('/partners', { name: 'Acme', website: 'https://acme.example' });
    const requests = [getRequest(`/partners/${id}`, api.token)];
    return measureRequests({ name: 'get_partner', quick: context.quick, requests, load, observe });
  },
};
