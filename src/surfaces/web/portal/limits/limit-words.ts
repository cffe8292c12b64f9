// Says a limit in words: its bounds, and which holdings it counts.

import type { LimitFilter } from '../../../../model/limit/limit-filter.ts';
import type { Formats } from '../../language/formats.ts';
import type { Language } from '../../language/reader.ts';
import { limitsTexts } from './limits-texts.ts';

/** Names of what filters name by ids. */
export type NameOf = (id: string) => string;

interface LimitUnit {
  readonly kind: 'proportional' | 'absolute';
  /** The reference currency, of amounts; undefined where no report says it. */
  readonly currency: string | undefined;
}

export function limitValue(formats: Formats, { kind, currency }: LimitUnit, value: string): string {
  if (kind === 'proportional') return formats.share(value);
  return currency === undefined ? formats.money(value) : formats.moneyWithCode(value, currency);
}

/** "at most 15.0% of the whole value". */
export function boundsText(
  { min, max }: { readonly min: string | null; readonly max: string | null },
  { unit, formats, language }: { readonly unit: LimitUnit; readonly formats: Formats; readonly language: Language },
): string {
  const text = limitsTexts[language];
  const written = (bound: string): string => limitValue(formats, unit, bound);
  const bounds = ((): string => {
    if (min !== null && max !== null) return text.between(written(min), written(max));
    return min === null ? text.atMost(written(max ?? '0')) : text.atLeast(written(min));
  })();
  return unit.kind === 'proportional' ? `${bounds} ${text.ofWhole}` : bounds;
}

/** "class Equities and currency CHF or EUR". */
export function filterText(filter: LimitFilter, language: Language, nameOf: NameOf): string {
  const text = limitsTexts[language];
  if (filter.kind !== 'condition') {
    const parts = filter.filters.map((one) => {
      const inner = filterText(one, language, nameOf);
      return one.kind === 'condition' || filter.filters.length === 1 ? inner : `(${inner})`;
    });
    return parts.join(` ${text[filter.kind]} `);
  }
  const { field, operator, value } = filter;
  const names = value.map(nameOf);
  const isPath = field === 'instrument_class.path' && (operator === 'starts_with' || operator === 'equals');
  const joined = isPath ? names.join(' › ') : names.join(` ${operator === 'contains' ? text.and : text.or} `);
  return operator === 'not_in' ? text.other(text[field], joined) : text.is(text[field], joined);
}

/** The fields that filters test. */
export function filterFields(filter: LimitFilter): readonly string[] {
  return filter.kind === 'condition' ? [filter.field] : filter.filters.flatMap(filterFields);
}
