// The commands of a documentation page, and the answers that it shows after them.

import { readFile } from 'node:fs/promises';

export interface ShownCommand {
  readonly command: string;
  /** What the page shows after it; undefined where it shows nothing. */
  readonly answer?: { readonly format: 'json' | 'text'; readonly text: string };
}

export async function readPage(path: string): Promise<string> {
  return readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
}

/** Every block of shell commands, with the block of JSON or text right after it. */
export function listCommands(page: string): readonly ShownCommand[] {
  const blocks = page.matchAll(/```sh\n([\s\S]*?)```(?:\n\n```(json|text)\n([\s\S]*?)```)?/g);
  return [...blocks].map(([, command = '', format, text = '']) =>
    format === 'json' || format === 'text' ? { command, answer: { format, text } } : { command },
  );
}

/** Whether the answer has everything that is shown: objects and lists may be shown in part, but an empty list means an empty one. */
export function contains(answer: any, shown: any): boolean {
  if (Array.isArray(shown))
    return shown.length === 0
      ? answer.length === 0
      : shown.every((one) => answer.some((other: unknown) => contains(other, one)));
  if (typeof shown !== 'object' || shown === null) return answer === shown;
  return Object.entries(shown).every(([name, one]) => Object.hasOwn(answer ?? {}, name) && contains(answer[name], one));
}
