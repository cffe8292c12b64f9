// Reads the version of everything that a client's report inputs consist of, in one statement and so as of one moment. Inputs read
// at the same version need not be read again.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { account } from '../../model/structure/account.ts';
import { client as clientResource } from '../../model/structure/client.ts';
import { custodianSettings } from '../../model/structure/custodian.ts';
import { depository } from '../../model/structure/depository.ts';
import { instrument } from '../../model/instrument/instrument.ts';
import { instrumentClass } from '../../model/instrument/instrument-class.ts';
import { portfolio } from '../../model/structure/portfolio.ts';
import type { Scope } from '../../model/access/scope.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import type { Resource } from '../../kit/resource.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { newestForHolders } from '../ledger/version-vector.ts';
import { tenantFilterValues, tenantFilterSql } from '../resources/resource-sql.ts';
import { memoized, type Statement } from '../postgres/statement.ts';
import { versionRowResource } from '../resources/record-versions.ts';

/** The client, and the accounts and instruments that its inputs refer to. */
export interface InputsVersionQuery {
  readonly client: Id;
  /** Ids separated by spaces: joined once, since the query runs for every report. */
  readonly accounts: string;
  readonly instruments: string;
}

export function inputsVersionQuery(
  client: Id,
  ids: { accounts: readonly Id[]; instruments: readonly Id[] },
): InputsVersionQuery {
  return { client, accounts: ids.accounts.join(' '), instruments: ids.instruments.join(' ') };
}

/** Each part is a text that changes whenever something in it changes. */
export interface InputsVersion {
  readonly structure: string;
  readonly classes: string;
  readonly ledger: string;
  readonly uploads: string;
  readonly rates: string;
  readonly instruments: string;
}

const versionParts = [
  'structure',
  'classes',
  'ledger',
  'uploads',
  'rates',
  'instruments',
] as const satisfies (keyof InputsVersion)[];

export function isSameInputsVersion(one: InputsVersion, other: InputsVersion): boolean {
  return versionParts.every((part) => one[part] === other[part]);
}

const tables = (...resources: readonly Resource[]): string => resources.map(({ table }) => `'${table}'`).join(', ');

const structureTables = tables(clientResource, account, depository, reportingEntity, portfolio);
const structureLinks = ['account_depository', 'portfolio_account', 'portfolio_depository'] as const;

const tenant = (alias: string): string => `${alias}.workspace_id = $1 AND ${alias}.environment = $2`;
/** Null when the text is null, which tells that no row was found. */
const digest = (text: string): string => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;
/** Hides how many there are: of a client with a few, the statement would be planned anew for each report, which takes several times as long as running it. */
const idsOf = (parameter: string): string => `(SELECT string_to_array(${parameter}, ' '))::text[]`;
const joinedList = (item: string, order: string): string => `coalesce(string_agg(${item}, ' ' ORDER BY ${order}), '')`;

/**
 * Versions never decrease and deleted records never return, so an equal count and sum mean that no version changed. Listing
 * hundreds of them would take longer than the rest of the statement.
 */
const countAndSum = (number: string): string => `count(*) || '.' || coalesce(sum(${number}), 0)`;

function inputsVersionStatement(visibleClients: Scope['visibleClients']['kind']): Statement<InputsVersion> {
  return memoized(
    `books-stand/${visibleClients}`,
    () => `SELECT
      (SELECT ${digest(`string_agg(t.table_name || t.id || '.' || t.version, ' ' ORDER BY t.table_name, t.id)`)} FROM record_version t
        WHERE ${tenantFilterSql(versionRowResource, visibleClients)} AND t.client_id = $4 AND t.table_name IN (${structureTables})
        AND t.known_until IS NULL)
      || (SELECT ${digest(joinedList('v.link || v.one_id || v.other_id', 'v.link, v.one_id, v.other_id'))} FROM link_version v
        WHERE ${tenant('v')} AND v.client_id = $4 AND v.link IN (${structureLinks.map((link) => `'${link}'`).join(', ')})
        AND v.known_until IS NULL)
      || (SELECT ${countAndSum('v.version')} FROM record_version v WHERE ${tenant('v')} AND v.client_id IS NULL
        AND v.table_name IN (${tables(custodianSettings)}) AND v.known_until IS NULL) AS structure,
      (SELECT ${digest(joinedList(`t.id || '.' || t.version`, 't.id'))} FROM record_version t
        WHERE ${tenant('t')} AND t.client_id IS NULL AND t.table_name IN (${tables(instrumentClass)})
        AND t.known_until IS NULL) AS classes,
      (SELECT ${digest(joinedList(`l.account_id || '.' || l.version`, 'l.account_id'))} FROM account_ledger l
        WHERE ${tenant('l')} AND l.account_id = ANY (${idsOf('$5')}))
      || ' ' || ${newestForHolders('h.client_id = $4')} || ' ' || ${newestForHolders('h.client_id IS NULL')} AS ledger,
      coalesce((SELECT u.version FROM upload_ledger u WHERE ${tenant('u')} AND u.client_id = $4), 0)::text AS uploads,
      coalesce((SELECT r.version FROM rate_ledger r WHERE ${tenant('r')}), 0)::text AS rates,
      (SELECT ${countAndSum('v.version')} FROM record_version v WHERE ${tenant('v')} AND v.table_name IN (${tables(instrument)})
        AND v.known_until IS NULL AND v.id = ANY (${idsOf('$6')}))
      || ' ' || (SELECT ${countAndSum('s.version')} FROM series_ledger s
        WHERE ${tenant('s')} AND s.instrument_id = ANY (${idsOf('$6')})) AS instruments`,
  );
}

/** Undefined when the scope cannot see the client. */
export async function findInputsVersion(
  { scope, run }: { readonly scope: Scope; readonly run: Run },
  { client, accounts, instruments }: InputsVersionQuery,
): Promise<InputsVersion | undefined> {
  const values = [...tenantFilterValues(scope), client, accounts, instruments];
  const { rows } = await run(inputsVersionStatement(scope.visibleClients.kind), values);
  const version = defined(rows[0], 'the statement returns one row');
  return version.structure === null ? undefined : version;
}
