// The statement of a bank on the client that is taken over. It says less cash than the ledger: the brokerage that was not sent is missing there.

import { createHash } from 'node:crypto';
import { accountRules } from '../structure/account.ts';
import { changeRecord } from '../core/resource.ts';
import type { Work } from '../core/work.ts';
import { importFile } from '../imports/import-file.ts';
import type { DemoTakeover } from './seed-takeover.ts';

const accountNumber = 'CH9300762011623852957';

/** MT940 with a balance and no entries: 45 less than the ledger. */
const statement = `:20:FJORD-2026-10
:25:${accountNumber}
:28C:10/1
:60F:C261030CHF1291148,10
:62F:C261030CHF1291148,10
-
`;

export async function importStatement(work: Work, { client, main }: DemoTakeover): Promise<void> {
  await changeRecord(work, accountRules, main.id, { externalIdentifier: accountNumber });
  const bytes = Buffer.from(statement);
  await importFile(work, {
    client,
    account: null,
    depository: null,
    format: null,
    profile: null,
    fileName: 'fjord-2026-10-30.sta',
    digest: createHash('sha256').update(bytes).digest('hex'),
    mode: 'book',
    createsInstruments: false,
    chunks: async function* () {
      yield bytes;
    },
  });
}
