// The command `verify-audit`: verifies the chain over the audit log of every workspace and environment, and prints where each ends. With `--file` it verifies
// lines that were shipped, without the database.

import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { ShippedChain, type ShippedReport } from '../../actions/access/shipped-chain.ts';
import { Keyring } from '../../signing/keyring.ts';
import { findKey } from '../encryption-key.ts';
import { SettingFault, SettingReader } from '../setting-reader.ts';
import type { AppContext } from '../../actions/core/context.ts';
import { verifyAuditChain, type ChainReport, type KnownEnd } from '../../actions/access/audit-chain.ts';
import type { Tenant } from '../../model/access/scope.ts';
import { readConfig } from '../config.ts';
import { withAdminContext } from './admin-context.ts';
import { Misuse, printJson, resolvePath, takeJson, type Command, type Invocation } from './command.ts';
import { writeMetricsFile } from './metrics-file.ts';

export const verifyAuditCommand: Command = {
  name: 'verify-audit',
  usage: '[<end>…] [--metrics-file FILE.prom | --file SHIPPED.jsonl …] [--json]',
  summary: 'verifies the audit log; each <end> is one that an earlier run printed',
  details: [
    '--file verifies lines that were shipped, without the database: of several nodes or of a rotated file, name each with --file.',
    'With ENCRYPTION_KEY every hash is computed again; without, gaps and the order of the hashes are checked.',
    '--metrics-file writes when it was verified and what was found, for the textfile collector of node_exporter.',
  ],
  async run({ args, environment, print }: Invocation): Promise<boolean> {
    const { json, rest } = takeJson(args);
    if (rest.includes('--file')) return verifyFiles({ args: rest, environment, print }, json);
    const { ends, metricsFile } = takeMetricsFile(rest);
    return withAdminContext(readConfig(environment), async (context) => {
      const found: AuditFinding[] = [];
      const isIntact = await verifyAudit(context, ends, (finding) => {
        if (json) found.push(finding);
        else for (const line of auditLines(finding)) print(line);
      });
      if (json) printJson(print, { is_intact: isIntact, logs: found.map(auditJson) });
      if (metricsFile !== undefined)
        await writeMetricsFile(resolvePath(metricsFile, environment), [
          {
            name: 'holdfast_audit_verified_timestamp_seconds',
            help: 'When the audit log was last verified from end to end.',
            value: Math.floor(context.clock.now() / 1000),
          },
          { name: 'holdfast_audit_intact', help: '1 if every chain held, else 0.', value: isIntact ? 1 : 0 },
        ]);
      return isIntact;
    });
  },
};

function takeMetricsFile(args: readonly string[]): {
  readonly ends: readonly string[];
  readonly metricsFile: string | undefined;
} {
  const at = args.indexOf('--metrics-file');
  if (at === -1) return { ends: args, metricsFile: undefined };
  const metricsFile = args[at + 1];
  if (metricsFile === undefined) throw new Misuse('Name the file: --metrics-file FILE.prom.');
  return { ends: args.toSpliced(at, 2), metricsFile };
}

interface TenantEnd extends KnownEnd {
  readonly tenantName: string;
}

/** The log of one workspace and environment; without a report where it was to be verified and is not there. */
export interface AuditFinding {
  readonly tenantName: string;
  readonly report: ChainReport | undefined;
}

const endPattern = /^(?<tenantName>[0-9a-f]{24}\/(?:production|sandbox)):(?<number>\d+):(?<hash>[0-9a-f]{64})$/;

function nameOf({ workspaceId, environment }: Tenant): string {
  return `${workspaceId}/${environment}`;
}

/** Reads an end as it was printed: workspace/environment:number:hash. */
function readEnd(text: string): TenantEnd {
  const { tenantName: name = '', number = '', hash = '' } = endPattern.exec(text)?.groups ?? {};
  if (hash === '') throw new Misuse(`${text} is not the end of a chain as verify-audit prints it.`);
  return { tenantName: name, number: Number(number), hash };
}

function printedEnd({ tenant, end }: ChainReport): string {
  return `${nameOf(tenant)}:${end.number}:${end.hash.toString('hex')}`;
}

export function auditLines({ tenantName, report }: AuditFinding): string[] {
  if (report === undefined) return [`${tenantName}: there is no such workspace and environment any more.`];
  const { deletedCount, end, unchainedCount, faults } = report;
  const deleted =
    deletedCount === 0 ? '' : `, ${deletedCount} deleted after their time, verified from line ${deletedCount + 1} on`;
  const waiting = unchainedCount === 0 ? '' : `, ${unchainedCount} not chained yet`;
  const summary = faults.length === 0 ? 'all hold' : `${faults.length} faults`;
  return [
    `${printedEnd(report)}  ${end.number} lines chained${deleted}${waiting}: ${summary}`,
    ...faults.map((fault) => `  ${fault}`),
  ];
}

export function auditJson({ tenantName, report }: AuditFinding): object {
  const [workspaceId, environment] = tenantName.split('/');
  const of = { workspace_id: workspaceId, environment };
  if (report === undefined)
    return { ...of, end: null, faults: ['there is no such workspace and environment any more'] };
  return {
    ...of,
    end: printedEnd(report),
    lines_chained: report.end.number,
    lines_deleted: report.deletedCount,
    lines_not_chained: report.unchainedCount,
    faults: report.faults,
  };
}

/** Calls `show` for each log as soon as it is verified, and returns whether every chain holds. */
export async function verifyAudit(
  context: AppContext,
  texts: readonly string[],
  show: (finding: AuditFinding) => void,
): Promise<boolean> {
  const ends = texts.map(readEnd);
  const tenants = await context.stores.preAuth.listEnvironments();
  const missing = ends.filter((end) => !tenants.some((tenant) => nameOf(tenant) === end.tenantName));
  for (const { tenantName } of missing) show({ tenantName, report: undefined });
  let isIntact = missing.length === 0;
  for (const tenant of tenants) {
    const tenantName = nameOf(tenant);
    const known = ends.filter((end) => end.tenantName === tenantName);
    const report = await verifyAuditChain(context, tenant, known);
    show({ tenantName, report });
    isIntact &&= report.faults.length === 0;
  }
  return isIntact;
}

/** Returns whether every log that has lines in the files is whole. */
async function verifyFiles({ args, environment, print }: Invocation, json: boolean): Promise<boolean> {
  const paths: string[] = [];
  const ends: TenantEnd[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    if (word !== '--file') {
      if (word.startsWith('--')) throw new Misuse(`${word} cannot be used with --file.`);
      ends.push(readEnd(word));
      continue;
    }
    const path = args[++at];
    if (path === undefined) throw new Misuse('Name the file: --file SHIPPED.jsonl.');
    paths.push(resolvePath(path, environment));
  }
  const keyring = await findKeyring(environment);
  const chain = new ShippedChain(keyring === undefined ? undefined : { keyring });
  for (const path of paths) await addLines(chain, path);
  const reports = chain.finish(ends);
  const missing = ends
    .filter((end) => !reports.some((one) => one.log === 'audit' && one.tenantName === end.tenantName))
    .map((end) => end.tenantName);
  const isIntact = reports.length > 0 && missing.length === 0 && reports.every(({ faults }) => faults.length === 0);
  if (json) {
    printJson(print, {
      is_intact: isIntact,
      is_key_known: keyring !== undefined,
      logs: reports.map(shippedJson),
      missing,
      unreadable: chain.unreadable,
    });
    return isIntact;
  }
  for (const report of reports) for (const line of describeShipped(report)) print(line);
  for (const line of chain.unreadable) print(line);
  if (chain.unreadableCount > chain.unreadable.length)
    print(`and ${chain.unreadableCount - chain.unreadable.length} more that are no lines.`);
  for (const name of missing) print(`${name}: there is no line of its audit log.`);
  if (reports.length === 0) print('There is no line of a log.');
  if (keyring === undefined)
    print('ENCRYPTION_KEY is not set: gaps and the order of the hashes were checked, and not what the lines say.');
  return isIntact;
}

/** The key of the settings, or of the embedded database's folder; undefined if there is none. */
async function findKeyring(environment: Invocation['environment']): Promise<Keyring | undefined> {
  const reader = new SettingReader(environment);
  const dataDir = resolve(reader.text('DATA_DIR') ?? './data');
  const key = await findKey({ encryptionKey: reader.text('ENCRYPTION_KEY'), dataDir });
  if (key === undefined) return undefined;
  const [previous, next] = [reader.text('ENCRYPTION_KEY_PREVIOUS'), reader.text('ENCRYPTION_KEY_NEXT')];
  return Keyring.fromTexts({ present: key, previous, next });
}

async function addLines(chain: ShippedChain, path: string): Promise<void> {
  const input = createReadStream(path, 'utf8');
  const lines = createInterface({ input, crlfDelay: Infinity });
  let number = 0;
  try {
    for await (const line of lines) {
      number++;
      if (line !== '') chain.add(line, `${path}:${number}`);
    }
  } catch (error) {
    throw new SettingFault(`${path} cannot be read: ${String(error)}`);
  }
}

function describeShipped(report: ShippedReport): string[] {
  const { log, tenantName: name, lineCount, repeatedCount, first, last, lastHash, faults } = report;
  const end = log === 'audit' ? `${name}:${last}:${lastHash}` : `${name} requests`;
  const repeated = repeatedCount === 0 ? '' : `, ${repeatedCount} came again`;
  const summary = faults.length === 0 ? 'all hold' : `${faults.length} faults`;
  return [
    `${end}  ${lineCount} lines from ${first} to ${last}${repeated}: ${summary}`,
    ...faults.map((fault) => `  ${fault}`),
  ];
}

function shippedJson({ log, tenantName, lastHash, ...report }: ShippedReport): object {
  const [workspaceId, environment] = tenantName.split('/');
  return {
    log,
    workspace_id: workspaceId,
    environment,
    end: lastHash === undefined ? null : `${tenantName}:${report.last}:${lastHash}`,
    first: report.first,
    last: report.last,
    lines: report.lineCount,
    lines_repeated: report.repeatedCount,
    faults: report.faults,
  };
}
