// Holds the groups of signatures of a program: while the native module makes them, or when it has made them.
import { writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { newScratchDir } from '../stage/launch.ts';
import { listen } from '../stage/listen.ts';

/** `handed`: the module has the group. `signed`: it has answered, and the program does not know it yet. */
export type Stage = 'handed' | 'signed';
type Group = { readonly stage: Stage; readonly size: number };

/** `environment` is for the program. */
export async function startSignerGate() {
  const held: ServerResponse[] = [];
  let [begun, holding] = [0, 0];
  let holds: (group: Group) => boolean = () => false;
  const server = createServer((request, response) => {
    const [, stage, size] = (request.url ?? '').split('/');
    const group = { stage: stage as Stage, size: Number(size) };
    if (group.stage === 'handed') begun += group.size;
    if (!holds(group)) return void response.end();
    holding += group.size;
    held.push(response);
  });
  const port = await listen(server);
  const file = join(newScratchDir(), 'signer-gate.mjs');
  writeFileSync(file, preloaded(port));
  return {
    /** From now on, holds the first group that `begins` chooses at this stage, and all that come after it. */
    hold(stage: Stage, begins: (size: number) => boolean) {
      begun = 0;
      holds = (group) => group.stage === stage && (holding > 0 || begins(group.size));
    },
    held: () => holding,
    /** How many signatures have passed, or will. */
    passing: () => begun - holding,
    environment: { NODE_OPTIONS: `--import=${file}` },
  };
}

/** The real module signs. Only its answers wait. */
const preloaded = (port: number) => `
const { dlopen } = process;
const pass = async (stage, size) => void (await (await fetch('http://127.0.0.1:${port}/' + stage + '/' + size)).text());
process.dlopen = function (module, ...more) {
  dlopen.call(this, module, ...more);
  const { P384Signer } = module.exports;
  if (!P384Signer) return;
  module.exports = {
    P384Signer: class {
      #signer;
      constructor(key) {
        this.#signer = new P384Signer(key);
      }
      async signMany(data, ends) {
        const signing = this.#signer.signMany(data, ends);
        await pass('handed', ends.length);
        const signatures = await signing;
        await pass('signed', ends.length);
        return signatures;
      }
    },
  };
};
`;
