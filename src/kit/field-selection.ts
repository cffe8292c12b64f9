// Which fields of records a reader wants, so that the store looks up nothing that nobody shows.

import type { Resource } from './resource.ts';

export interface FieldSelection {
  includes(resource: Pick<Resource, 'type'>, field: string): boolean;
  /** Whether a relation that may lead to records of several types is read with the type of the record it leads to. */
  readonly withRelatedTypes: boolean;
}

/** Nothing beyond the columns of a record's own row, which are read in any case. */
export const ownColumnsOnly: FieldSelection = { includes: () => false, withRelatedTypes: false };
