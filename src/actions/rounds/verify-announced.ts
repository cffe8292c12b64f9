// Computes a client's figures again and compares them with what its last round has found and announced. Where the inputs are still the same
// and the day as well, so must the figures be.

import { append } from '../../kit/memory/long-list.ts';
import type { Id } from '../../kit/id.ts';
import { calculationRound, type CalculationRound } from '../../model/limit/calculation-round.ts';
import type { Tenant } from '../../model/access/scope.ts';
import { client as clientResource } from '../../model/structure/client.ts';
import type { AppContext } from '../core/context.ts';
import { openReadWork, serviceAuthor, type Work } from '../core/work.ts';
import { dayOfMoment } from '../reports/report-day.ts';
import { evaluateRound } from './round-evaluation.ts';
import type { RoundOutcome } from './round-outcome.ts';

const pageSize = 100;
/** How many differences of a tenant are named. */
const namedMax = 20;

export interface AnnouncedReport {
  /** How many clients were computed again and compared. */
  readonly comparedCount: number;
  /** How many were not, because a round is due or there was none yet. */
  readonly waitingCount: number;
  readonly faultCount: number;
  /** The first of them. */
  readonly faults: readonly string[];
}

export async function verifyAnnounced(context: AppContext, tenant: Tenant): Promise<AnnouncedReport> {
  const work = openReadWork(context, serviceAuthor(tenant));
  const faults: string[] = [];
  let [comparedCount, waitingCount, faultCount] = [0, 0, 0];
  for await (const client of listClients(work)) {
    const found = await compareClient(context, work, { tenant, client });
    if (found === undefined) waitingCount++;
    else comparedCount++;
    faultCount += found?.length ?? 0;
    append(faults, (found ?? []).slice(0, namedMax - faults.length));
  }
  return { comparedCount, waitingCount, faultCount, faults };
}

async function* listClients({ store }: Work): AsyncGenerator<Id> {
  const table = store.table(clientResource);
  for (let page = await table.list({ limit: pageSize }); page.length > 0;) {
    for (const { id } of page) yield id;
    const after = page.at(-1)?.id;
    page = page.length < pageSize || after === undefined ? [] : await table.list({ limit: pageSize, after });
  }
}

/** Undefined where the last round says nothing about the inputs and the day of now. */
async function compareClient(
  context: AppContext,
  work: Work,
  input: { readonly tenant: Tenant; readonly client: Id },
): Promise<string[] | undefined> {
  const { client } = input;
  const round = await findLastRound(work, client);
  if (round === undefined || !isOfToday(context, round)) return undefined;
  const outcome = await evaluateRound(context, input, () => {});
  if (outcome === undefined) return undefined;
  const faults = [...listValueFaults(client, round, outcome), ...listHoldingFaults(client, outcome)];
  if (faults.length === 0) return faults;
  // A change marks the client in its own transaction, so this is asked last.
  const isDue = await work.store.rounds.isDue(client);
  return isDue || (await findLastRound(work, client))?.id !== round.id ? undefined : faults;
}

async function findLastRound({ store }: Work, client: Id): Promise<CalculationRound | undefined> {
  const where = { client, state: 'finished' };
  return (await store.table(calculationRound).list({ where, limit: 1, order: 'newest-first' }))[0];
}

function listValueFaults(client: Id, round: CalculationRound, outcome: RoundOutcome): string[] {
  const isSame = outcome.ledgerVersion === round.ledgerVersion && !outcome.areFiguresNew;
  if (isSame) return [];
  return [
    `client ${client}: the ledger gives other values than the round ${round.id} has found, and no change was recorded since`,
  ];
}

function listHoldingFaults(client: Id, { holdingChanges }: RoundOutcome): string[] {
  return holdingChanges.map(
    ({ reportingEntity, instrument, quantity, marketValue }) =>
      `client ${client}, reporting entity ${reportingEntity}, instrument ${instrument}: quantity ${quantity} and value ${marketValue} are not what was announced`,
  );
}

function isOfToday({ clock, timeZone }: AppContext, { finishedAt }: CalculationRound): boolean {
  return finishedAt !== null && dayOfMoment(finishedAt, timeZone) === dayOfMoment(clock.now(), timeZone);
}
