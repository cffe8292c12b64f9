// Calculates a person's overview: each reporting entity that they may read, with its value and its return of the year so far. An entity
// that cannot be calculated carries the reason instead, and does not affect the others.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { Id } from '../../kit/id.ts';
import { holdings } from '../../engine/history/holdings.ts';
import { client as clientResource } from '../../model/structure/client.ts';
import type { PersonAccess } from '../../model/access/person-access.ts';
import type { Scope } from '../../model/access/scope.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import type { AppContext } from '../core/context.ts';
import { totalWorth } from '../reports/holdings.ts';
import { listReportBases, loadReportBasis, type ReportBasis } from '../reports/report-basis.ts';
import { yearToDatePerformance } from '../reports/performance.ts';
import { orMissingRate } from '../reports/missing-rate-refusal.ts';
import { openReadWork, type Work } from '../core/work.ts';

/** A query about one client. Query and result can be passed between threads. */
export interface OverviewQuery {
  readonly workspaceId: Id;
  readonly environment: Scope['environment'];
  readonly personId: string;
  readonly client: Id;
  readonly reportingEntityIds: readonly Id[];
}

export interface OverviewFigures {
  readonly value: Fixed;
  /** The reference currency. */
  readonly currency: string;
  /** The time-weighted return of the year so far, as a fraction; null if nothing was invested. */
  readonly twr: number | null;
  /** The day of both figures. */
  readonly day: Day;
}

export interface OverviewRow {
  readonly id: Id;
  readonly name: string;
  readonly clientName: string;
  /** The figures, or the reason why they are missing. */
  readonly figures: OverviewFigures | { readonly missing: string };
}

/** One query for each client at which the person may read anything. */
export function overviewQueries(access: PersonAccess): readonly OverviewQuery[] {
  const { workspaceId, environment, personId, grants } = access;
  return [...Map.groupBy(grants, ({ clientId }) => clientId)].map(([client, clientGrants]) => ({
    workspaceId,
    environment,
    personId,
    client,
    reportingEntityIds: clientGrants.map(({ reportingEntityId }) => reportingEntityId),
  }));
}

/** Returns the rows sorted by name. */
export async function clientOverview(context: AppContext, query: OverviewQuery): Promise<readonly OverviewRow[]> {
  const { workspaceId, environment, personId, client, reportingEntityIds } = query;
  const visibleClients = { kind: 'some', clientIds: [client], reportingEntityIds } as const;
  const scope: Scope = { workspaceId, environment, visibleClients, credentialId: null };
  const work = openReadWork(context, { scope, subject: personId, rights: new Set(['read']), requestId: null });
  const [owner, entities, figures] = await Promise.all([
    work.store.table(clientResource).find(client),
    work.store.table(reportingEntity).list({ where: { client }, limit: reportingEntityIds.length }),
    clientFigures(work, client),
  ]);
  const rows = entities.map(({ id, name }) => ({
    id,
    name,
    clientName: owner?.name ?? '',
    figures: figures(id),
  }));
  return rows.toSorted((one, other) => one.name.localeCompare(other.name, 'en') || (one.id < other.id ? -1 : 1));
}

type FigureLookup = (reportingEntity: Id) => OverviewRow['figures'];

/** Reads all figures on one snapshot. If the ledger itself cannot be read, every entity gets the same reason. */
async function clientFigures(work: Work, client: Id): Promise<FigureLookup> {
  const bases = await orMissingRate((rates) => listReportBases(work, client, rates));
  if ('missing' in bases) return () => ({ missing: bases.missing });
  const found = new Map<Id, OverviewRow['figures']>();
  for (const basis of bases.result) found.set(basis.reportingEntity, await figuresOrMissing(work, basis));
  return (id) => found.get(id) ?? { missing: 'This has just been changed. Reload the page to see its figures.' };
}

/** Names the rate that the report of the entity names. */
async function figuresOrMissing(work: Work, basis: ReportBasis): Promise<OverviewRow['figures']> {
  const figures = await orMissingRate(async ({ replaceRates }) => {
    const { reportingEntity: entity } = basis;
    return entityFigures(work, replaceRates ? await loadReportBasis(work, entity, { replaceRates }) : basis);
  });
  return 'missing' in figures ? { missing: figures.missing } : figures.result;
}

async function entityFigures(work: Work, basis: ReportBasis): Promise<OverviewFigures> {
  const { window, returns } = await yearToDatePerformance(work, basis);
  const currentHoldings = holdings(basis.history, { day: window.end, covers: basis.places.covers });
  return {
    value: totalWorth(currentHoldings).marketValue,
    currency: basis.currency,
    twr: returns.path.cumulativeReturn,
    day: window.end,
  };
}
