// Checks the records that a query filters by. A filter that finds nothing must not hide that its record does not exist.

import { Refusal } from '../../kit/refusal.ts';
import { resourceLabel, type Resource } from '../../kit/resource.ts';
import { findExistingBuiltIn } from '../../model/instrument/built-in.ts';
import { instrument } from '../../model/instrument/instrument.ts';
import type { Work } from './work.ts';

/** The record that a parameter names; without the parameter where wires call it differently. */
export interface FilterTarget {
  readonly resource: Resource;
  readonly id: string;
  readonly parameter?: string;
}

/** Refuses the first that does not exist or that the caller does not see. To be called where the query found nothing. */
export async function requireFilterTargets({ store }: Work, targets: readonly FilterTarget[]): Promise<void> {
  for (const { resource, id, parameter } of targets) {
    if (resource.type === instrument.type && findExistingBuiltIn(id) !== undefined) continue;
    if ((await store.table(resource).listVisibleIds([id])).length > 0) continue;
    throw filterTargetRefusal(resource, parameter);
  }
}

export function filterTargetRefusal(resource: Resource, parameter?: string): Refusal {
  const code = `${resource.type}-not-found`;
  const detail = `There is no such ${resourceLabel(resource)}.`;
  return new Refusal(code, detail, parameter === undefined ? {} : { faults: [{ code, detail, parameter }] });
}
