// The mappings from words of files to records: those that may apply to a batch of words, and those that are learned from files.

import type { Id } from '../../kit/id.ts';
import {
  identifierMapping,
  type IdentifierMapping,
  type InstrumentScheme,
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

/**
 * What was set by hand stays. A word that means the instrument already is left out. One that meant another keeps it, unless the file says
 * that the custodian gives its code to a new instrument; then it never returns to an earlier one, whatever old files come again.
 */
const learn = sql<LearnedMapping>(
  'names/learn',
  `WITH said AS MATERIALIZED (SELECT s.* FROM unnest($6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::boolean[])
         AS s (id, scheme, value, folded_value, mic, instrument_id, replaces)
       WHERE NOT EXISTS (SELECT FROM identifier_mapping e WHERE e.workspace_id = $1 AND e.environment = $2 AND e.folded_value = s.folded_value
         AND e.kind = 'instrument' AND e.scheme = s.scheme AND e.instrument_id = s.instrument_id AND (e.client_id IS NULL OR e.client_id = $3)
         AND (e.custodian_id IS NULL OR $4::text IS NULL OR e.custodian_id = $4) AND (e.mic IS NULL OR e.mic = s.mic))),
     known AS MATERIALIZED (SELECT e.id, e.instrument_id FROM identifier_mapping e
       WHERE e.workspace_id = $1 AND e.environment = $2 AND e.folded_value = ANY ($9::text[])),
     put AS (INSERT INTO identifier_mapping AS m (workspace_id, environment, id, client_id, custodian_id, kind, scheme, value, folded_value,
         mic, instrument_id, source, created_at)
       SELECT $1, $2, s.id, $3, $4, 'instrument', s.scheme, s.value, s.folded_value, s.mic, s.instrument_id, 'learned', $5::timestamptz
       FROM said s ORDER BY s.folded_value, s.scheme, s.mic
       ON CONFLICT (workspace_id, environment, folded_value, kind, scheme, coalesce(client_id, ''), coalesce(custodian_id, ''),
         coalesce(currency, ''), coalesce(mic, ''))
       DO UPDATE SET instrument_id = excluded.instrument_id, earlier_instruments = array_append(m.earlier_instruments, m.instrument_id)
       WHERE m.source = 'learned' AND m.instrument_id <> excluded.instrument_id AND excluded.instrument_id <> ALL (m.earlier_instruments)
         AND EXISTS (SELECT FROM said s WHERE s.replaces AND s.folded_value = excluded.folded_value AND s.scheme = excluded.scheme)
       RETURNING m.id, m.instrument_id)
   SELECT p.id, p.instrument_id AS after, k.instrument_id AS before FROM put p LEFT JOIN known k USING (id)`,
);

/** A mapping that is new, or means another instrument than before. */
export interface LearnedMapping {
  readonly id: Id;
  readonly before: Id | null;
  readonly after: Id;
}

export interface LearnedWord {
  readonly id: Id;
  readonly scheme: InstrumentScheme;
  readonly value: string;
  readonly foldedValue: string;
  /** Of a ticker, its market if the file says it. */
  readonly mic: string | null;
  readonly instrument: Id;
  /** Whether it means this instrument from now on, also if it has meant another. */
  readonly replaces: boolean;
}

interface LearnedWords {
  readonly client: Id;
  readonly custodian: Id | null;
  /** One of each scheme, folded value and market. */
  readonly words: readonly LearnedWord[];
  readonly now: number;
}

/** Keeps what a custodian's own words mean for a client. */
export async function learnWords(
  { scope, run }: Store,
  { client, custodian, words, now }: LearnedWords,
): Promise<LearnedMapping[]> {
  const { rows } = await run(learn, [
    scope.workspaceId,
    scope.environment,
    client,
    custodian,
    new Date(now),
    words.map(({ id }) => id),
    words.map(({ scheme }) => scheme),
    words.map(({ value }) => value),
    words.map(({ foldedValue }) => foldedValue),
    words.map(({ mic }) => mic),
    words.map(({ instrument }) => instrument),
    words.map(({ replaces }) => String(replaces)),
  ]);
  return rows;
}
