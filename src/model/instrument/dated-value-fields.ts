// Declares the fields that points of time series and exchange rates share: the day, the source, and when they became known.

import { calendarDate, instant, oneOf } from '../../kit/field.ts';
import type { Attribute } from '../../kit/resource.ts';

/** A reference-data feed, a custodian's statement, or an override by hand. */
export const dataSources = ['reference', 'custodian', 'manual'] as const;
export type DataSource = (typeof dataSources)[number];

/** If several sources have a value for one day, the first of these counts. */
export const dataSourcesByPrecedence: readonly DataSource[] = ['manual', 'custodian', 'reference'];

export const dateField = {
  kind: calendarDate,
  description: 'The day it is for, whenever it became known.',
  writable: 'at-creation',
  required: true,
  example: '2026-11-13',
} as const satisfies Attribute;

export const sourceField = {
  kind: oneOf(dataSources),
  description:
    'Where it comes from: `reference` is reference data, `custodian` a statement, `manual` an override by hand. For the same day manual takes precedence over custodian, and custodian over reference. Default: `manual`.',
  writable: 'at-creation',
  example: 'manual',
} as const satisfies Attribute;

export const knownFrom = {
  kind: instant,
  description: 'When this value became known.',
  writable: 'never',
} as const satisfies Attribute;
