// Finds instruments of one catalogue by their security codes, one writer at a time.

import type { Id } from '../../kit/id.ts';
import { arrayOfAnyLength, sql } from '../postgres/statement.ts';
import type { Store } from '../store.ts';

/** Writers of codes follow each other, so that two cannot use the same code at once. */
const lockCodes = sql(
  'security-code/lock',
  'SELECT FROM environment WHERE workspace_id = $1 AND environment = $2 FOR NO KEY UPDATE',
);

/** As columns of their own, so that each has its index. */
const findByCode = sql<{ id: Id }>(
  'security-code/find',
  `SELECT t.id FROM (
     SELECT id, reporting_entity_id FROM instrument
     WHERE workspace_id = $1 AND environment = $2 AND isin = ANY (${arrayOfAnyLength('$5')}) AND ($8 OR type = $7)
     UNION
     SELECT id, reporting_entity_id FROM instrument
     WHERE workspace_id = $1 AND environment = $2 AND external_identifier = ANY (${arrayOfAnyLength('$6')}) AND type = $7) t
   WHERE t.reporting_entity_id IS NOT DISTINCT FROM $3 AND t.id IS DISTINCT FROM $4 ORDER BY t.id LIMIT 1`,
);

export interface SecurityCodeQuery {
  /** The catalogue: that of a reporting entity, or null for the shared one. */
  readonly reportingEntity: Id | null;
  /** The instrument that is not meant. */
  readonly except: Id | null;
  readonly isins: readonly string[];
  readonly externalIdentifiers: readonly string[];
  /** External identifiers are compared among instruments of this type only. */
  readonly type: string;
  /** Whether ISINs are compared among instruments of all types. */
  readonly isAnyType: boolean;
}

/** Until the transaction ends, nobody else gives an instrument a code or creates those that files name. */
export function lockSecurityCodes({ scope, run }: Pick<Store, 'scope' | 'run'>): void {
  run.enqueue(lockCodes, [scope.workspaceId, scope.environment]);
}

/** Locks the codes of the environment until the transaction ends, and finds the first instrument that has one of these. */
export async function findInstrumentByCode(store: Store, query: SecurityCodeQuery): Promise<Id | undefined> {
  lockSecurityCodes(store);
  const { scope, run } = store;
  const tenant = [scope.workspaceId, scope.environment] as const;
  const { reportingEntity, except, isins, externalIdentifiers, type, isAnyType } = query;
  const codes = [isins, externalIdentifiers, type, isAnyType] as const;
  const { rows } = await run(findByCode, [...tenant, reportingEntity, except, ...codes]);
  return rows[0]?.id;
}
