// `concord completion`: a script for the shell, which completes commands and options.
import type { Command } from '../command.ts';
import { createScript, shells } from '../completion/scripts.ts';
import { CliError } from '../exits.ts';

/** `list` is called late: the table has this command too. */
export const createCompletion = (list: () => readonly Command[]): Command => ({
  path: ['completion'],
  summary: 'Print completions for a shell',
  details: 'bash: source <(concord completion bash). zsh: the same. fish: concord completion fish | source.',
  argument: { name: '<shell>', description: shells.join(', ') },
  example: 'concord completion bash > ~/.local/share/bash-completion/completions/concord',
  settings: 'none',
  async run({ input, io }) {
    const name = input.required();
    const shell = shells.find((each) => each === name);
    if (shell === undefined) throw new CliError('usage', `The shell must be one of ${shells.join(', ')}`);
    io.write(createScript(shell, list()));
  },
});
