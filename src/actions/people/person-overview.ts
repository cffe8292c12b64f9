// What a person may read of a client, at a glance: each reporting entity with its value and its return of the year so far. One that
// cannot be worked out says why, and the others stand. Knows no page.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { holdings } from '../../engine/history/holdings.ts';
import { client as clientResource } from '../../model/structure/client.ts';
import type { PersonAccess } from '../../model/access/person-access.ts';
import type { Scope } from '../../model/access/scope.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import type { AppContext } from '../core/context.ts';
import { totalWorth } from '../reports/holdings.ts';
import { listReportBases, type ReportBasis } from '../reports/report-basis.ts';
import { yearToDatePerformance } from '../reports/performance.ts';
import { refuseMissingRates } from '../reports/missing-rate-refusal.ts';
import { openReadWork, type Work } from '../core/work.ts';

/** About one client: what it takes can be handed to another thread, and what it gives back from there. */
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
  /** What the year so far has earned, time-weighted, as a fraction. */
  readonly twr: number;
  /** The day that both are as of. */
  readonly day: Day;
}

export interface OverviewRow {
  readonly id: Id;
  readonly name: string;
  readonly clientName: string;
  /** Or why there are none. */
  readonly figures: OverviewFigures | { readonly missing: string };
}

/** One for each client of theirs where they may read anything. */
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

/** In the order of their names. */
export async function clientOverview(context: AppContext, query: OverviewQuery): Promise<readonly OverviewRow[]> {
  const { workspaceId, environment, personId, client, reportingEntityIds } = query;
  const visibleClients = { kind: 'some', clientIds: [client], reportingEntityIds } as const;
  const scope: Scope = { workspaceId, environment, visibleClients, credentialId: null };
  const work = openReadWork(context, { scope, subject: personId, requestId: null });
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

/** All as of one moment. Where the books themselves cannot be made, there is one reason for all. */
async function clientFigures(work: Work, client: Id): Promise<FigureLookup> {
  const bases = await orMissing(() => listReportBases(work, client, {}));
  if ('missing' in bases) return () => bases;
  const found = new Map<Id, OverviewRow['figures']>();
  for (const basis of bases) found.set(basis.reportingEntity, await orMissing(() => entityFigures(basis)));
  return (id) => found.get(id) ?? { missing: 'It has just been changed. Load the page again.' };
}

function entityFigures(basis: ReportBasis): OverviewFigures {
  const { window, returns } = yearToDatePerformance(basis);
  const held = holdings(basis.history, { day: window.end, covers: basis.places.covers });
  return {
    value: totalWorth(held).marketValue,
    currency: basis.currency,
    twr: returns.path.cumulativeReturn,
    day: window.end,
  };
}

/** A rate that nobody has sent is something to be told; everything else is not expected. */
async function orMissing<T>(task: () => Promise<T> | T): Promise<T | { readonly missing: string }> {
  try {
    return await refuseMissingRates(task);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'fx-rate-missing') return { missing: error.message };
    throw error;
  }
}
