// The command `verify-audit`: verifies the chain over the audit log of every workspace and environment, and prints where each ends.

import type { AppContext } from '../../actions/core/context.ts';
import { verifyAuditChain, type ChainReport, type KnownEnd } from '../../actions/access/audit-chain.ts';
import type { Tenant } from '../../model/access/scope.ts';
import { Misuse, onDatabase, resolvePath, type Command, type Print } from './command.ts';
import { writeMetricsFile } from './metrics-file.ts';

export const verifyAuditCommand: Command = {
  name: 'verify-audit',
  usage: '[<end>…] [--metrics-file FILE.prom]',
  summary: 'verifies the audit log; each <end> is one that an earlier run printed',
  details: [
    '--metrics-file writes when it was verified and what was found, for the textfile collector of node_exporter.',
  ],
  run: ({ args, environment, print }) => {
    const at = args.indexOf('--metrics-file');
    if (at === -1) return onDatabase(verifyAudit)({ args, environment, print });
    const [, file] = args.slice(at);
    if (file === undefined) throw new Misuse('Name the file: --metrics-file FILE.prom.');
    return onDatabase(async (context) => {
      const isIntact = await verifyAudit(context, args.toSpliced(at, 2), print);
      await writeMetricsFile(resolvePath(file, environment), [
        {
          name: 'holdfast_audit_verified_timestamp_seconds',
          help: 'When the audit log was last verified from end to end.',
          value: Math.floor(context.clock.now() / 1000),
        },
        { name: 'holdfast_audit_intact', help: '1 if every chain held, else 0.', value: isIntact ? 1 : 0 },
      ]);
      return isIntact;
    })({ args, environment, print });
  },
};

interface TenantEnd extends KnownEnd {
  readonly tenantName: string;
}

const endPattern = /^(?<tenantName>[0-9a-f]{24}\/(?:production|sandbox)):(?<number>\d+):(?<hash>[0-9a-f]{64})$/;

function tenantName({ workspaceId, environment }: Tenant): string {
  return `${workspaceId}/${environment}`;
}

/** Reads an end as it was printed: workspace/environment:number:hash. */
function readEnd(text: string): TenantEnd {
  const { tenantName: name = '', number = '', hash = '' } = endPattern.exec(text)?.groups ?? {};
  if (hash === '') throw new Misuse(`${text} is not the end of a chain as verify-audit prints it.`);
  return { tenantName: name, number: Number(number), hash };
}

function describeReport({ tenant, deletedCount, end, unchainedCount, faults }: ChainReport): string[] {
  const printedEnd = `${tenantName(tenant)}:${end.number}:${end.hash.toString('hex')}`;
  const deleted =
    deletedCount === 0 ? '' : `, ${deletedCount} deleted after their time, verified from line ${deletedCount + 1} on`;
  const waiting = unchainedCount === 0 ? '' : `, ${unchainedCount} not chained yet`;
  const summary = faults.length === 0 ? 'all hold' : `${faults.length} faults`;
  return [
    `${printedEnd}  ${end.number} lines chained${deleted}${waiting}: ${summary}`,
    ...faults.map((fault) => `  ${fault}`),
  ];
}

/** Returns whether every chain holds. */
export async function verifyAudit(context: AppContext, texts: readonly string[], print: Print): Promise<boolean> {
  const ends = texts.map(readEnd);
  const tenants = await context.stores.preAuth.listEnvironments();
  const missing = ends.filter((end) => !tenants.some((tenant) => tenantName(tenant) === end.tenantName));
  for (const end of missing) print(`${end.tenantName}: there is no such workspace and environment any more.`);
  let isIntact = missing.length === 0;
  for (const tenant of tenants) {
    const known = ends.filter((end) => end.tenantName === tenantName(tenant));
    const report = await verifyAuditChain(context, tenant, known);
    for (const line of describeReport(report)) print(line);
    isIntact &&= report.faults.length === 0;
  }
  return isIntact;
}
