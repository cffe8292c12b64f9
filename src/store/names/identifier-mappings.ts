// The mappings from words of files to records: those that may apply to a batch of words, and those that are learned from files.

import type { Id } from '../../kit/id.ts';
import {
  identifierMapping,
  type IdentifierMapping,
  type MappedKind,
  type MappedType,
  type MappingScheme,
} from '../../model/custody/identifier-mapping.ts';
import { memoized, sql } from '../postgres/statement.ts';
import { tenantFilterSql, tenantFilterValues } from '../resources/resource-sql.ts';
import type { Store } from '../store.ts';

export interface FoundMapping<Target = Id> {
  readonly client: Id | null;
  readonly custodian: Id | null;
  readonly scheme: MappingScheme;
  readonly foldedValue: string;
  readonly currency: string | null;
  readonly mic: string | null;
  readonly source: IdentifierMapping['source'];
  /** The account, depository or instrument that is meant; of a word, its type. */
  readonly target: Target;
}

/** Lists the mappings of a client and of all clients, for these folded values. Null: of every client that is visible. */
export async function listMappings(
  { scope, run }: Store,
  {
    client,
    kind,
    values,
  }: { readonly client: Id | null; readonly kind: MappedKind; readonly values: readonly string[] },
): Promise<FoundMapping[]> {
  const { kind: visible } = scope.visibleClients;
  const statement = memoized<FoundMapping>(
    `names/mappings/${visible}`,
    () => `SELECT t.client_id AS client, t.custodian_id AS custodian, t.scheme, t.folded_value AS "foldedValue", t.currency,
        t.mic, t.source, coalesce(t.account_id, t.depository_id, t.instrument_id) AS target
      FROM identifier_mapping t WHERE ${tenantFilterSql(identifierMapping, visible)}
        AND t.folded_value = ANY ($4::text[]) AND t.kind = $5
        AND ($6::text IS NULL OR t.client_id IS NULL OR t.client_id = $6) ORDER BY t.id`,
  );
  return (await run(statement, [...tenantFilterValues(scope), values, kind, client])).rows;
}

/** Lists what persons have said that words mean, for a client and for all clients. Of each, the type and the action behind a slash. */
export async function listTypeMappings(
  { scope, run }: Store,
  { client, values }: { readonly client: Id | null; readonly values: readonly string[] },
): Promise<FoundMapping<MappedType>[]> {
  const { kind: visible } = scope.visibleClients;
  const statement = memoized<FoundMapping<MappedType>>(
    `names/types/${visible}`,
    () => `SELECT t.client_id AS client, t.custodian_id AS custodian, t.scheme, t.folded_value AS "foldedValue", t.currency,
        t.mic, t.source, t.transaction_type || coalesce('/' || t.action, '') AS target
      FROM identifier_mapping t WHERE ${tenantFilterSql(identifierMapping, visible)}
        AND t.folded_value = ANY ($4::text[]) AND t.kind = 'type'
        AND ($5::text IS NULL OR t.client_id IS NULL OR t.client_id = $5) ORDER BY t.id`,
  );
  return (await run(statement, [...tenantFilterValues(scope), values, client])).rows;
}

/** What was set by hand stays; what was learned before is replaced. */
const learn = sql<LearnedMapping>(
  'names/learn',
  `WITH known AS MATERIALIZED (SELECT e.id, e.instrument_id FROM identifier_mapping e
       WHERE e.workspace_id = $1 AND e.environment = $2 AND e.folded_value = ANY ($8::text[])),
     put AS (INSERT INTO identifier_mapping AS m (workspace_id, environment, id, client_id, custodian_id, kind, scheme, value, folded_value,
         instrument_id, source, created_at)
       SELECT $1, $2, s.id, $3, $4, 'instrument', 'custodian-code', s.value, s.folded_value, s.instrument_id, 'learned', $5::timestamptz
       FROM unnest($6::text[], $7::text[], $8::text[], $9::text[]) AS s (id, value, folded_value, instrument_id)
       ORDER BY s.folded_value
       ON CONFLICT (workspace_id, environment, folded_value, kind, scheme, coalesce(client_id, ''), coalesce(custodian_id, ''),
         coalesce(currency, ''), coalesce(mic, ''))
       DO UPDATE SET instrument_id = excluded.instrument_id
       WHERE m.source = 'learned' AND m.instrument_id <> excluded.instrument_id
       RETURNING m.id, m.instrument_id)
   SELECT p.id, p.instrument_id AS after, k.instrument_id AS before FROM put p LEFT JOIN known k USING (id)`,
);

/** A mapping that is new, or means another instrument than before. */
export interface LearnedMapping {
  readonly id: Id;
  readonly before: Id | null;
  readonly after: Id;
}

export interface LearnedCode {
  readonly id: Id;
  readonly value: string;
  readonly foldedValue: string;
  readonly instrument: Id;
}

/** Keeps what a custodian's own codes mean for a client. Of each folded value there must be one. */
export async function learnCodes(
  { scope, run }: Store,
  {
    client,
    custodian,
    codes,
    now,
  }: {
    readonly client: Id;
    readonly custodian: Id | null;
    readonly codes: readonly LearnedCode[];
    readonly now: number;
  },
): Promise<LearnedMapping[]> {
  const { rows } = await run(learn, [
    scope.workspaceId,
    scope.environment,
    client,
    custodian,
    new Date(now),
    codes.map(({ id }) => id),
    codes.map(({ value }) => value),
    codes.map(({ foldedValue }) => foldedValue),
    codes.map(({ instrument }) => instrument),
  ]);
  return rows;
}
