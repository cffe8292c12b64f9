// The reconciliation of a client, an account or a depository: the lines that a caller sees, ready to be rendered.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Id } from '../../kit/id.ts';
import { canSeeReportingEntity } from '../../model/access/scope.ts';
import type { ReportedLine } from '../../model/custody/reconciliation.ts';
import { account as accountResource } from '../../model/structure/account.ts';
import { client as clientResource } from '../../model/structure/client.ts';
import { depository as depositoryResource } from '../../model/structure/depository.ts';
import { EntityPlaces } from '../reports/inputs/client-structure.ts';
import type { ReportInputs } from '../reports/inputs/report-inputs.ts';
import { notFound } from '../core/resource.ts';
import type { Work } from '../core/work.ts';
import { reconcileClient, type ReconciledLine } from './reconcile-client.ts';

/** Exactly one of the three. */
export interface ReconciledPlace {
  readonly client?: string | undefined;
  readonly account?: string | undefined;
  readonly depository?: string | undefined;
}

export interface PlaceQuery extends ReconciledPlace {
  readonly until?: CalendarDate | undefined;
  readonly knownAt?: number | undefined;
}

/** Where a holding is; the instrument is null where it is unknown. */
export interface StatedPlace {
  readonly account: string | null;
  readonly depository: string | null;
  readonly instrument: string | null;
}

/** Whether a reporting entity covers a place: by the depository, or by an account that settles through it. */
export function coversPlace(places: EntityPlaces, { structure }: ReportInputs, place: StatedPlace): boolean {
  const { account, depository } = place;
  const instrument = place.instrument ?? '';
  if (places.covers({ account, depository, instrument })) return true;
  if (account !== null || depository === null) return false;
  return [...structure.accounts].some(
    ([id, { depositories }]) =>
      depositories.some((one) => one === depository) && places.covers({ account: id, depository, instrument }),
  );
}

async function clientOf({ store }: Work, { client, account, depository }: ReconciledPlace): Promise<Id> {
  if (client !== undefined) {
    const found = await store.table(clientResource).find(client);
    if (found === undefined) throw notFound(clientResource);
    return found.id;
  }
  const [resource, id] = account === undefined ? [depositoryResource, depository] : [accountResource, account];
  const table = store.table(resource);
  const [[known], found] = await Promise.all([table.listVisibleIds([id ?? '']), table.find(id ?? '')]);
  // Whoever sees no reporting entity of a place is not told that it exists.
  if (known === undefined || found === undefined) throw notFound(resource);
  return found.client;
}

/** Lines of units come first, then those of cash; by place and what is held. */
export async function readReconciliation(work: Work, query: PlaceQuery): Promise<readonly ReportedLine[]> {
  const client = await clientOf(work, query);
  const { inputs, lines } = await reconcileClient(work, { client, until: query.until, knownAt: query.knownAt });
  if (inputs === null) return [];
  return lines
    .filter(({ stated }) => query.account === undefined || stated.account === query.account)
    .filter(({ stated }) => query.depository === undefined || stated.depository === query.depository)
    .filter(isVisibleTo(work, inputs))
    .map(toReported)
    .toSorted(compareLines);
}

/** A person who sees single reporting entities sees what these cover. */
function isVisibleTo({ store }: Work, inputs: ReportInputs): (line: ReconciledLine) => boolean {
  const { visibleClients } = store.scope;
  if (visibleClients.kind !== 'some') return () => true;
  const entities = [...inputs.structure.reportingEntities] as Id[];
  const places = entities
    .filter((id) => canSeeReportingEntity(visibleClients, id))
    .map((id) => new EntityPlaces(inputs.structure, id, (one) => inputs.privateTo.get(one)));
  return ({ stated }) => places.some((one) => coversPlace(one, inputs, stated));
}

function toReported(line: ReconciledLine): ReportedLine {
  const { stated, ledgerQuantity, ledgerPrice, isPriceWithinTolerance } = line;
  const { account, depository, instrument, named, currency, kind, day, quantity, price } = stated;
  return {
    accountId: account,
    depositoryId: depository,
    date: day,
    kind,
    instrumentId: instrument,
    named,
    currency,
    isStated: line.isStated,
    stated: quantity,
    ledger: ledgerQuantity,
    difference: line.difference,
    statedPrice: price?.value ?? null,
    ledgerPrice,
    classes: [...(line.class === null ? [] : [line.class]), ...(isPriceWithinTolerance ? [] : (['price'] as const))],
    firstDate: line.firstDay,
    transactionIds: line.transactionIds,
  };
}

/** Identifies a line within the answer. */
export function lineKey({ accountId, depositoryId, kind, instrumentId, named, currency }: ReportedLine): string {
  return JSON.stringify([kind, accountId, depositoryId, instrumentId, currency, named]);
}

function compareLines(one: ReportedLine, other: ReportedLine): number {
  const [first, second] = [sortKey(one), sortKey(other)];
  return first < second ? -1 : first > second ? 1 : 0;
}

function sortKey(line: ReportedLine): string {
  return `${line.kind === 'units' ? 0 : 1} ${lineKey(line)}`;
}
