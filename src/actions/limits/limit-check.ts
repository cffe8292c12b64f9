// What would become of limits if some trades were made and some cash were moved today, beside how they are now. Nothing is kept.
// Knows no wire.

import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { wordsOf, type Resource } from '../../kit/resource.ts';
import { account as accountResource } from '../../model/structure/account.ts';
import { depository as depositoryResource } from '../../model/structure/depository.ts';
import { instrument as instrumentResource } from '../../model/instrument/instrument.ts';
import { limit as limitResource, type Limit } from '../../model/limit/limit.ts';
import type { ProposedCashMove, ProposedTrade } from '../../model/limit/limit-check-proposal.ts';
import { seesReportingEntity } from '../../model/access/scope.ts';
import type { ReportedLimitCheck, ReportedOutcome } from '../../model/report/limit-status.ts';
import { History } from '../../engine/history/history.ts';
import type { Transaction } from '../../engine/ledger/transaction.ts';
import { limitOutcomes, type LimitOutcome } from './limit-outcome.ts';
import { proposedFlow, proposedTransaction } from './proposed-transaction.ts';
import { EntityPlaces } from '../reports/inputs/client-structure.ts';
import { instrumentFactsOf } from '../reports/inputs/engine-instrument.ts';
import { MarketMemory, type KnownInstrument } from '../reports/inputs/market-data-cache.ts';
import { openReport, openReportsOfClient, type ReportScope } from '../reports/report-basis.ts';
import { endOfDay } from '../reports/report-day.ts';
import { notFound } from '../core/resource.ts';
import { readingTogether, type Work } from '../core/work.ts';

export interface Proposal {
  /** Whose limits are looked at: one reporting entity's, or all of a client. */
  readonly about: { readonly type: 'reporting-entity' | 'client'; readonly id: Id };
  readonly trades: readonly ProposedTrade[];
  readonly cashMoves: readonly ProposedCashMove[];
}

export interface LimitCheck {
  readonly asOf: number;
  readonly limits: readonly ReportedLimitCheck[];
}

/** One of what is proposed cannot be done. */
export class ProposalRefused extends Error {
  readonly list: 'trades' | 'cashMoves';
  readonly index: number;
  readonly refusal: Refusal;

  constructor(list: 'trades' | 'cashMoves', index: number, refusal: Refusal) {
    super(refusal.message);
    this.name = 'ProposalRefused';
    this.list = list;
    this.index = index;
    this.refusal = refusal;
  }
}

const limitsMax = 10_000;

export async function checkLimits(work: Work, proposal: Proposal): Promise<LimitCheck> {
  const { type, id } = proposal.about;
  if (type === 'client') refusePerson(work);
  const scopes = type === 'client' ? await openReportsOfClient(work, id, {}) : [await openReport(work, id, {})];
  const [scope] = scopes;
  if (scope === undefined) return { asOf: work.now, limits: [] };
  const { client, today, timeZone } = scope;
  const query = { where: { client }, limit: limitsMax };
  const limits: readonly Limit[] = await work.store.table(limitResource).list(query);
  const proposed = await withProposal(work, scopes, proposal);
  const present = scopes.flatMap((one) => limitOutcomes(one, limits, today));
  const resulting = proposed.flatMap((one) => limitOutcomes(one, limits, today));
  const pairs = present.map((outcome, index) => ({ present: outcome, resulting: resulting[index]! }));
  const byLimit = Map.groupBy(pairs, (pair) => pair.present.limit);
  const checked = limits.flatMap((limit) => (byLimit.get(limit)?.length ? [checkOf(limit, byLimit.get(limit)!)] : []));
  return { asOf: endOfDay(today, timeZone), limits: checked };
}

/** What they may not read would be missing, and nobody could tell. */
function refusePerson({ store }: Work): void {
  if (store.reach.sight.kind !== 'some') return;
  throw new Refusal('outside-reach', 'A person checks the limits of one reporting entity: send `reporting_entity_id`.');
}

function checkOf(
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
      present: present as ReportedOutcome,
      resulting: resulting as ReportedOutcome,
    })),
  };
}

/** The same reporting entities as if it had all been booked. Their history is one. */
async function withProposal(
  work: Work,
  scopes: readonly ReportScope[],
  { trades, cashMoves }: Proposal,
): Promise<readonly ReportScope[]> {
  const scope = scopes[0]!;
  const named = await readInstruments(work, scope, trades);
  await refuseStrangers(work, scope, { trades, cashMoves, named });
  const instruments = new Map([...scope.instruments, ...named]);
  const history = historyWith(scope, { trades, cashMoves, named });
  const privateTo = (id: string): Id | undefined => instruments.get(id)?.instrument.reportingEntity ?? undefined;
  return scopes.map((one) => ({
    ...one,
    history,
    instruments,
    places: new EntityPlaces(one.structure, one.reportingEntity, privateTo),
  }));
}

/** Those that trades name: they need not be held yet. */
function readInstruments(
  work: Work,
  scope: ReportScope,
  trades: readonly ProposedTrade[],
): Promise<ReadonlyMap<string, KnownInstrument>> {
  const ids = [...new Set(trades.map(({ instrument }) => instrument!))].toSorted();
  const held = ids.every((id) => scope.instruments.has(id));
  if (held) return Promise.resolve(new Map(ids.map((id) => [id, scope.instruments.get(id)!])));
  return readingTogether(work, ({ store }) => new MarketMemory(store, work.house.memory).listInstruments(ids));
}

interface Named extends Pick<Proposal, 'trades' | 'cashMoves'> {
  readonly named: ReadonlyMap<string, KnownInstrument>;
}

/** What a row names and its client does not have: a stranger's, or nothing at all. */
interface Unknown {
  readonly resource: Resource;
  readonly field: string;
  readonly id: Id;
}

async function refuseStrangers(work: Work, scope: ReportScope, { trades, cashMoves, named }: Named): Promise<void> {
  const { sight } = work.store.reach;
  const { accounts, depositories } = sight.kind === 'some' ? placesOf(scope) : scope.structure;
  const ofAccount = (id: Id): Unknown[] =>
    accounts.has(id) ? [] : [{ resource: accountResource, field: 'account', id }];
  for (const [index, { account, depository, instrument }] of trades.entries()) {
    const known = named.get(instrument!)?.instrument;
    const unknown = ofAccount(account!);
    if (depository != null && !depositories.has(depository)) {
      unknown.push({ resource: depositoryResource, field: 'depository', id: depository });
    }
    const isOurs = known !== undefined && (known.client === null || known.client === scope.client);
    if (!isOurs || !seesReportingEntity(sight, known.reportingEntity)) {
      unknown.push({ resource: instrumentResource, field: 'instrument', id: instrument! });
    }
    if (unknown.length > 0) throw new ProposalRefused('trades', index, await refusalOf(work, unknown[0]!));
  }
  for (const [index, { account }] of cashMoves.entries()) {
    const [unknown] = ofAccount(account!);
    if (unknown !== undefined) throw new ProposalRefused('cashMoves', index, await refusalOf(work, unknown));
  }
}

/** The accounts and depositories that the portfolios of a reporting entity hold, and those joined to these. */
function placesOf({
  structure,
  reportingEntity,
}: ReportScope): Record<'accounts' | 'depositories', ReadonlySet<string>> {
  const own = [...structure.portfolios.values()].filter((one) => one.reportingEntity === reportingEntity);
  const held = new Set(own.flatMap((one) => [...one.depositories]));
  const isOurs = (id: string, joined: readonly string[]): boolean =>
    own.some((one) => one.accounts.has(id)) || joined.some((one) => held.has(one));
  const ours = [...structure.accounts].filter(([id, place]) => isOurs(id, place.depositories));
  return {
    accounts: new Set(ours.map(([id]) => id)),
    depositories: held.union(new Set(ours.flatMap(([, place]) => place.depositories))),
  };
}

async function refusalOf(work: Work, { resource, field, id }: Unknown): Promise<Refusal> {
  if (work.store.reach.sight.kind === 'some') return notFound(resource, { field });
  const seen = await work.store.table(resource).listSeen([id]);
  if (seen.length === 0) return notFound(resource, { field });
  const code = 'different-client';
  const detail = `The ${wordsOf(resource)} belongs to another client.`;
  return new Refusal(code, detail, { faults: [{ code, detail, field }] });
}

/** Numbers that no booking has. */
const firstRow = 2 ** 50;

function historyWith(scope: ReportScope, { trades, cashMoves, named }: Named): History {
  const { history, structure, today: day } = scope;
  const { facts } = history;
  const currencyOf = (account: Id): string => structure.accounts.get(account)!.currency;
  const instruments = new Map(facts.instruments);
  const rows: Transaction[] = [];
  for (const [index, trade] of trades.entries()) {
    const { instrument, series } = named.get(trade.instrument!)!;
    const accountCurrency = currencyOf(trade.account!);
    const context = { series, currency: accountCurrency, stalenessDays: null };
    const own = instruments.get(instrument.id) ?? instrumentFactsOf(instrument, context);
    instruments.set(instrument.id, own);
    const asked = { history, day, accountCurrency, instrument, facts: own };
    rows.push(refusing('trades', index, () => proposedTransaction(trade, asked, firstRow + rows.length)));
  }
  for (const move of cashMoves) {
    const accountCurrency = currencyOf(move.account!);
    rows.push(proposedFlow(move, { history, day, accountCurrency }, firstRow + rows.length));
  }
  return new History({ ...facts, instruments, ledger: facts.ledger.add(rows) });
}

function refusing<T>(list: ProposalRefused['list'], index: number, task: () => T): T {
  try {
    return task();
  } catch (error) {
    throw error instanceof Refusal ? new ProposalRefused(list, index, error) : error;
  }
}
