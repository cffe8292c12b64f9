// What is known about a file or a run of a feed before its items are read.

import type { Id } from '../../kit/id.ts';
import type { DateOrder, ImportOrigin } from '../../model/custody/import.ts';

export interface ImportSource {
  /** Null for rates and prices that all clients share. */
  readonly client: Id | null;
  readonly origin: ImportOrigin;
  /** `check` books nothing: the rows get the outcome that they would have. */
  readonly mode: 'check' | 'book';
  /** Of a file its format, of a feed the name of its connector. */
  readonly format: string;
  readonly fileName?: string | null;
  /** SHA-256 of the file, in hexadecimal. */
  readonly digest?: string | null;
  readonly profile?: string | null;
  readonly dateOrder?: DateOrder | null;
  /** What rows count for that name no account or depository. */
  readonly account?: Id | null;
  readonly depository?: Id | null;
  /** Whose words the items use. */
  readonly custodian?: Id | null;
  /** The only accounts that items may name: those that the authority of a feed covers. Others count as unknown. */
  readonly coveredAccounts?: ReadonlySet<Id>;
  /** The depositories that it covers by themselves. Those that settle through a covered account are in reach as well. */
  readonly coveredDepositories?: ReadonlySet<Id>;
  /** Creates instruments that are missing from what the items say. */
  readonly createsInstruments?: boolean;
  /** Books the cash of accounts although their trades wait. Without it, such an import is refused as a whole. */
  readonly allowsCashAlone?: boolean;
}
