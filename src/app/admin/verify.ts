// The command `verify`: checks the audit log, the laws of the ledger, references and sums, and names every row that breaks one; or the file of a backup.

import type { AppContext } from '../../actions/core/context.ts';
import { verifyAnnounced } from '../../actions/rounds/verify-announced.ts';
import { withBackupFile } from '../../store/postgres/backup/backup-file.ts';
import { verifyLaws } from '../../store/postgres/verify/verify-laws.ts';
import { readConfig } from '../config.ts';
import { withAdminDatabase, withContextOn } from './admin-context.ts';
import { identityOptions, readIdentities } from './age-options.ts';
import { Misuse, printJson, readOptions, resolvePath, takeJson, type Command, type Invocation } from './command.ts';
import type { Print } from './command.ts';
import { auditJson, auditLines, verifyAudit } from './verify-audit.ts';

export const verifyCommand: Command = {
  name: 'verify',
  usage: '[<end>…] [--json] | --from FILE [--identity FILE] [--json]',
  summary: 'checks the audit log, the laws of the ledger, references and sums; the service may run meanwhile',
  details: [
    'Each <end> is the end of an audit log that an earlier run printed: it must still be part of it.',
    'Sums are computed again from the ledger and compared with what the last round of each client has found today.',
    'Prints each check with what it was made on, and names the rows that break it. Exit code 1 if there are any.',
    '--from reads the file of a backup from the first byte to the last instead, and says whether it is as it was written.',
  ],
  run: (invocation) => (invocation.args.includes('--from') ? verifyFile(invocation) : verifyDatabase(invocation)),
};

/** Needs no settings: a file can be checked where there is no database and no key. */
async function verifyFile({ args, environment, print }: Invocation): Promise<boolean> {
  const options = readOptions(args, { from: { type: 'string' }, json: { type: 'boolean' }, ...identityOptions });
  if (options.from === undefined) throw new Misuse('Say what to check: --from FILE.');
  const identities = await readIdentities(options.identity, environment);
  const path = resolvePath(options.from, environment);
  const manifest = await withBackupFile(path, async ({ manifest: whole }) => whole, identities);
  const { tables, madeAt, release, keyFingerprint, sealedKey } = manifest;
  const rowCount = tables.reduce((sum, { rows }) => sum + rows, 0);
  if (options.json === true) {
    printJson(print, {
      is_intact: true,
      file: path,
      made_at: madeAt,
      release,
      rows: rowCount,
      tables: tables.length,
      is_encrypted: identities.length > 0,
      key_fingerprint: keyFingerprint,
      holds_key: sealedKey !== undefined,
    });
    return true;
  }
  print(
    `${path} is as it was written: ${rowCount} rows of ${tables.length} tables, as of ${madeAt} (release ${release}).`,
  );
  print(
    `The encryption key with the fingerprint ${keyFingerprint} fits it${sealedKey === undefined ? '' : ', and is in it'}.`,
  );
  return true;
}

interface Check {
  readonly name: string;
  /** What it was made on. */
  readonly count: number;
  readonly faultCount: number;
  readonly faults: readonly string[];
}

async function verifyDatabase({ args, environment, print }: Invocation): Promise<boolean> {
  const config = readConfig(environment);
  const { json, rest: ends } = takeJson(args);
  const logs: object[] = [];
  const [laws, sums] = [new Array<Check>(), new Array<Check>()];
  const printLine = (line: string): void => {
    if (!json) print(line);
  };
  return withAdminDatabase(config, (connection) =>
    withContextOn(config, connection, async (context) => {
      printLine('audit log');
      let isIntact = await verifyAudit(context, ends, (finding) => {
        logs.push(auditJson(finding));
        for (const line of auditLines(finding)) printLine(`  ${line}`);
      });
      printLine('laws and references');
      await verifyLaws(connection, (law) => {
        laws.push(law);
        printCheck(printLine, { ...law, name: `${law.name} (${law.count} rows)` });
        isIntact &&= law.faultCount === 0;
      });
      printLine('sums');
      await verifySums(context, (check) => {
        sums.push(check);
        printCheck(printLine, check);
        isIntact &&= check.faultCount === 0;
      });
      if (json) printJson(print, { is_intact: isIntact, logs, laws: laws.map(checkJson), sums: sums.map(checkJson) });
      printLine(isIntact ? 'Everything holds.' : 'Something does not hold: see the lines that begin with FAULT.');
      return isIntact;
    }),
  );
}

function checkJson({ name, count, faultCount, faults }: Check): object {
  return { name, count, fault_count: faultCount, faults };
}

function printCheck(print: Print, { name, faultCount, faults }: Omit<Check, 'count'>): void {
  print(faultCount === 0 ? `  ok     ${name}` : `  FAULT  ${name}: ${faultCount} faults`);
  for (const fault of faults) print(`           ${fault}`);
  if (faultCount > faults.length) print(`           and ${faultCount - faults.length} more`);
}

async function verifySums(context: AppContext, show: (check: Check) => void): Promise<void> {
  for (const tenant of await context.stores.preAuth.listEnvironments()) {
    const { comparedCount, waitingCount, faultCount, faults } = await verifyAnnounced(context, tenant);
    const waiting = waitingCount === 0 ? '' : `, ${waitingCount} have had no round of these inputs today`;
    const name = `${tenant.workspaceId}/${tenant.environment}: what rounds have found is what the ledger gives (${comparedCount} clients${waiting})`;
    show({ name, count: comparedCount, faultCount, faults });
  }
}
