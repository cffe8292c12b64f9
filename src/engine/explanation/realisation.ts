// Explains the gain on a lot: its share of the cost and of the proceeds, the parts by price and by currency, and the term.

import { tradesUnits, traitsOfKind } from '../../model/ledger/kind-traits.ts';
import { addMonths } from '../../kit/day.ts';
import { magnitude, multiply, multiplyDivide, type Fixed } from '../../kit/fixed.ts';
import type { PositionRealisation } from '../lots/lot-book-changes.ts';
import type { History } from '../history/history.ts';
import type { HoldingPeriod, QuantityAndCost } from '../lots/lot.ts';
import type { LedgerTransaction } from '../ledger/transaction.ts';
import { lotCostContext, lotSource } from './lots/cost.ts';
import { amountFigure, countFigure, dayFigure, formula, halfEven, joinOperands } from './figure.ts';
import type { Facets, Figure, Formula, FigureSource } from './figure.ts';
import { explainLotCost } from './lots/lot-cost.ts';
import { isSameLot, type LotStep } from './lots/lot-steps.ts';
import { explainRowMoney } from './lots/lot-trade.ts';
import { explainPooledCost } from './lots/pooled-cost.ts';
import { explainReferenceMoney } from './reference-money.ts';

export type RealisationFigure = 'gain' | 'reference-gain' | 'price-part' | 'currency-part' | 'term' | 'units-sold';

export interface RealisationRequest {
  readonly realisation: PositionRealisation;
  /** All realisations of the same row, in order: cost or proceeds are split between them. */
  readonly rowRealisations: readonly PositionRealisation[];
}

export function explainRealisation(history: History, request: RealisationRequest, name: RealisationFigure): Figure {
  const { realisation } = request;
  const { day, gain, referenceGain, pricePart, currencyPart } = realisation;
  const money = (field: MoneyField): Figure => moneyFigure(field, history, request);
  const trade = { unit: history.instrument(realisation.position).currency, day, source: rowSource(realisation) };
  const reference = { ...trade, unit: history.facts.settings.referenceCurrency };
  switch (name) {
    case 'gain':
      return amountFigure(name, gain, { ...trade, ...formula`${money('proceeds')} − ${money('cost')}` });
    case 'reference-gain': {
      const whole = formula`${money('referenceProceeds')} − ${money('referenceCost')}`;
      return amountFigure(name, referenceGain, { ...reference, ...whole });
    }
    case 'price-part': {
      const whole = formula`${money('referenceProceeds')} − ${costAtSaleRate(history, request)}`;
      return amountFigure(name, pricePart, { ...reference, ...whole });
    }
    case 'currency-part': {
      const whole = formula`${costAtSaleRate(history, request)} − ${money('referenceCost')}`;
      return amountFigure(name, currencyPart, { ...reference, ...whole });
    }
    case 'term':
      return termFigure(realisation, history.facts.settings.longAfter);
    case 'units-sold':
      return soldUnitsFigure(history, request);
  }
}

function rowSource({ row }: PositionRealisation): FigureSource {
  return { kind: 'row', row };
}

/** Days between the anniversary and the sale: long term from one on. */
function termFigure({ acquired, sold, term }: PositionRealisation, { unit, count }: HoldingPeriod): Figure {
  const from = dayFigure('acquired', acquired);
  const days = countFigure('holding-days', count, { unit: 'days', source: { kind: 'terms' } });
  const anniversary =
    unit === 'months'
      ? dayFigure('anniversary', addMonths(acquired, count))
      : { ...dayFigure('anniversary', acquired + count), ...formula`${from} + ${days}` };
  const daysLate = sold - Number(anniversary.value);
  const whole = formula`${dayFigure('sold', sold)} − ${anniversary}`;
  return countFigure('days-after-anniversary', daysLate, { unit: 'days', ...whole, notes: [term] });
}

/** Of a row that took from several lots: what it traded, less what it took from the others. */
function soldUnitsFigure(history: History, { realisation, rowRealisations }: RealisationRequest): Figure {
  const { quantity, day } = realisation;
  const facets = { unit: 'units', day, source: rowSource(realisation) };
  const traded = magnitude(findRow(history, realisation)?.quantity ?? 0n);
  const others = rowRealisations.filter((one) => one !== realisation && one.quantity !== 0n);
  const rest = others.reduce((left, one) => left - one.quantity, traded - quantity);
  if (quantity === 0n || rest < 0n || (others.length === 0 && rest === 0n))
    return amountFigure('units-sold', quantity, facets);
  const taken = others.map((one) => amountFigure('units-of-other-lot', one.quantity, { unit: 'units', day }));
  const beyond = rest === 0n ? [] : [amountFigure('units-beyond-holding', rest, { unit: 'units', day })];
  const whole = amountFigure('traded-units', traded, facets);
  return amountFigure('units-sold', quantity, { ...facets, ...subtraction(whole, [...taken, ...beyond]) });
}

type MoneyField = 'cost' | 'proceeds' | 'referenceCost' | 'referenceProceeds';

const figureNames: Readonly<Record<MoneyField, string>> = {
  cost: 'cost',
  proceeds: 'proceeds',
  referenceCost: 'reference-cost',
  referenceProceeds: 'reference-proceeds',
};

/** What was held gives the cost of units sold, or the proceeds of a short; the row gives the other side. */
function moneyFigure(field: MoneyField, history: History, request: RealisationRequest): Figure {
  const { realisation } = request;
  const { day, lot, held, acquired, sold } = realisation;
  const isReference = field === 'referenceCost' || field === 'referenceProceeds';
  const { referenceCurrency } = history.facts.settings;
  const unit = isReference ? referenceCurrency : history.instrument(realisation.position).currency;
  const isShort = held.quantity < 0n;
  const isHeld = lot !== undefined && isShort === (field === 'proceeds' || field === 'referenceProceeds');
  const source = isHeld ? lotSource(lot, isShort ? sold : acquired) : rowSource(realisation);
  const facets = { unit, day: isHeld ? (isShort ? sold : acquired) : day, source };
  const kind = { field, isReference, unit };
  const shares = isHeld ? shareOfHeld(history, request, kind) : shareOfRow(history, request, kind);
  return amountFigure(figureNames[field], realisation[field], { ...facets, ...shares });
}

interface MoneyKind {
  readonly field: MoneyField;
  readonly isReference: boolean;
  readonly unit: string;
}

/** Under AVERAGE, the cost that left is taken from the position as a whole and then split between the lots whose units left. */
function shareOfHeld(history: History, { realisation, rowRealisations }: RealisationRequest, kind: MoneyKind): Facets {
  const { held, quantity } = realisation;
  if (quantity === 0n || held.quantity === 0n) return {};
  const cost = heldCost(history, realisation, kind);
  if (history.methodOf(realisation.position) !== 'AVERAGE')
    return shareOf({ total: cost, units: held.quantity, before: [] }, quantity, kind);
  const soldTogether = rowRealisations.filter((one) => one.quantity !== 0n && isSameQuantityAndCost(one.held, held));
  const units = soldTogether.reduce((total, one) => total + one.quantity, 0n);
  const removed = amountFigure('removed-cost', multiplyDivide(costField(held, kind), units, held.quantity), {
    unit: kind.unit,
    ...shareOf({ total: cost, units: held.quantity, before: [] }, units, kind),
  });
  return shareOf(
    { total: removed, units, before: soldTogether.slice(0, soldTogether.indexOf(realisation)) },
    quantity,
    kind,
  );
}

/** Led back to the purchase; under AVERAGE, that of the whole position. */
function heldCost(history: History, realisation: PositionRealisation, kind: MoneyKind): Figure {
  const { position, row, held, lot } = realisation;
  const name = kind.isReference ? 'held-reference-cost' : 'held-cost';
  const context = lotCostContext(history, position, kind.isReference ? 'referenceCost' : 'cost');
  const step = context.steps.of(position).find((one) => one.row === row && takesFrom(one, realisation));
  if (step?.kind === 'taken-together') return explainPooledCost(context, { total: held, name, before: step });
  if (step?.kind === 'taken' && lot !== undefined)
    return explainLotCost(context, { lot: { ...lot, ...held, acquired: step.lot.acquired }, name, before: step });
  return amountFigure(name, costField(held, kind), { unit: kind.unit });
}

function takesFrom(step: LotStep, { lot, held }: PositionRealisation): boolean {
  if (step.kind === 'taken-together') return isSameQuantityAndCost(step.held, held);
  return (
    step.kind === 'taken' && lot !== undefined && isSameLot(step.lot, lot) && isSameQuantityAndCost(step.lot, held)
  );
}

function costField(held: QuantityAndCost, { isReference }: MoneyKind): Fixed {
  return isReference ? held.referenceCost : held.cost;
}

function isSameQuantityAndCost(one: QuantityAndCost, other: QuantityAndCost): boolean {
  return one.quantity === other.quantity && one.cost === other.cost && one.referenceCost === other.referenceCost;
}

/** What a row that trades units paid or received for them. */
function shareOfRow(history: History, { realisation, rowRealisations }: RealisationRequest, kind: MoneyKind): Facets {
  const { quantity, position } = realisation;
  const row = findRow(history, realisation);
  if (quantity === 0n || row === undefined || row.quantity === 0n) return {};
  if (!tradesUnits(row.kind)) return {};
  // What a row redeemed in several depositories was split between them before it was split between lots.
  if (rowRealisations.some((one) => one.position !== position)) return {};
  const total = explainRowMoney(history, position, { row, field: kind.isReference ? 'referenceCost' : 'cost' });
  const units = row.quantity < 0n ? -row.quantity : row.quantity;
  const before = rowRealisations.slice(0, rowRealisations.indexOf(realisation));
  return shareOf({ total, units, before }, quantity, kind);
}

function findRow({ facts }: History, { row, day }: PositionRealisation): LedgerTransaction | undefined {
  return facts.ledger.find({ row, day });
}

interface SharedAmount {
  readonly total: Figure;
  readonly units: Fixed;
  /** Realisations that already have their share; the rest is split between those that follow. */
  readonly before: readonly PositionRealisation[];
}

function shareOf({ total, units, before }: SharedAmount, quantity: Fixed, { field, unit }: MoneyKind): Facets {
  const whole = amountFigure('held-units', units, { unit: 'units' });
  const part = amountFigure('units', quantity, { unit: 'units' });
  if (before.length === 0) return { ...formula`${total} × ${part} ÷ ${whole}`, rounding: halfEven };
  const sharesBefore = before.map((one) => amountFigure(figureNames[field], one[field], { unit }));
  const unitsBefore = before.map((one) => amountFigure('units', one.quantity, { unit: 'units' }));
  const [rest, unitsLeft] = [subtraction(total, sharesBefore), subtraction(whole, unitsBefore)];
  return { ...formula`(${rest}) × ${part} ÷ (${unitsLeft})`, rounding: halfEven };
}

function subtraction(whole: Figure, parts: readonly Figure[]): Formula {
  return joinOperands([whole, ...parts], ' − ');
}

/** Splits the gain: the cost at the row's own rate, else at the rate that the proceeds imply. */
function costAtSaleRate(history: History, request: RealisationRequest): Figure {
  const { realisation } = request;
  const { cost, proceeds, referenceProceeds, costAtSaleRate: value, day } = realisation;
  const facets = { unit: history.facts.settings.referenceCurrency, day };
  const [own, referenceCost] = [moneyFigure('cost', history, request), moneyFigure('referenceCost', history, request)];
  const rate = saleRate(history, realisation);
  if (rate !== undefined) {
    return amountFigure('cost-at-sale-rate', value, { ...facets, ...formula`${own} × ${rate}`, rounding: halfEven });
  }
  if (proceeds === 0n || multiplyDivide(cost, referenceProceeds, proceeds) !== value) {
    return amountFigure('cost-at-sale-rate', value, { ...facets, ...formula`${referenceCost}` });
  }
  const paid = formula`${moneyFigure('referenceProceeds', history, request)} ÷ ${moneyFigure('proceeds', history, request)}`;
  return amountFigure('cost-at-sale-rate', value, { ...facets, ...formula`${own} × ${paid}`, rounding: halfEven });
}

/** Undefined if units matched that a row without a rate moved. */
function saleRate(history: History, realisation: PositionRealisation): Figure | undefined {
  const row = findRow(history, realisation);
  if (row === undefined || traitsOfKind(row.kind).units === 'delivered' || realisation.held.quantity < 0n)
    return undefined;
  const { rate, money } = explainReferenceMoney(row, history.currencyContext(realisation.position));
  return multiply(realisation.cost, money.rate) === realisation.costAtSaleRate ? rate : undefined;
}
