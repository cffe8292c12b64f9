// Texts that were chosen to break pages and files, and a world in which every text that somebody can write is one of them.

import { operations } from '../../../src/surfaces/operations.ts';
import type { Operation } from '../../../src/surfaces/http/operation/operation.ts';
import type { Caller } from '../http/caller.ts';

/** What it would make of a page that believes it: an element with a handler, a script, an attribute, another direction. */
const markup = `=HYPERLINK("//x") <img src=x onerror="hostile=1"><script>hostile=1</script>' onfocus="hostile=1`;
const others = 'שלום مرحبا 🦊 👍🏽 Z͑ͫ̓ͪ̂̽̽A̴̵̜̰͔ͫ͗ &amp;#39; %00 ${1}';
const longWord = 'Donaudampfschifffahrtsgesellschaftskapitänswitwenrente';

/** One that is different for every number, with at most so many characters. */
export function hostileText(number: number, lengthMax: number): string {
  const end = ` ${number}`;
  const [first = '', ...rest] = lengthMax < 100 ? [longWord] : [markup, longWord, others];
  const whole = [first, ...rest].join(' ');
  return (
    [...whole]
      .slice(0, Math.min(lengthMax, 200) - end.length)
      .join('')
      .trimEnd() + end
  );
}

type Schema = Readonly<Record<string, any>>;

/** The fields of a body that take any text, with the length that each may have. */
function freeTexts(
  { body }: Operation,
  record: Readonly<Record<string, unknown>>,
): [name: string, lengthMax: number][] {
  const schema: Schema = body?.schema ?? {};
  const variants: readonly Schema[] = schema['oneOf'] ?? [schema];
  const properties = Object.assign({}, ...variants.map((variant) => variant['properties']));
  return Object.entries<Schema>(properties).flatMap(([name, declared]) => {
    const members: readonly Schema[] = declared['anyOf'] ?? [declared];
    const text = members.find(({ type, enum: values, format, pattern }) => {
      return type === 'string' && values === undefined && format === undefined && pattern === undefined;
    });
    // A profile is named by its id or its name.
    const isFree = text?.['maxLength'] >= 40 && !/_id$|^url$|^profile$/.test(name);
    const isThere = typeof record[name] === 'string' || (name === 'comment' && name in record);
    return isFree && isThere ? [[name, text?.['maxLength']]] : [];
  });
}

export interface HostileWorld {
  /** What was renamed, by type. */
  readonly counts: ReadonlyMap<string, number>;
  /** What could not be. */
  readonly refused: readonly string[];
}

async function listAll(caller: Caller, path: string): Promise<readonly any[]> {
  const all: any[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await caller.get(`${path}?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`);
    all.push(...(body.data ?? []));
    cursor = body.next_cursor ?? null;
  }
  return all.filter(({ type }) => type !== 'cash-instrument');
}

/** Gives every record that the API lists and changes such texts, wherever it takes any. */
export async function makeHostile(caller: Caller): Promise<HostileWorld> {
  const counts = new Map<string, number>();
  const refused: string[] = [];
  let number = 0;
  for (const change of operations.filter(({ id, method }) => id.startsWith('v1.') && method === 'PATCH')) {
    const [, plural = ''] = /^\/v1\/([\w-]+)\/\{\w+\}$/.exec(change.path) ?? [];
    if (plural === '') continue;
    for (const record of await listAll(caller, `/v1/${plural}`)) {
      const texts = freeTexts(change, record).map(([name, lengthMax]) => [name, hostileText(++number, lengthMax)]);
      if (texts.length === 0) continue;
      const { status, body, text } = await caller.patch(`/v1/${plural}/${record.id}`, Object.fromEntries(texts));
      if (status === 200) counts.set(plural, (counts.get(plural) ?? 0) + 1);
      // What the service has brought cannot be changed.
      else if (!String(body?.code).endsWith('-read-only')) refused.push(`${plural}: ${status} ${text}`);
    }
  }
  return { counts, refused };
}
