// Observes how PostgreSQL runs the statements of a service: the plan of each, with how many rows it read, as `auto_explain` reports it.

import pg from 'pg';
import { inject } from 'vitest';
import { runAsAdmin } from './global-setup.ts';
import type { TestDatabase } from './test-database.ts';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** How many rows and pages a part of a plan read from a table. */
export interface TableScan {
  readonly node: string;
  readonly table: string;
  readonly index: string | undefined;
  readonly rows: number;
  readonly pages: number;
}

export interface ObservedPlan {
  readonly text: string;
  readonly scans: readonly TableScan[];
}

function pagesOf(node: PlanNode): number {
  return (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0);
}

function scansOf(node: PlanNode): TableScan[] {
  const below = (node.Plans ?? []).flatMap(scansOf);
  const pages = pagesOf(node) - (node.Plans ?? []).reduce((sum, one) => sum + pagesOf(one), 0);
  // On Citus, the number of a part follows.
  const table = node['Relation Name']?.replace(/_\d{6,}$/, '');
  if (table === undefined || node['Node Type'] === 'ModifyTable') return below;
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const rows = (node['Actual Rows'] + removed) * node['Actual Loops'];
  return [{ node: node['Node Type'], table, index: node['Index Name'], rows, pages }, ...below];
}

/** Has the server report the plan of every statement to whoever sent it. Before the service connects. */
export async function reportPlans({ name }: TestDatabase): Promise<void> {
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
    client_min_messages: 'notice',
    plan_cache_mode: 'force_custom_plan',
  };
  for (const [setting, value] of Object.entries(settings))
    for (const server of inject('databaseServers'))
      await runAsAdmin(server, `ALTER DATABASE ${name} SET ${setting} = '${value}'`);
}

/** Collects the plans of all statements that this process sends from now on. Returns what was collected since the last call. */
export function collectPlans(): { take: () => ObservedPlan[]; stop: () => void } {
  let plans: ObservedPlan[] = [];
  const { connect } = pg.Client.prototype;
  const collect = ({ message = '' }: { message?: string | undefined }): void => {
    const start = message.indexOf('{');
    if (!message.startsWith('duration:') || start < 0) return;
    const report: { 'Query Text': string; Plan: PlanNode } = JSON.parse(message.slice(start));
    plans.push({ text: report['Query Text'], scans: scansOf(report.Plan) });
  };
  function observed(this: pg.Client, ...parameters: unknown[]): unknown {
    this.on('notice', collect);
    return Reflect.apply(connect, this, parameters);
  }
  pg.Client.prototype.connect = observed as typeof connect;
  return {
    take() {
      const taken = plans;
      plans = [];
      return taken;
    },
    stop: () => void (pg.Client.prototype.connect = connect),
  };
}
