// The yardstick of requests: a server that does nothing but answer.
import type { Case } from '../case.ts';
import { ask } from '../context.ts';
import { getRequest, startGenerator } from '../load.ts';
import { measureRequests } from '../requests.ts';
import { observe } from '../usage.ts';

/** About as long as the partner that `get_partner` reads: it has no type, so that a new column needs no change. */
const partner = {
  id: 'ptr_01h2xcejqtf2nbrexx3vqjhp41',
  name: 'Acme',
  description: null,
  phone: null,
  vat_no: null,
  website: 'https://acme.example',
  billing_address: {
    street: null,
    postal_code: null,
    city: null,
    region: null,
    country: null,
    latitude: null,
    longitude: null,
  },
  billing_email: null,
  support_email: null,
  support_phone: null,
  created_at: '2026-01-31T08:00:00.000Z',
  updated_at: '2026-01-31T08:00:00.000Z',
};
const request = getRequest(`/partners/${partner.id}`, 'x'.repeat(32));

export const bareHttp: Case = {
  name: 'bare_http',
  about: 'yardstick: a node:http server that answers with the bytes of a partner, over 64 connections',
  limitMinutes: 2,
  async measure(context) {
    const server = context.fork(new URL('../processes/bare.ts', import.meta.url), {
      args: [JSON.stringify(partner)],
    });
    const { port } = await ask<{ port: number }>(server);
    const generate = startGenerator(context);
    const pid = server.pid ?? 0;
    const trees = { service: { root: pid }, load: { root: process.pid, without: [pid] } };
    return measureRequests({
      name: 'bare_http',
      quick: context.quick,
      requests: [request],
      load: (load) => generate({ ...load, url: `http://127.0.0.1:${port}` }),
      observe: (work) => observe(trees, work),
    });
  },
};
