// `concord open`: the page of the console for an id.
import type { Command } from '../command.ts';
import { CliError } from '../exits.ts';
import { opener } from '../opener.ts';

/** By the prefix of the id, below the page of the partner. The console has the same in app/page-of.ts. */
export const folders: Readonly<Record<string, string>> = {
  agr: 'people',
  apg: 'groups',
  arv: 'access-reviews',
  idc: 'single-sign-on',
  whe: 'webhooks/endpoints',
  evt: 'webhooks/events',
  dlv: 'webhooks/deliveries',
};

export const open: Command = {
  path: ['open'],
  summary: 'Open the page of the console for an id',
  details: `Ids that begin with ${['ptr', ...Object.keys(folders)].join(', ')}. Opens a browser only from a terminal.`,
  argument: { name: '<id>', description: 'of a partner, or of what it has' },
  options: [{ flags: '--print', description: 'only prints the URL' }],
  example: 'concord open dlv_01h2xcejqtf2nbrexx3vqjhp41',
  async run({ input, io, out, partner, url }) {
    const id = input.required();
    // Nothing else becomes a part of a URL that a program opens.
    const prefix = /^([a-z]{3})_[0-9a-z]{26}$/.exec(id)?.[1] ?? '';
    if (prefix !== 'ptr' && !Object.hasOwn(folders, prefix))
      throw new CliError('usage', `${id} has no page. An id is like dlv_01h2xcejqtf2nbrexx3vqjhp41`);
    const path = prefix === 'ptr' ? id : `${partner()}/${folders[prefix]}/${id}`;
    const address = `${url()}/console/p/${path}`;
    out.result({ url: address }, address);
    if (io.isTerminal && !out.isJson && !input.flag('print')) io.start(...opener(io.platform, address));
  },
};
