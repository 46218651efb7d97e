// `concord open`: the page of the console for an id.
import type { Command } from '../command.ts';
import { CliError } from '../exits.ts';
import { opener } from '../opener.ts';

const pages: Readonly<Record<string, (partner: string, id: string) => string>> = {
  ptr: (_, id) => `/p/${id}`,
  agr: (partner, id) => `/p/${partner}/people/${id}`,
  apg: (partner, id) => `/p/${partner}/groups/${id}`,
  whe: (partner, id) => `/p/${partner}/webhooks/endpoints/${id}`,
  evt: (partner, id) => `/p/${partner}/webhooks/events/${id}`,
  dlv: (partner, id) => `/p/${partner}/webhooks/deliveries/${id}`,
};

export const open: Command = {
  path: ['open'],
  summary: 'Open the page of the console for an id',
  details: `Ids that begin with ${Object.keys(pages).join(', ')}. Opens a browser only from a terminal.`,
  arguments: [{ name: '<id>', description: 'of a partner, endpoint, event, delivery, agreement or group' }],
  options: [{ flags: '--print', description: 'only prints the URL' }],
  example: 'concord open dlv_01h2xcejqtf2nbrexx3vqjhp41',
  async run({ input, io, out, partner, url }) {
    const id = input.required(0);
    // Nothing else becomes a part of a URL that a program opens.
    const prefix = /^([a-z]{3})_[0-9a-z]{26}$/.exec(id)?.[1] ?? '';
    const page = Object.hasOwn(pages, prefix) ? pages[prefix] : undefined;
    if (page === undefined)
      throw new CliError('usage', `${id} has no page. An id is like dlv_01h2xcejqtf2nbrexx3vqjhp41`);
    const address = `${url()}/console${page(prefix === 'ptr' ? id : encodeURIComponent(partner()), id)}`;
    if (out.isJson) out.json({ url: address });
    else out.line(address);
    if (io.isTerminal && !out.isJson && !input.flag('print')) io.start(...opener(io.platform, address));
    return 'done';
  },
};
