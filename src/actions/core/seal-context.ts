// Binds what is sealed to the row it is stored in.

import type { Tenant } from '../../model/access/scope.ts';

/** The associated data of a seal: a copy of the sealed bytes in a row of another tenant, or in another row, cannot be opened. */
export function sealContext({ workspaceId, environment }: Tenant, rowId: string): string {
  return `${workspaceId}/${environment}/${rowId}`;
}
