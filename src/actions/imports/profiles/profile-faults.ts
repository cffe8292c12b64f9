// Checks that a mapping profile says enough for its content to be read.

import type { Fault } from '../../../kit/refusal.ts';
import { snakeCase } from '../../../kit/resource.ts';
import type { CsvField, ImportProfile, ImportProfileInput } from '../../../model/custody/import-profile.ts';

type CheckedProfile = ImportProfileInput & Pick<ImportProfile, 'content' | 'columns'>;

/** Of each group, one field must have a column. */
const neededColumns: Readonly<Record<ImportProfile['content'], readonly (readonly CsvField[])[]>> = {
  transactions: [['date'], ['amount', 'debit', 'credit', 'quantity']],
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

export function profileFaults(profile: CheckedProfile): readonly Fault[] {
  return [...missingColumns(profile), ...missingBase(profile), ...contradictions(profile)];
}
