// What a person may read of a client, at a glance: each reporting entity with its value and its return of the year so far. One that
// cannot be worked out says why, and the others stand. Knows no page.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { holdings } from '../../engine/history/holdings.ts';
import { client as clientResource } from '../../model/structure/client.ts';
import type { PersonStanding } from '../../model/access/person-access.ts';
import type { Reach } from '../../model/access/scope.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import type { House } from '../core/context.ts';
import { worthOf } from '../reports/holdings.ts';
import { openReportsOfClient, type ReportScope } from '../reports/report-basis.ts';
import { wholePerformance } from '../reports/performance.ts';
import { withRates } from '../reports/missing-rate-refusal.ts';
import { readingWork, type Work } from '../core/work.ts';

/** About one client: what it takes can be handed to another thread, and what it gives back from there. */
export interface OverviewQuestion {
  readonly workspaceId: Id;
  readonly environment: Reach['environment'];
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
export function overviewQuestions(standing: PersonStanding): readonly OverviewQuestion[] {
  const { workspaceId, environment, personId, grants } = standing;
  return [...Map.groupBy(grants, ({ clientId }) => clientId)].map(([client, some]) => ({
    workspaceId,
    environment,
    personId,
    client,
    reportingEntityIds: some.map(({ reportingEntityId }) => reportingEntityId),
  }));
}

/** In the order of their names. */
export async function overviewOfClient(house: House, question: OverviewQuestion): Promise<readonly OverviewRow[]> {
  const { workspaceId, environment, personId, client, reportingEntityIds } = question;
  const sight = { kind: 'some', clientIds: [client], reportingEntityIds } as const;
  const reach: Reach = { workspaceId, environment, sight, credentialId: null };
  const work = readingWork(house, { reach, view: null, subject: personId, requestId: null });
  const [owner, entities, figures] = await Promise.all([
    work.store.table(clientResource).find(client),
    work.store.table(reportingEntity).list({ where: { client }, limit: reportingEntityIds.length }),
    figuresOfClient(work, client),
  ]);
  const rows = entities.map(({ id, name }) => ({
    id,
    name,
    clientName: owner?.name ?? '',
    figures: figures(id),
  }));
  return rows.toSorted((one, other) => one.name.localeCompare(other.name, 'en') || (one.id < other.id ? -1 : 1));
}

type FiguresOf = (reportingEntity: Id) => OverviewRow['figures'];

/** All as of one moment. Where the books themselves cannot be made, there is one reason for all. */
async function figuresOfClient(work: Work, client: Id): Promise<FiguresOf> {
  const scopes = await orReason(() => openReportsOfClient(work, client, {}));
  if ('missing' in scopes) return () => scopes;
  const found = new Map<Id, OverviewRow['figures']>();
  for (const scope of scopes) found.set(scope.reportingEntity, await orReason(() => figuresOf(scope)));
  return (id) => found.get(id) ?? { missing: 'It has just been changed. Load the page again.' };
}

function figuresOf(scope: ReportScope): OverviewFigures {
  const { window, returns } = wholePerformance(scope);
  const held = holdings(scope.history, { day: window.end, covers: scope.places.covers });
  return {
    value: worthOf(held).marketValue,
    currency: scope.currency,
    twr: returns.path.cumulativeReturn,
    day: window.end,
  };
}

/** A rate that nobody has sent is something to be told; everything else is not expected. */
async function orReason<T>(task: () => Promise<T> | T): Promise<T | { readonly missing: string }> {
  try {
    return await withRates(task);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'fx-rate-missing') return { missing: error.message };
    throw error;
  }
}
