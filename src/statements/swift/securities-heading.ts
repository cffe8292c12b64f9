// What counts for everything in a statement of securities: whose it is, its day, and whether it takes back another.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { NamedAccount } from '../../model/custody/statement.ts';
import type { UsedReferences } from '../used-references.ts';

export interface SecuritiesHeading {
  readonly safekeeping: NamedAccount | undefined;
  readonly cash: NamedAccount | undefined;
  /** Of the holdings, or the last of the period. */
  readonly day: CalendarDate | undefined;
  readonly statedAt: string | undefined;
  /** The message takes back an earlier one. */
  readonly isCancelled: boolean;
  readonly hasTransactions: boolean;
  readonly references: UsedReferences;
}
