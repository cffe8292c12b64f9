// Ships the audit log and the request log of each environment to the destinations that the operator has set: in the order of their numbers, from a stored
// position that moves only once a destination has acknowledged a batch. Whatever ends a node in between, lines are sent again and none is passed over.

import { defined } from '../../kit/assert.ts';
import { jitteredBackoffMs } from '../../kit/backoff.ts';
import { minuteMs, secondMs } from '../../kit/clock.ts';
import type { Tenant } from '../../model/access/scope.ts';
import type { ShippedLine, ShippingOutcome } from '../../model/operations/shipped-log.ts';
import type { ChainEnd } from '../../store/access/audit-chain.ts';
import type { DueShipmentQuery, DueShipments, ShipmentName, TakenShipment } from '../../store/queues/log-shipments.ts';
import type { Store } from '../../store/store.ts';
import type { AppContext } from '../core/context.ts';
import { tenantKey } from '../core/tenant-wake-ups.ts';
import { openReadWork, serviceAuthor } from '../core/work.ts';
import { hashBeforeFirst } from './audit-chain.ts';
import { destinationsOf } from './held-lines.ts';
import { shippedAuditLine, shippedRequestLine } from './shipped-line.ts';

/** The lines of one batch. */
const batchLinesMax = 500;
/** The characters after which no further lines are read for a batch. */
const batchLengthMax = 1_000_000;
/** Lines that are read at a time. */
const readLinesMax = 50;
/** Batches of one lease; then others have their turn. */
export const batchesPerLease = 20;
/** Longer than reading a batch and handing it over can take. */
export const shippingLeaseMs = 5 * minuteMs;
/** The first pause after a failure, and the longest; also the longest that a receiver may ask for. */
const retryMs = { first: 5 * secondMs, max: 5 * minuteMs };
/** Further ahead than any rule puts a moment. */
const latestDueMs = shippingLeaseMs + retryMs.max;

export interface ShipmentItem extends ShipmentName {
  readonly tenant: Tenant;
}

/** A batch that this node has taken. */
export interface LeasedShipment extends ShipmentItem, TakenShipment {
  /** Batches that were shipped under this lease before. */
  readonly batchCount: number;
}

export interface TenantShipments {
  readonly tenant: Tenant;
  readonly items: readonly ShipmentItem[];
  /** Lines of the request log wait for their numbers. */
  readonly hasUnnumbered: boolean;
}

export function shipmentQuery(context: Pick<AppContext, 'clock' | 'logShipping'>): DueShipmentQuery {
  const { logs, destinations } = context.logShipping;
  const now = context.clock.now();
  return {
    now,
    latestDue: now + latestDueMs,
    destinations,
    shipsAudit: logs.includes('audit'),
    shipsRequests: logs.includes('requests'),
  };
}

export async function listDueShipments(
  context: AppContext,
  tenants: readonly Tenant[],
): Promise<readonly TenantShipments[]> {
  const due: readonly DueShipments[] = await context.stores.findDueShipments(tenants, shipmentQuery(context));
  return due.map(({ tenant, keys, hasUnnumbered }) => ({
    tenant,
    items: keys.map((key) => {
      const [log, destination] = key.split('/') as [ShipmentName['log'], ShipmentName['destination']];
      return { tenant, log, destination };
    }),
    hasUnnumbered,
  }));
}

/** Leases the next batch; undefined where it is not due any more, or another node has it. */
export async function takeShipment(context: AppContext, item: ShipmentItem): Promise<LeasedShipment | undefined> {
  if (!destinationsOf(context, item.log).includes(item.destination)) return undefined;
  const { now, latestDue } = shipmentQuery(context);
  const taken = await context.stores.forWriting(serviceAuthor(item.tenant), ({ logShipments }) =>
    logShipments.take(item, { now, latestDue, leaseUntil: now + shippingLeaseMs }),
  );
  return taken === undefined ? undefined : { ...item, ...taken, batchCount: 0 };
}

/** The lines after the position, as many as a batch may have. */
export async function readShipment(context: AppContext, shipment: LeasedShipment): Promise<readonly ShippedLine[]> {
  const { store } = openReadWork(context, serviceAuthor(shipment.tenant));
  const read = shipment.log === 'audit' ? await readAudit(context, store, shipment) : readRequests(store, shipment);
  const lines: ShippedLine[] = [];
  let length = 0;
  while (lines.length < batchLinesMax && length < batchLengthMax) {
    const next = await read();
    for (const line of next) {
      lines.push(line);
      length += line.text.length;
    }
    if (next.length < readLinesMax) break;
  }
  return lines;
}

const hashOfMissing = Buffer.alloc(32);

type ReadNext = () => Promise<readonly ShippedLine[]>;

function readRequests({ logShipments }: Store, { tenant, position }: LeasedShipment): ReadNext {
  let last = position;
  return async () => {
    const requests = await logShipments.listRequests(last, readLinesMax);
    last = requests.at(-1)?.number ?? last;
    return requests.map((request) => shippedRequestLine(tenant, request));
  };
}

/** Links with the hash that each follows: that of the last link that was shipped, or of the last that was deleted after its time. */
async function readAudit(
  context: AppContext,
  { auditChain }: Store,
  { tenant, position }: LeasedShipment,
): Promise<ReadNext> {
  const findStart = async (): Promise<ChainEnd> =>
    (await auditChain.findAnchor()) ?? { number: 0, hash: hashOfMissing };
  const findPrevious = async (): Promise<ChainEnd> => {
    const [link] = position === 0 ? [] : await auditChain.listLinks(position - 1, 1);
    if (link?.number === position) return { number: position, hash: link.hash };
    const start = await findStart();
    // Somebody has removed links past the service: the receiver sees that this hash is that of none.
    return start.number >= position ? start : { number: position, hash: hashOfMissing };
  };
  let last = await findPrevious();
  return async () => {
    const links = await auditChain.listLinks(last.number, readLinesMax);
    const lines: ShippedLine[] = [];
    for (const link of links) {
      // Links may have been deleted meanwhile.
      if (link.number !== last.number + 1) {
        const start = await findStart();
        if (start.number === link.number - 1) last = start;
      }
      const previous = link.number === 1 ? hashBeforeFirst(context, tenant, link) : last.hash;
      lines.push(shippedAuditLine(tenant, link, previous));
      last = { number: link.number, hash: link.hash };
    }
    return lines;
  };
}

/** What became of a batch: how many lines were acknowledged, or that it failed. */
export type ShipmentEnd =
  | { readonly kind: 'shipped'; readonly count: number }
  | { readonly kind: 'failed'; readonly detail: string }
  | { readonly kind: 'none' };

interface FinishedShipment {
  readonly end: ShipmentEnd;
  /** To go on with. */
  readonly next: LeasedShipment | undefined;
}

/** Moves the position if the lease is still held; a node that has lost it changes nothing, and its lines are sent again. */
export async function finishShipment(
  context: AppContext,
  shipment: LeasedShipment,
  { lines, outcome }: { readonly lines: readonly ShippedLine[]; readonly outcome: ShippingOutcome },
): Promise<FinishedShipment> {
  const { tenant, takeCount } = shipment;
  const now = context.clock.now();
  const change = <T>(task: (shipments: Store['logShipments']) => Promise<T>): Promise<T> =>
    context.stores.forWriting(serviceAuthor(tenant), ({ logShipments }) => task(logShipments));
  if (outcome.kind !== 'acknowledged') {
    const hasFailed = outcome.kind === 'failed';
    const dueAt = hasFailed ? now + pauseMs(shipment, outcome.retryAfterMs) : now;
    await change((shipments) => shipments.putOff(shipment, { takeCount, dueAt, hasFailed }));
    return { end: hasFailed ? { kind: 'failed', detail: outcome.detail } : { kind: 'none' }, next: undefined };
  }
  const position = defined(lines[outcome.count - 1], 'a destination acknowledges lines that it was sent').number;
  const batchCount = shipment.batchCount + 1;
  const goesOn = batchCount < batchesPerLease && (outcome.count < lines.length || isFull(lines));
  const dueAt = goesOn ? now + shippingLeaseMs : now;
  const isOurs = await change((shipments) => shipments.advance(shipment, { takeCount, position, dueAt }));
  const next = goesOn && isOurs ? { ...shipment, position, failureCount: 0, batchCount } : undefined;
  return { end: isOurs ? { kind: 'shipped', count: outcome.count } : { kind: 'none' }, next };
}

/** There may be more. */
function isFull(lines: readonly ShippedLine[]): boolean {
  return lines.length >= batchLinesMax || lines.reduce((sum, { text }) => sum + text.length, 0) >= batchLengthMax;
}

/** Nodes and environments spread out. A receiver may ask for a longer pause, up to the longest. */
function pauseMs({ tenant, log, destination, failureCount }: LeasedShipment, retryAfterMs: number | null): number {
  const usual = jitteredBackoffMs(retryMs, `${tenantKey(tenant)} ${log} ${destination}`, failureCount);
  return Math.min(retryMs.max, Math.max(usual, retryAfterMs ?? 0));
}
