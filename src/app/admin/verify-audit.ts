// The command `verify-audit`: verifies the chain over the audit log of every workspace and environment, and prints where each ends.

import type { AppContext } from '../../actions/core/context.ts';
import { verifyAuditChain, type ChainReport, type KnownEnd } from '../../actions/access/audit-chain.ts';
import type { Tenant } from '../../model/access/scope.ts';
import { readConfig } from '../config.ts';
import { withAdminContext } from './admin-context.ts';
import { Misuse, printJson, resolvePath, takeJson, type Command, type Invocation } from './command.ts';
import { writeMetricsFile } from './metrics-file.ts';

export const verifyAuditCommand: Command = {
  name: 'verify-audit',
  usage: '[<end>…] [--metrics-file FILE.prom] [--json]',
  summary: 'verifies the audit log; each <end> is one that an earlier run printed',
  details: [
    '--metrics-file writes when it was verified and what was found, for the textfile collector of node_exporter.',
  ],
  async run({ args, environment, print }: Invocation): Promise<boolean> {
    const { json, rest } = takeJson(args);
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
