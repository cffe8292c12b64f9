// Checks what proposed trades, cash moves and bounds would do to limits as of today, beside their present status. Nothing is stored.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal, refusalForFaults } from '../../kit/refusal.ts';
import { resourceLabel, type Resource } from '../../kit/resource.ts';
import { account as accountResource } from '../../model/structure/account.ts';
import { depository as depositoryResource } from '../../model/structure/depository.ts';
import { instrument as instrumentResource } from '../../model/instrument/instrument.ts';
import { limit as limitResource, type Limit } from '../../model/limit/limit.ts';
import type { ProposedBounds, ProposedCashMove, ProposedTrade } from '../../model/limit/limit-check-proposal.ts';
import { canSeeReportingEntity } from '../../model/access/scope.ts';
import type { ReportedLimitCheck, ReportedLimitOutcome } from '../../model/report/limit-status.ts';
import { History } from '../../engine/history/history.ts';
import type { LedgerTransaction } from '../../engine/ledger/transaction.ts';
import { refuseInvalidBounds } from './limit.ts';
import { findGoneNames } from './limit-names.ts';
import { limitOutcomes, type LimitOutcome } from './limit-outcome.ts';
import { proposedFlow, proposedTransaction } from './proposed-transaction.ts';
import { EntityPlaces } from '../reports/inputs/client-structure.ts';
import { toEngineInstrument } from '../reports/inputs/engine-instrument.ts';
import { MarketDataCache, type VersionedInstrument } from '../reports/inputs/market-data-cache.ts';
import { loadReportBasis, listReportBases, type ReportBasis } from '../reports/report-basis.ts';
import { endOfDay } from '../reports/report-day.ts';
import { notFound } from '../core/resource.ts';
import { readInSnapshot, type Work } from '../core/work.ts';

export interface Proposal {
  /** The limits to check: those of one reporting entity, or all of a client. */
  readonly subject: { readonly type: 'reporting-entity' | 'client'; readonly id: Id };
  readonly trades: readonly ProposedTrade[];
  readonly cashMoves: readonly ProposedCashMove[];
  readonly bounds: readonly ProposedBounds[];
}

interface LimitCheck {
  readonly asOf: number;
  readonly limits: readonly ReportedLimitCheck[];
}

type ProposalList = 'trades' | 'cashMoves' | 'bounds';

/** Says which of the proposed trades, cash moves or bounds is refused, and why. */
export class ProposalRefusal extends Error {
  readonly list: ProposalList;
  readonly index: number;
  readonly refusal: Refusal;

  constructor(list: ProposalList, index: number, refusal: Refusal) {
    super(refusal.message);
    this.name = 'ProposalRefused';
    this.list = list;
    this.index = index;
    this.refusal = refusal;
  }
}

/** How many limits one check looks at. */
const limitsMax = 10_000;

export async function checkLimits(work: Work, proposal: Proposal): Promise<LimitCheck> {
  const { type, id } = proposal.subject;
  if (type === 'client') refusePersonForClient(work);
  const bases = type === 'client' ? await listReportBases(work, id, {}) : [await loadReportBasis(work, id, {})];
  const [basis] = bases;
  if (basis === undefined) return { asOf: work.now, limits: [] };
  const { client, today, timeZone } = basis;
  const query = { where: { client }, limit: limitsMax };
  const limits: readonly Limit[] = await work.store.table(limitResource).list(query);
  const gone = await findGoneNames(work, limits);
  const changedLimits = applyBounds(limits, proposal.bounds);
  const proposed = await applyProposal(work, bases, proposal);
  const present = bases.flatMap((one) => limitOutcomes(one, { limits, gone, day: today }));
  const resulting = proposed.flatMap((one) => limitOutcomes(one, { limits: changedLimits, gone, day: today }));
  const pairs = present.map((outcome, index) => ({
    present: outcome,
    resulting: defined(resulting[index], 'both evaluations cover the same limits'),
  }));
  const byLimit = Map.groupBy(pairs, (pair) => pair.present.limit);
  const checked = limits.flatMap((limit) => {
    const ownPairs = byLimit.get(limit);
    return ownPairs === undefined ? [] : [toLimitCheck(limit, ownPairs)];
  });
  return { asOf: endOfDay(today, timeZone), limits: checked };
}

/** A person may not see every reporting entity of a client, so the result could be incomplete without saying so. */
function refusePersonForClient({ store }: Work): void {
  if (store.scope.visibleClients.kind !== 'some') return;
  throw new Refusal('outside-reach', 'A person checks the limits of one reporting entity: send `reporting_entity_id`.');
}

function toLimitCheck(
  { id, kind }: Limit,
  pairs: readonly { readonly present: LimitOutcome; readonly resulting: LimitOutcome }[],
): ReportedLimitCheck {
  return {
    limitId: id,
    kind,
    reportingEntities: pairs.map(({ present, resulting }) => ({
      reportingEntityId: present.reportingEntity,
      min: present.min,
      max: present.max,
      resultingMin: resulting.min,
      resultingMax: resulting.max,
      present: present as ReportedLimitOutcome,
      resulting: resulting as ReportedLimitOutcome,
    })),
  };
}

/** Returns the limits with the proposed bounds. Refuses those that a change of the limit would refuse. */
function applyBounds(limits: readonly Limit[], bounds: readonly ProposedBounds[]): readonly Limit[] {
  const changed = new Map<string, Limit>();
  for (const [index, { limit: id, ...change }] of bounds.entries()) {
    const limit = limits.find((one) => one.id === id);
    if (limit === undefined) throw new ProposalRefusal('bounds', index, notFound(limitResource, { field: 'limit' }));
    if (changed.has(id)) throw new ProposalRefusal('bounds', index, repeatedLimit());
    const resulting: Limit = { ...limit, ...change };
    withProposalIndex('bounds', index, () => refuseInvalidBounds(limit.kind, resulting));
    changed.set(id, resulting);
  }
  return limits.map((limit) => changed.get(limit.id) ?? limit);
}

function repeatedLimit(): Refusal {
  const fault = { code: 'invalid-attribute', detail: 'Bounds of this limit are sent twice.', field: 'limit' };
  return refusalForFaults('invalid-document', [fault]);
}

/** Returns the same reporting entities as if everything had been booked. They share one history. */
async function applyProposal(
  work: Work,
  bases: readonly ReportBasis[],
  { trades, cashMoves }: Proposal,
): Promise<readonly ReportBasis[]> {
  const [first] = bases;
  const basis = defined(first, 'a proposal is checked against at least one reporting entity');
  const namedInstruments = await readInstruments(work, basis, trades);
  await refuseUnknownReferences(work, basis, { trades, cashMoves, namedInstruments });
  const instruments = new Map([...basis.instruments, ...namedInstruments]);
  const history = historyWithProposal(basis, { trades, cashMoves, namedInstruments });
  const privateTo = (id: string): Id | undefined => instruments.get(id)?.instrument.reportingEntity ?? undefined;
  return bases.map((one) => ({
    ...one,
    history,
    instruments,
    places: new EntityPlaces(one.structure, one.reportingEntity, privateTo),
  }));
}

/** Loads the instruments that the trades name. They need not be held yet. */
function readInstruments(
  work: Work,
  basis: ReportBasis,
  trades: readonly ProposedTrade[],
): Promise<ReadonlyMap<string, VersionedInstrument>> {
  const ids = [...new Set(trades.map(({ instrument }) => instrument))].toSorted();
  const held = new Map(ids.flatMap((id) => listEntry(basis.instruments, id)));
  if (held.size === ids.length) return Promise.resolve(held);
  return readInSnapshot(work, ({ store }) => new MarketDataCache(store, work.context.ledgerCache).listInstruments(ids));
}

function listEntry<K, V>(map: ReadonlyMap<K, V>, key: K): [K, V][] {
  const value = map.get(key);
  return value === undefined ? [] : [[key, value]];
}

interface ProposalReferences extends Pick<Proposal, 'trades' | 'cashMoves'> {
  readonly namedInstruments: ReadonlyMap<string, VersionedInstrument>;
}

/** A reference to a record that does not exist or belongs to another client. */
interface UnknownReference {
  readonly resource: Resource;
  readonly field: string;
  readonly id: Id;
}

async function refuseUnknownReferences(
  work: Work,
  basis: ReportBasis,
  { trades, cashMoves, namedInstruments }: ProposalReferences,
): Promise<void> {
  const { visibleClients } = work.store.scope;
  const { accounts, depositories } = visibleClients.kind === 'some' ? entityPlaces(basis) : basis.structure;
  const unknownAccount = (id: Id): UnknownReference[] =>
    accounts.has(id) ? [] : [{ resource: accountResource, field: 'account', id }];
  for (const [index, { account, depository, instrument }] of trades.entries()) {
    const known = namedInstruments.get(instrument)?.instrument;
    const unknown = unknownAccount(account);
    if (depository != null && !depositories.has(depository)) {
      unknown.push({ resource: depositoryResource, field: 'depository', id: depository });
    }
    const belongsToClient = known !== undefined && (known.client === null || known.client === basis.client);
    if (!belongsToClient || !canSeeReportingEntity(visibleClients, known.reportingEntity)) {
      unknown.push({ resource: instrumentResource, field: 'instrument', id: instrument });
    }
    const [first] = unknown;
    if (first !== undefined) throw new ProposalRefusal('trades', index, await referenceRefusal(work, first));
  }
  for (const [index, { account }] of cashMoves.entries()) {
    const [unknown] = unknownAccount(account);
    if (unknown !== undefined) throw new ProposalRefusal('cashMoves', index, await referenceRefusal(work, unknown));
  }
}

/** The accounts and depositories in the portfolios of a reporting entity, and those linked to them. */
function entityPlaces({
  structure,
  reportingEntity,
}: ReportBasis): Record<'accounts' | 'depositories', ReadonlySet<string>> {
  const own = [...structure.portfolios.values()].filter((one) => one.reportingEntity === reportingEntity);
  const held = new Set(own.flatMap((one) => [...one.depositories]));
  const belongsToClient = (id: string, linkedDepositories: readonly string[]): boolean =>
    own.some((one) => one.accounts.has(id)) || linkedDepositories.some((one) => held.has(one));
  const ownAccounts = [...structure.accounts].filter(([id, place]) => belongsToClient(id, place.depositories));
  return {
    accounts: new Set(ownAccounts.map(([id]) => id)),
    depositories: held.union(new Set(ownAccounts.flatMap(([, place]) => place.depositories))),
  };
}

async function referenceRefusal(work: Work, { resource, field, id }: UnknownReference): Promise<Refusal> {
  if (work.store.scope.visibleClients.kind === 'some') return notFound(resource, { field });
  const seen = await work.store.table(resource).listVisibleIds([id]);
  if (seen.length === 0) return notFound(resource, { field });
  const code = 'different-client';
  const detail = `The ${resourceLabel(resource)} belongs to another client.`;
  return new Refusal(code, detail, { faults: [{ code, detail, field }] });
}

/** Higher than the row number of any booked transaction. */
const firstProposedRow = 2 ** 50;

function historyWithProposal(basis: ReportBasis, { trades, cashMoves, namedInstruments }: ProposalReferences): History {
  const { history, structure, today: day } = basis;
  const { facts } = history;
  const currencyOf = (account: Id): string =>
    defined(structure.accounts.get(account), 'unknown accounts were refused').currency;
  const instruments = new Map(facts.instruments);
  const rows: LedgerTransaction[] = [];
  for (const [index, trade] of trades.entries()) {
    const { instrument, series } = defined(namedInstruments.get(trade.instrument), 'unknown instruments were refused');
    const accountCurrency = currencyOf(trade.account);
    const factsContext = { series, currency: accountCurrency, stalenessDays: null };
    const own = instruments.get(instrument.id) ?? toEngineInstrument(instrument, factsContext);
    instruments.set(instrument.id, own);
    const tradeContext = { history, day, accountCurrency, instrument, facts: own };
    rows.push(
      withProposalIndex('trades', index, () =>
        proposedTransaction(trade, tradeContext, firstProposedRow + rows.length),
      ),
    );
  }
  for (const move of cashMoves) {
    const accountCurrency = currencyOf(move.account);
    rows.push(proposedFlow(move, { history, day, accountCurrency }, firstProposedRow + rows.length));
  }
  return new History({ ...facts, instruments, ledger: facts.ledger.add(rows) });
}

function withProposalIndex<T>(list: ProposalRefusal['list'], index: number, task: () => T): T {
  try {
    return task();
  } catch (error) {
    throw error instanceof Refusal ? new ProposalRefusal(list, index, error) : error;
  }
}
