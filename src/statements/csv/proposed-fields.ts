// Proposes what the columns of an unknown file say: by the names that shipped profiles know, and else by what stands in them.

import { keysOf } from '../../kit/keys.ts';
import type { CsvField } from '../../model/custody/import-profile.ts';
import { isPlainProfile, shippedProfiles } from '../../model/custody/shipped-profiles/shipped.ts';
import { parseColumnName } from './column-name.ts';
import { foldName } from './folded-name.ts';

/** Fields that several columns may say together. */
const joinedFields: ReadonlySet<CsvField> = new Set(['comment', 'fees', 'taxes']);
/** Everyday names say more of an unknown file than those of one institution. */
const plainWeight = 3;

let known: ReadonlyMap<string, CsvField> | undefined;

/** What most shipped profiles of movements read in a column of a name. */
function fieldsByName(): ReadonlyMap<string, CsvField> {
  if (known !== undefined) return known;
  const votes = new Map<string, Map<CsvField, number>>();
  for (const profile of shippedProfiles) {
    if (profile.content !== 'transactions' || profile.header !== 'named') continue;
    const weight = isPlainProfile(profile) ? plainWeight : 1;
    for (const field of keysOf(profile.columns))
      for (const column of profile.columns[field] ?? []) {
        const { name, offset, aroundCode, isAboveOnly } = parseColumnName(column);
        if (offset > 0 || aroundCode !== undefined || isAboveOnly || name.startsWith('#')) continue;
        const counts = votes.getOrInsertComputed(bare(name), () => new Map<CsvField, number>());
        counts.set(field, (counts.get(field) ?? 0) + weight);
      }
  }
  const fields = new Map<string, CsvField>();
  for (const [name, counts] of votes) {
    // Of equal votes, the field that is declared first: a column that is read as two is most of all what a line needs.
    const [best] = [...counts].toSorted(([, one], [, other]) => other - one);
    if (best !== undefined) fields.set(name, best[0]);
  }
  known = fields;
  return fields;
}

/** Without accents, signs and what stands in brackets: `Montant (EUR)`, `Date d'opération`. */
function bare(name: string): string {
  const open = name.search(/[([]/);
  return foldName(open > 0 ? name.slice(0, open) : name)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** One field for each column, in their order; undefined where nothing is known. Each field is proposed once, unless columns of it add up. */
export function proposedFields(names: readonly string[]): readonly (CsvField | undefined)[] {
  const fields = fieldsByName();
  const taken = new Set<CsvField>();
  return names.map((name) => {
    const field = fields.get(bare(name));
    if (field === undefined || (taken.has(field) && !joinedFields.has(field))) return undefined;
    taken.add(field);
    return field;
  });
}
