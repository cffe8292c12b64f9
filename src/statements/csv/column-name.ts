// How a profile names a column of a file: by its name, by its place, or beside another, and where the currency of its amounts is said.

import { foldName } from './folded-name.ts';

export interface ColumnName {
  /** Folded. A column of exactly this name goes before what the rest says. */
  readonly whole: string;
  /** Folded, without what follows it. */
  readonly name: string;
  /** `#3`: the third column. */
  readonly place: number | undefined;
  /** `Change+1`: the column that is as far to the right. */
  readonly offset: number;
  /** `Total ({currency})`: what stands before and behind the code. */
  readonly aroundCode: readonly [before: string, behind: string] | undefined;
  /** `Price [Currency]`, `Price [+1]`, `Price [GBX]`: which column says the currency, or the code itself. */
  readonly currency: string | undefined;
  /** `IBAN:` is looked for above the header only. */
  readonly isAboveOnly: boolean;
}

const codePlace = '{currency}';

const known = new Map<string, ColumnName>();
/** Names of profiles, most of them shipped. */
const knownMax = 10_000;

export function parseColumnName(text: string): ColumnName {
  let name = known.get(text);
  if (name === undefined) {
    name = parse(text);
    if (known.size < knownMax) known.set(text, name);
  }
  return name;
}

function parse(text: string): ColumnName {
  const whole = foldName(text);
  const open = whole.endsWith(']') ? whole.lastIndexOf('[') : -1;
  const currency = open > 0 ? whole.slice(open + 1, -1).trim() : undefined;
  const rest = currency ? whole.slice(0, open).trim() : whole;
  const isAboveOnly = rest.endsWith(':');
  const [, beside, distance] = /^(.*[^\s+])\+([1-9])$/.exec(rest) ?? [];
  const name = isAboveOnly ? rest.slice(0, -1).trim() : (beside ?? rest);
  const [before, behind, ...more] = name.split(codePlace);
  return {
    whole,
    name,
    place: /^#[1-9]\d{0,2}$/.test(name) ? Number(name.slice(1)) : undefined,
    offset: distance === undefined ? 0 : Number(distance),
    aroundCode: before !== undefined && behind !== undefined && more.length === 0 ? [before, behind] : undefined,
    currency: currency || undefined,
    isAboveOnly,
  };
}

/** The currency code in a folded name that stands between the two parts, in capitals. */
export function codeBetween(name: string, [before, behind]: readonly [string, string]): string | undefined {
  if (name.length !== before.length + 3 + behind.length) return undefined;
  if (!name.startsWith(before) || !name.endsWith(behind)) return undefined;
  const code = name.slice(before.length, before.length + 3);
  return /^[a-z]{3}$/.test(code) ? code.toUpperCase() : undefined;
}
