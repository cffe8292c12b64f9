// The command `reseal`: brings everything under the present encryption key, and says what another one is still needed for.

import { reseal as resealAll, type KeyedCount, type ResealReport } from '../../actions/access/reseal.ts';
import type { AppContext } from '../../actions/core/context.ts';
import { SettingFault } from '../setting-reader.ts';
import { onDatabase, printJson, readOptions, type Command, type Print } from './command.ts';
import { printTable } from './print-table.ts';

export const resealCommand: Command = {
  name: 'reseal',
  usage: '[--json]',
  summary: 'brings everything that the previous encryption key has sealed under the present one; the service may run',
  details: [
    'All nodes must have the new key as ENCRYPTION_KEY and the old one as ENCRYPTION_KEY_PREVIOUS, and so must this command.',
    'May be interrupted and run again: it goes on with what is left. Without ENCRYPTION_KEY_PREVIOUS it only counts.',
    'At the end it counts what each key has sealed. Exit code 0 if nothing but the present key is needed any more.',
  ],
  run: onDatabase(reseal),
};

async function reseal(context: AppContext, args: readonly string[], print: Print): Promise<boolean> {
  const { json = false } = readOptions(args, { json: { type: 'boolean' } });
  const keys = context.keyring.fingerprints();
  if (keys.next !== undefined)
    throw new SettingFault(
      'ENCRYPTION_KEY_NEXT is set: this would bring everything back under the old key. On all nodes, set ENCRYPTION_KEY to the new key and ENCRYPTION_KEY_PREVIOUS to the old one first.',
    );
  const say: Print = json ? () => {} : print;
  say(
    `The present key is ${keys.present}, ${keys.previous === undefined ? 'and no previous one is set' : `the previous one ${keys.previous}`}.`,
  );
  const report = await resealAll(context, {
    onProgress: ({ workspaceId, environment }, count) => say(`${workspaceId}/${environment}: ${count} values resealed`),
  });
  if (json) printJson(print, { keys: { present: keys.present, previous: keys.previous ?? null }, ...toJson(report) });
  else printReport(print, report, keys.previous);
  return report.isDone;
}

function toJson({ resealed, counts, openChains, unreadable, unreadableCount, isDone }: ResealReport): object {
  return {
    is_done: isDone,
    resealed: [...resealed].filter(([, count]) => count > 0).map(([what, count]) => ({ what, count })),
    values: counts.map(({ what, fingerprint, use, count }) => ({ what, key: fingerprint, use, count })),
    audit_logs_left: openChains,
    unreadable: unreadable.map(({ tenant, what, id }) => ({
      workspace_id: tenant.workspaceId,
      environment: tenant.environment,
      what,
      id,
    })),
    unreadable_count: unreadableCount,
  };
}

function rowOf({ what, fingerprint, use, count }: KeyedCount): string[] {
  return [what, fingerprint, use, String(count)];
}

function printReport(print: Print, report: ResealReport, previous: string | undefined): void {
  const { resealed, counts, openChains, unreadable, unreadableCount, isDone } = report;
  const resealedCount = [...resealed.values()].reduce((sum, count) => sum + count, 0);
  if (previous !== undefined) print(`Resealed ${resealedCount} values. Counted again:`);
  if (counts.length > 0) printTable(print, ['values', 'key', 'use', 'count'], counts.map(rowOf));
  for (const { tenant, what, id } of unreadable)
    print(`UNREADABLE ${what} of ${id} in ${tenant.workspaceId}/${tenant.environment}: neither key opens it.`);
  if (unreadableCount > unreadable.length) print(`and ${unreadableCount - unreadable.length} more`);
  if (openChains > 0) print(`The audit logs of ${openChains} environments still need the previous key.`);
  if (!isDone)
    print(
      'Something is still under another key than the present one. Look for nodes that write with it, and run this again.',
    );
  else if (previous === undefined) print('Everything is under the present key.');
  else print('Everything is under the present key. Remove ENCRYPTION_KEY_PREVIOUS from the settings of all nodes.');
}
