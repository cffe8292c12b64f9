// Completion for bash, zsh and fish, made from the commands themselves.

import { Holdfast } from '@holdfast/sdk';
import { Argument, type Command } from 'commander';
import { kebabCase } from '../input.ts';

/** `get`, `webhooks listen`: what may follow each. */
function wordsAfter(program: Command): Map<string, string[]> {
  const words = new Map<string, string[]>();
  const add = (command: Command, path: string): void => {
    const options = command.options.map(({ long, short }) => long ?? short ?? '');
    const names = command.commands.map((child) => child.name());
    words.set(path, [
      ...names,
      ...resourcesOf(path),
      ...options,
      ...(path === '' ? [] : ['--json', '--profile', '--help']),
    ]);
    for (const child of command.commands) add(child, path === '' ? child.name() : `${path} ${child.name()}`);
  };
  add(program, '');
  return words;
}

function resourcesOf(path: string): string[] {
  if (!['get', 'list', 'create'].includes(path)) return [];
  const methods = new Holdfast({ url: 'http://localhost', token: '' }).methodNames();
  return methods.flatMap((name) => (name.endsWith(`.${path}`) ? [kebabCase(name.slice(0, -path.length - 1))] : []));
}

function bash(words: ReadonlyMap<string, string[]>): string {
  const cases = [...words].map(([path, list]) => `    '${path}') words='${list.join(' ')}' ;;\n`);
  return `_holdfast() {
  local path='' word words
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  case "$path" in get\\ *|list\\ *|create\\ *|import\\ *|export\\ *|explain\\ *) path=\${path%% *} ;; esac
  case "$path" in
${cases.join('')}  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _holdfast holdfast
`;
}

function fish(words: ReadonlyMap<string, string[]>): string {
  const lines = [...words].flatMap(([path, list]) =>
    path === ''
      ? [
          `complete -c holdfast -f -n __fish_use_subcommand -a '${list.filter((word) => !word.startsWith('-')).join(' ')}'`,
        ]
      : [`complete -c holdfast -n '__fish_seen_subcommand_from ${path.split(' ').at(-1)}' -a '${list.join(' ')}'`],
  );
  return `${lines.join('\n')}\n`;
}

const shells: Readonly<Record<string, (words: ReadonlyMap<string, string[]>) => string>> = {
  bash,
  zsh: (words) => `autoload -U +X bashcompinit && bashcompinit\n${bash(words)}`,
  fish,
};

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print the completion of a shell: source <(holdfast completion bash)')
    .addArgument(new Argument('<shell>').choices(Object.keys(shells)))
    .action((shell: string) => void process.stdout.write(shells[shell]?.(wordsAfter(program)) ?? ''));
}
