// Keeps the lot books of all positions and applies transactions to them, one after the other.

import { traitsOfKind } from '../../model/ledger/kind-traits.ts';
import { append } from '../../kit/memory/long-list.ts';
import { magnitude, oneFixed, type Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import { cashInLieu, costConversion, withDeliveryValue } from './conversion-terms.ts';
import { gapMember, guardCosts, type CostGap } from './cost-gap.ts';
import { LotBook } from './lot-book.ts';
import type { TransferOut } from './lot-event.ts';
import { listHolders, movedMoney, shareByUnits, totalHeld, unitsToFetch, type Holder } from './lot-holders.ts';
import { transferOut } from './transfer-out.ts';
import type { LotOutcome, QuantityAndCost } from './lot.ts';
import { zeroQuantityAndCost } from './quantity-and-cost.ts';
import type { LotBookChanges, LotBookChangesDraft, LotBookContext } from './lot-book-changes.ts';
import { referenceMoney } from '../currencies/reference-money.ts';
import type { HoldingPlace, LedgerTransaction } from '../ledger/transaction.ts';

export class LotBooks {
  readonly #context: LotBookContext;
  readonly #books: Map<number, LotBook>;

  constructor(context: LotBookContext, books: ReadonlyMap<number, LotBook> = new Map()) {
    this.#context = context;
    this.#books = new Map(books);
  }

  copy(): LotBooks {
    return new LotBooks(this.#context, new Map([...this.#books].map(([position, book]) => [position, book.copy()])));
  }

  /** Registers a position that holds nothing yet. */
  open(position: number): void {
    this.#getOrOpen(position);
  }

  find(position: number): LotBook | undefined {
    return this.#books.get(position);
  }

  apply(transaction: LedgerTransaction): LotBookChanges {
    const draft: LotBookChangesDraft = {
      transaction,
      realised: [],
      findings: [],
      legs: [],
      changedPositions: new Set(),
    };
    if (traitsOfKind(transaction.kind).units === 'converted') this.#applyCorporateAction(draft);
    else if (transaction.instrument !== null)
      this.#applyToPosition(draft, this.#positionNumber(transaction, transaction.instrument));
    const { realised, findings, legs, changedPositions } = draft;
    return { realised, findings, legs, changedPositions: [...changedPositions] };
  }

  /** Applies what an upload states was held. Its event is numbered by its day, because no row caused it. */
  checkpoint(position: number, stated: QuantityAndCost & { readonly row: number; readonly day: Day }): void {
    this.#getOrOpen(position).checkpoint(stated);
  }

  #getOrOpen(position: number): LotBook {
    const existing = this.#books.get(position);
    if (existing !== undefined) return existing;
    const book = new LotBook(this.#context.rulesOf(position), [], this.#context.observe?.(position));
    this.#books.set(position, book);
    return book;
  }

  #positionNumber({ account, depository }: HoldingPlace, instrument: string): number {
    return this.#context.table.positionNumber({ account, depository, instrument });
  }

  #recordOutcome(draft: LotBookChangesDraft, position: number, { realised, findings }: LotOutcome): void {
    const { row, day } = draft.transaction;
    draft.changedPositions.add(position);
    for (const { gap, ...known } of realised) draft.realised.push(guardCosts({ ...known, position }, gap));
    for (const finding of findings) draft.findings.push({ ...finding, position, row, day });
  }

  #applyToPosition(draft: LotBookChangesDraft, position: number): void {
    switch (traitsOfKind(draft.transaction.kind).units) {
      case 'traded':
        return this.#applyTrade(draft, position, draft.transaction.quantity);
      case 'delivered':
        return this.#transferInKind(draft, position);
      case 'called':
        return this.#applyCapitalCall(draft, position);
      case 'ended':
        return this.#endWhereHeld(draft, position);
      // Conversions concern all holders, and are applied before.
      case 'converted':
      case 'none':
        return undefined;
    }
  }

  #applyTrade(draft: LotBookChangesDraft, position: number, quantity: Fixed, deliveryGap?: CostGap): void {
    const { transaction } = draft;
    const { row, day, value, details } = transaction;
    const money = referenceMoney(transaction, this.#context.currencyContext(position));
    const gap = deliveryGap ?? money.gap;
    const costGap = value === 0n ? gapMember(deliveryGap) : gapMember(gap);
    const book = this.#getOrOpen(position);
    if (quantity >= 0n) {
      return this.#recordOutcome(
        draft,
        position,
        book.acquire({ row, day, quantity, cost: value, referenceCost: money.amount, ...costGap }),
      );
    }
    this.#fetchFromDepository(draft, position);
    const { amount: referenceProceeds, rate } = money;
    const proceeds = { quantity: -quantity, proceeds: value, referenceProceeds, rate, ...gapMember(gap) };
    if (this.#lacksNamedLots(draft, position)) return;
    const named = details?.named === undefined ? {} : { named: details.named };
    this.#recordOutcome(draft, position, book.dispose({ row, day, ...proceeds, ...named }));
  }

  /** Moves units that an upload has put into the depository alone to the account that is about to give them away. */
  #fetchFromDepository(draft: LotBookChangesDraft, position: number): void {
    const { row, day, quantity } = draft.transaction;
    const found = unitsToFetch(this.#context.table, { position, quantity, held: (one) => this.#quantity(one) });
    if (found === undefined) return;
    const fetched = { row, day, ...zeroQuantityAndCost, ...found.units };
    this.#moveLots(draft, { from: found.alone, to: position }, fetched);
  }

  #total(position: number): QuantityAndCost {
    return this.#books.get(position)?.total ?? zeroQuantityAndCost;
  }

  #quantity(position: number): Fixed {
    return this.#total(position).quantity;
  }

  /** Records what is missing of the named lots if the row must find them all. */
  #lacksNamedLots(draft: LotBookChangesDraft, position: number): boolean {
    const { row, details } = draft.transaction;
    if (details?.named === undefined || this.#context.mustFindLots?.(row) !== true) return false;
    const missing = this.#getOrOpen(position).listMissing(details.named);
    if (missing.length === 0) return false;
    this.#recordOutcome(draft, position, { realised: [], findings: missing });
    return true;
  }

  #transferInKind(draft: LotBookChangesDraft, position: number): void {
    const { row, day, quantity, details } = draft.transaction;
    if (quantity === 0n) return;
    if (details?.counterPlace !== undefined) return this.#transferBetween(draft, position, details.counterPlace);
    if (quantity < 0n && this.#lacksNamedLots(draft, position)) return;
    draft.legs.push({ measure: 'units', position, quantity, valuedPosition: position });
    const book = this.#getOrOpen(position);
    if (quantity < 0n) {
      this.#fetchFromDepository(draft, position);
      return this.#recordOutcome(draft, position, book.withdraw(this.#transferOut(draft, position)));
    }
    const lots = details?.lots ?? [
      { quantity, ...this.#context.unitWorth({ position, quantity, day }), acquired: day, isEstimated: true },
    ];
    return this.#recordOutcome(draft, position, book.deposit({ row, day, lots }));
  }

  #transferBetween(draft: LotBookChangesDraft, position: number, counterPlace: HoldingPlace): void {
    const { quantity, instrument } = draft.transaction;
    const counterpart = this.#positionNumber(counterPlace, instrument!);
    if (counterpart === position) return;
    const [from, to] = quantity < 0n ? [position, counterpart] : [counterpart, position];
    if (this.#lacksNamedLots(draft, from)) return;
    this.#moveLots(draft, { from, to }, this.#transferOut(draft, from));
  }

  #transferOut({ transaction }: LotBookChangesDraft, position: number): TransferOut {
    const heldAnywhere = (): QuantityAndCost => totalHeld(this.#context.table, transaction, (one) => this.#total(one));
    return transferOut({ ...this.#context, heldAnywhere }, transaction, position);
  }

  #moveLots(draft: LotBookChangesDraft, { from, to }: { from: number; to: number }, out: TransferOut): void {
    const { row, day } = draft.transaction;
    const move = { measure: 'units', valuedPosition: to, movedFrom: from } as const;
    draft.legs.push({ ...move, position: to, quantity: out.quantity });
    draft.legs.push({ ...move, position: from, quantity: -out.quantity });
    const withdrawn = this.#getOrOpen(from).withdraw(out);
    this.#recordOutcome(draft, from, withdrawn);
    // Units that close a short realise their gain where the short is.
    this.#recordOutcome(draft, to, this.#getOrOpen(to).deposit({ row, day, lots: withdrawn.lots }));
  }

  #applyCapitalCall(draft: LotBookChangesDraft, position: number): void {
    const { transaction } = draft;
    const book = this.#getOrOpen(position);
    const { quantity, value } = transaction;
    const returned = { ...transaction, value: -value };
    if (quantity !== 0n)
      return this.#applyTrade(quantity < 0n ? { ...draft, transaction: returned } : draft, position, quantity);
    // A holding in a fund without units counts as one unit.
    if (book.total.quantity === 0n && value > 0n) return this.#applyTrade(draft, position, oneFixed);
    this.#reduceCost(draft, position, returned);
    if (value < 0n) this.#endReturnedHolding(draft, position);
  }

  /** A holding without units ends once all that was called has been returned. */
  #endReturnedHolding(draft: LotBookChangesDraft, position: number): void {
    const book = this.#getOrOpen(position);
    const { quantity, cost } = book.total;
    if (quantity !== oneFixed || cost !== 0n) return;
    const { row, day } = draft.transaction;
    this.#recordOutcome(draft, position, book.withdraw({ row, day, ...zeroQuantityAndCost, quantity }));
  }

  /** What ends or pays back units concerns those that the account holds: where it names a place that holds none, those of the others. */
  #endWhereHeld(draft: LotBookChangesDraft, position: number): void {
    const isHeldElsewhere = this.#quantity(position) === 0n && this.#listHolders(draft).length > 0;
    if (!isHeldElsewhere) return this.#endUnits(draft, position);
    return this.#payHolders(draft, position, (share, holder) => this.#endUnits(share, holder));
  }

  #endUnits(draft: LotBookChangesDraft, position: number): void {
    const { kind, quantity } = draft.transaction;
    const { amount, fund } = traitsOfKind(kind);
    if (amount === 'settlement') return this.#settleForward(draft, position);
    if (fund === 'distribution' && quantity > 0n) {
      const repaid = { ...draft.transaction, value: -draft.transaction.value };
      return this.#applyTrade({ ...draft, transaction: repaid }, position, quantity);
    }
    if (amount === 'units' || quantity !== 0n) return this.#applyTrade(draft, position, quantity);
    return this.#reduceCost(draft, position, draft.transaction);
  }

  #listHolders({ transaction }: LotBookChangesDraft): readonly Holder[] {
    return listHolders(this.#context.table, transaction, (position) => this.#quantity(position));
  }

  /** Both kinds of settlement end the contract, completely unless units are given. What comes in is earned, also on one that was sold. */
  #settleForward(draft: LotBookChangesDraft, position: number): void {
    const { transaction, gap } = withDeliveryValue(draft.transaction, this.#context.currencyContext(position));
    const held = this.#quantity(position);
    const units = magnitude(transaction.quantity === 0n ? held : transaction.quantity);
    if (units === 0n) return this.#reduceCost(draft, position, transaction, gap);
    if (held >= 0n) return this.#applyTrade({ ...draft, transaction }, position, -units, gap);
    const paid = { ...transaction, value: -transaction.value };
    return this.#applyTrade({ ...draft, transaction: paid }, position, units, gap);
  }

  #reduceCost(draft: LotBookChangesDraft, position: number, transaction: LedgerTransaction, known?: CostGap): void {
    const { row, day, value } = transaction;
    const { amount, rate, gap } = referenceMoney(transaction, this.#context.currencyContext(position));
    const capital = { row, day, amount: value, referenceAmount: amount, rate, ...gapMember(known ?? gap) };
    this.#recordOutcome(draft, position, this.#getOrOpen(position).reduceCost(capital));
  }

  #applyCorporateAction(draft: LotBookChangesDraft): void {
    const { details, instrument } = draft.transaction;
    if (details?.action === undefined || instrument === null) return;
    const named = this.#positionNumber(draft.transaction, instrument);
    this.#payHolders(draft, named, (share, holder) => this.#applyActionTo(share, holder));
  }

  /** Shares the money of a row between those who hold at its place, by units. Where nobody does, all of it is a gain of what it names. */
  #payHolders(draft: LotBookChangesDraft, named: number, pay: (share: LotBookChangesDraft, to: number) => void): void {
    const [{ transaction }, holders] = [draft, this.#listHolders(draft)];
    if (transaction.amount !== 0n && holders.length === 0) return this.#reduceCost(draft, named, transaction);
    for (const { position, share } of shareByUnits(transaction, holders)) {
      append(draft.legs, movedMoney(share, { from: named, to: position }));
      pay({ ...draft, transaction: share }, position);
    }
  }

  #applyActionTo(draft: LotBookChangesDraft, position: number): void {
    const { row, day, details } = draft.transaction;
    const action = details?.action;
    switch (action?.action) {
      case 'split':
        return this.#recordOutcome(draft, position, this.#getOrOpen(position).split({ row, day, ratio: action.ratio }));
      case 'return-of-capital':
        return this.#reduceCost(draft, position, draft.transaction);
      case 'spin-off': {
        const target = this.#conversionTarget(draft, position, action.target);
        const { ratio, share } = action;
        return this.#convertUnits(draft, { position, ...target }, (book, into) =>
          book.moveShareOfCost(into, { row, day, ratio, share, ...target.costRate }),
        );
      }
      case 'merger': {
        const target = this.#conversionTarget(draft, position, action.target);
        const paid = cashInLieu(draft.transaction, this.#context.currencyContext(target.target), action.cashInLieu);
        if (action.cashInLieu === undefined && draft.transaction.value !== 0n)
          this.#reduceCost(draft, position, draft.transaction);
        return this.#convertUnits(draft, { position, ...target }, (book, into) =>
          book.exchange(into, { row, day, ratio: action.ratio, ...target.costRate, ...paid }),
        );
      }
    }
  }

  /** Records the units that arrived at the target as a leg of both positions. */
  #convertUnits(
    draft: LotBookChangesDraft,
    { position, target }: { readonly position: number; readonly target: number },
    convert: (from: LotBook, to: LotBook) => LotOutcome,
  ): void {
    const [from, to] = [this.#getOrOpen(position), this.#getOrOpen(target)];
    const before = to.total.quantity;
    const outcome = convert(from, to);
    const quantity = to.total.quantity - before;
    draft.legs.push({ measure: 'units', position: target, quantity, valuedPosition: target });
    draft.legs.push({ measure: 'units', position, quantity: -quantity, valuedPosition: target });
    draft.changedPositions.add(position);
    this.#recordOutcome(draft, target, outcome);
  }

  #conversionTarget({ transaction: { day } }: LotBookChangesDraft, position: number, instrument: string) {
    const target = this.#positionNumber(this.#context.table.key(position), instrument);
    const [from, to] = [position, target].map((one) => this.#context.currencyContext(one));
    return { target, costRate: costConversion({ from: from!, to: to!, day }) };
  }
}
