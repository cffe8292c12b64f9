// The words for fields and values of the API, as people say them.

import { findRecordKind } from './record-kinds.ts';

const fieldWords: Readonly<Record<string, string>> = {
  parent_id: 'Parent client',
  entity_id: 'Legal entity',
  client_id: 'Client',
  external_identifier: 'Number at the custodian',
  counter_account_id: 'Other account',
  counter_depository_id: 'Other depository',
  exclude_from_reporting: 'Left out of consolidated reports',
  institution: 'Custodian by name',
  long_term_months: 'Months until a gain is long-term',
  stale_days_listed: 'Days until a listed price is stale',
  stale_days_funds: 'Days until a fund price is stale',
  stale_days_private: 'Days until a private value is stale',
  volatility_days: 'Days a year for volatility',
  value_change_bound: 'Largest unexplained change of value',
  accounting_method: 'How sales are matched with lots',
  created_at: 'Created',
  email: 'E-mail address',
  reporting_entity_ids: 'May read',
  duration_ms: 'Duration (ms)',
  url: 'Address',
  isin: 'ISIN',
  sedol: 'SEDOL',
  mic: 'Exchange (MIC)',
  id: 'Id',
};

/** Fields with amounts and units. */
export const figureFields: ReadonlySet<string> = new Set([
  'amount',
  'counter_amount',
  'quantity',
  'price',
  'fees',
  'taxes',
  'accrued_interest',
  'principal',
  'commitment',
  'min_amount',
  'max_amount',
  'value',
]);

const valueWords: Readonly<Record<string, string>> = {
  FIFO: 'First in, first out',
  AVERAGE: 'Average cost',
  SPECIFIC_ID: 'Chosen lots',
  true: 'Yes',
  false: 'No',
  provider_a: 'Provider A',
  provider_b: 'Provider B',
  provider_c: 'Provider C',
};

/** The title of a field: its own words, those of the kind of record it refers to, or its name without underscores. */
export function fieldTitle(name: string, target?: { readonly to: string; readonly isMany: boolean }): string {
  const own = fieldWords[name];
  if (own !== undefined) return own;
  const kind = target && findRecordKind(target.to);
  if (target !== undefined && kind !== undefined) return capitalise(target.isMany ? kind.several : kind.one);
  return capitalise(name.replace(/_ids?$/, '').replaceAll(/[._-]/g, ' '));
}

export function valueTitle(value: string): string {
  return valueWords[value] ?? capitalise(value.replaceAll(/[._-]/g, ' '));
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The API's description of a field, said for a form. */
export function fieldHint(description: unknown): string | undefined {
  if (typeof description !== 'string') return undefined;
  const hint = description
    .replaceAll('`', '')
    .replaceAll('When it is not sent:', 'If left empty:')
    .replaceAll(/ (?:when|where) it is not sent/g, ' if left empty')
    .split(/(?<=\.) /)
    .filter((sentence) => !/^A (?:change|sent list) replaces /.test(sentence))
    .join(' ')
    .trim();
  return hint === '' ? undefined : hint;
}
