// Names for limits: where their pages are, and what filters name by ids.

import type { LimitFilter } from '../../../../model/limit/limit-filter.ts';
import type { NameOf } from '../../portal/limits/limit-words.ts';
import type { Page } from '../../signed-in-page.ts';
import { ReferenceNames, type Reference } from '../resource/references.ts';
import { valueTitle } from '../resource/words.ts';
import { referencedTypes } from './filter-values.ts';

export const limitsPath = '/console/limits';

function referencesIn(filter: LimitFilter): readonly Reference[] {
  if (filter.kind !== 'condition') return filter.filters.flatMap(referencesIn);
  const to = referencedTypes[filter.field];
  return to === undefined ? [] : filter.value.map((id) => ({ to, id }));
}

function typesIn(filter: LimitFilter): readonly string[] {
  if (filter.kind !== 'condition') return filter.filters.flatMap(typesIn);
  return filter.field === 'instrument.type' ? filter.value : [];
}

/** The names of what these filters name, as far as the person may read it. */
export async function readFilterNames(page: Page, filters: readonly LimitFilter[]): Promise<NameOf> {
  const references = filters.flatMap(referencesIn);
  const types = new Set(filters.flatMap(typesIn));
  const names = await ReferenceNames.read(page, references);
  const byId = new Map(references.map((one) => [one.id, names.nameOf(one)]));
  return (id) => byId.get(id) ?? (types.has(id) ? valueTitle(id) : id);
}
