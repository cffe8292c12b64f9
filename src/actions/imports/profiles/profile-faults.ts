// Checks that a mapping profile says enough for its content to be read.

import type { Fault } from '../../../kit/refusal.ts';
import { snakeCase } from '../../../kit/resource.ts';
import {
  csvFields,
  type CsvField,
  type ImportProfile,
  type ImportProfileInput,
} from '../../../model/custody/import-profile.ts';
import { parseColumnName } from '../../../statements/csv/column-name.ts';
import { valuesOfPattern } from '../../../statements/csv/text-pattern.ts';

type CheckedProfile = ImportProfileInput & Pick<ImportProfile, 'content' | 'columns'>;

/** Of each group, one field must have a column. */
const neededColumns: Readonly<Record<ImportProfile['content'], readonly (readonly CsvField[])[]>> = {
  transactions: [['date'], ['amount', 'grossAmount', 'debit', 'credit', 'quantity']],
  positions: [['date'], ['quantity'], ['isin', 'cusip', 'sedol', 'ticker', 'code', 'instrumentName']],
  prices: [['date'], ['price'], ['isin', 'cusip', 'sedol', 'ticker', 'code']],
  'fx-rates': [['date'], ['exchangeRate'], ['counterCurrency']],
};

function hasColumn({ columns }: CheckedProfile, field: CsvField): boolean {
  return (columns[field]?.length ?? 0) > 0;
}

function missingColumns(profile: CheckedProfile): Fault[] {
  return neededColumns[profile.content]
    .filter((group) => !group.some((field) => hasColumn(profile, field)))
    .map((group) => ({
      code: 'missing-attribute',
      detail: `A profile of ${profile.content} needs a column for ${group.map(snakeCase).join(' or ')}.`,
      field: 'columns',
    }));
}

function missingBase(profile: CheckedProfile): Fault[] {
  if (profile.content !== 'fx-rates' || hasColumn(profile, 'currency') || profile.constants?.currency != null)
    return [];
  const detail = 'A profile of fx-rates needs the base currency: a column for currency, or constants.currency.';
  return [{ code: 'missing-attribute', detail, field: 'columns' }];
}

function contradictions(profile: CheckedProfile): Fault[] {
  const faults: Fault[] = [];
  if (hasColumn(profile, 'direction') && profile.directionWords == null) {
    const detail = 'direction_words is required where a column says the direction.';
    faults.push({ code: 'missing-attribute', detail, field: 'directionWords' });
  }
  if (profile.types?.some(({ type, action }) => action != null && type !== 'corporate-action')) {
    const detail = 'Only words for a corporate-action have an action.';
    faults.push({ code: 'invalid-attribute', detail, field: 'types' });
  }
  return faults;
}

/** Without a header, columns have places and no names. */
function namesWithoutHeader({ header, columns, recognisedBy = [] }: CheckedProfile): Fault[] {
  if (header !== 'none') return [];
  const faults: Fault[] = [];
  const names = Object.values(columns).flatMap((one) => one ?? []);
  const named = names.find((name) => parseColumnName(name).place === undefined);
  if (named !== undefined) {
    const detail = `A file without a header has no column "${named}". Name its columns by their places: #1, #2.`;
    faults.push({ code: 'invalid-attribute', detail, field: 'columns' });
  }
  const condition = recognisedBy.find((text) => !/^#[1-9]\d{0,2}=./.test(text.trim()));
  if (condition !== undefined) {
    const detail = `"${condition}" does not say what stands in which column of every line, such as "#2=EUR".`;
    faults.push({ code: 'invalid-attribute', detail, field: 'recognisedBy' });
  }
  return faults;
}

function unknownValues({ texts = [] }: CheckedProfile): Fault[] {
  return texts.flatMap(({ pattern }) => {
    const unknown = valuesOfPattern(pattern).find((name) => !knownValues.has(name));
    if (unknown === undefined && valuesOfPattern(pattern).length > 0) return [];
    const detail =
      unknown === undefined
        ? `The pattern "${pattern}" reads no value: put the name of a field in braces.`
        : `"${unknown}" in the pattern "${pattern}" is no field of columns, nor price_currency or *.`;
    return [{ code: 'invalid-attribute', detail, field: 'texts' }];
  });
}

const knownValues: ReadonlySet<string> = new Set([...csvFields.map(snakeCase), 'price_currency', '*']);

export function profileFaults(profile: CheckedProfile): readonly Fault[] {
  return [
    ...missingColumns(profile),
    ...missingBase(profile),
    ...contradictions(profile),
    ...namesWithoutHeader(profile),
    ...unknownValues(profile),
  ];
}
