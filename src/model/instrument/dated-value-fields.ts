// What points of time series and exchange rates have in common: a day, a source, and since when they are known.

import { calendarDate, instant, oneOf } from '../../kit/field.ts';
import type { Attribute } from '../../kit/resource.ts';

/** A reference-data feed, a custodian's statement, an override by hand. */
export const dataSources = ['reference', 'custodian', 'manual'] as const;
export type DataSource = (typeof dataSources)[number];

/** Where several sources speak of one day, the first of these that does counts. */
export const dataSourcesByPrecedence: readonly DataSource[] = ['manual', 'custodian', 'reference'];

export const dateField = {
  kind: calendarDate,
  description: 'The day it is of, whenever it came to be known.',
  writable: 'at-creation',
  required: true,
  example: '2026-11-13',
} as const satisfies Attribute;

export const sourceField = {
  kind: oneOf(dataSources),
  description:
    'Where it comes from: `reference` is reference data, `custodian` a statement, `manual` an override by hand. On one day manual counts before custodian, and custodian before reference. Manual when it is not sent.',
  writable: 'at-creation',
  example: 'manual',
} as const satisfies Attribute;

export const knownFrom = {
  kind: instant,
  description: 'Since when it has been known to be so.',
  writable: 'never',
} as const satisfies Attribute;
