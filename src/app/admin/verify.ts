// The command `verify`: checks the audit log, the laws of the ledger, references and sums, and names every row that breaks one.

import type { AppContext } from '../../actions/core/context.ts';
import { verifyAnnounced } from '../../actions/rounds/verify-announced.ts';
import { verifyLaws } from '../../store/postgres/verify/verify-laws.ts';
import { readConfig } from '../config.ts';
import { withAdminDatabase, withContextOn } from './admin-context.ts';
import type { Command, Invocation, Print } from './command.ts';
import { verifyAudit } from './verify-audit.ts';

export const verifyCommand: Command = {
  name: 'verify',
  usage: '[<end>…]',
  summary: 'checks the audit log, the laws of the ledger, references and sums; the service may run meanwhile',
  details: [
    'Each <end> is the end of an audit log that an earlier run printed: it must still be part of it.',
    'Sums are computed again from the ledger and compared with what the last round of each client has found today.',
    'Prints each check with what it was made on, and names the rows that break it. Exit code 1 if there are any.',
  ],
  run: verify,
};

async function verify({ args, environment, print }: Invocation): Promise<boolean> {
  const config = readConfig(environment);
  return withAdminDatabase(config, (connection) =>
    withContextOn(config, connection, async (context) => {
      print('audit log');
      let isIntact = await verifyAudit(context, args, (line) => print(`  ${line}`));
      print('laws and references');
      await verifyLaws(connection, ({ name, count, faultCount, faults }) => {
        printCheck(print, { name: `${name} (${count} rows)`, faultCount, faults });
        isIntact &&= faultCount === 0;
      });
      print('sums');
      isIntact = (await verifySums(context, print)) && isIntact;
      print(isIntact ? 'Everything holds.' : 'Something does not hold: see the lines that begin with FAULT.');
      return isIntact;
    }),
  );
}

interface Check {
  readonly name: string;
  readonly faultCount: number;
  readonly faults: readonly string[];
}

function printCheck(print: Print, { name, faultCount, faults }: Check): void {
  print(faultCount === 0 ? `  ok     ${name}` : `  FAULT  ${name}: ${faultCount} faults`);
  for (const fault of faults) print(`           ${fault}`);
  if (faultCount > faults.length) print(`           and ${faultCount - faults.length} more`);
}

async function verifySums(context: AppContext, print: Print): Promise<boolean> {
  let isFaultless = true;
  for (const tenant of await context.stores.preAuth.listEnvironments()) {
    const { comparedCount, waitingCount, faultCount, faults } = await verifyAnnounced(context, tenant);
    const waiting = waitingCount === 0 ? '' : `, ${waitingCount} have had no round of these inputs today`;
    const name = `${tenant.workspaceId}/${tenant.environment}: what rounds have found is what the ledger gives (${comparedCount} clients${waiting})`;
    printCheck(print, { name, faultCount, faults });
    isFaultless &&= faultCount === 0;
  }
  return isFaultless;
}
