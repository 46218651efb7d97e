// Completions of commands and long options, from the table of commands. All words are ours, so none needs quotes.
import { type Command, commonOptions } from '../command.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

type Place = { readonly path: string; readonly words: readonly string[] };

export function createScript(shell: Shell, commands: readonly Command[]): string {
  const places = listPlaces(commands);
  if (shell === 'fish') return createFish(places);
  const script = createBash(places);
  return shell === 'bash'
    ? script
    : `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${script}`;
}

const longOf = (flags: string): string[] => /--[\w-]+/.exec(flags) ?? [];

/** What can follow the words so far. */
function listPlaces(commands: readonly Command[]): Place[] {
  const next = new Map<string, Set<string>>([['', new Set()]]);
  const add = (path: string, words: readonly string[]) => {
    const known = next.get(path) ?? new Set();
    next.set(path, known);
    for (const word of words) known.add(word);
  };
  for (const { path, options = [] } of commands) {
    for (const [index, word] of path.entries()) add(path.slice(0, index).join(' '), [word]);
    add(
      path.join(' '),
      [...options, ...commonOptions].flatMap(({ flags }) => longOf(flags)).concat('--help'),
    );
  }
  add('completion', shells);
  return [...next].map(([path, words]) => ({ path, words: [...words] }));
}

const createBash = (places: readonly Place[]): string => `_concord() {
  local path="" word index current="\${COMP_WORDS[COMP_CWORD]}"
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "\${path:+$path }$word" in
${places
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      "${path}") path="${path}" ;;`)
  .join('\n')}
    esac
  done
  case "$path" in
${places.map(({ path, words }) => `    "${path}") COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$current")) ;;`).join('\n')}
  esac
}
complete -o default -F _concord concord
`;

/** The words before the cursor that are no options are the path. */
const createFish = (places: readonly Place[]): string => `function __concord_path
  set -l path
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; or set -a path $word
  end
  string join ' ' -- $path
end
${places
  .map(({ path, words }) => {
    // After a command, its arguments may follow.
    const isGroup = words.every((word) => !word.startsWith('--'));
    const test = isGroup
      ? `test "$(__concord_path)" = "${path}"`
      : `string match -q -- "${path}*" "$(__concord_path)"`;
    return `complete -c concord ${isGroup ? '-f ' : ''}-n '${test}' -a '${words.join(' ')}'`;
  })
  .join('\n')}
`;
