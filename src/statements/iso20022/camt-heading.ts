// What counts for all balances and entries of one account in a file of camt.

import type { NamedAccount } from '../../model/custody/statement.ts';
import type { FieldFault } from '../field-fault.ts';
import type { UsedReferences } from '../used-references.ts';

export interface CamtHeading {
  readonly account: NamedAccount | undefined;
  /** Why the account is unknown although the file has one. */
  readonly accountFault: FieldFault | undefined;
  readonly statedAt: string | undefined;
  readonly name: string;
  readonly isReport: boolean;
  readonly from: string | undefined;
  readonly references: UsedReferences;
}
