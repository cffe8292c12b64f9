// Renders the engine's findings for people: where, when, how much, and which transactions and uploads they concern.

import { leastOf } from '../../../kit/memory/long-list.ts';
import { defined } from '../../../kit/assert.ts';
import type { Day } from '../../../kit/day.ts';
import type { Finding } from '../../../engine/history/findings.ts';
import { holdings, lotSnapshotOf, openLotsOf, type Holding } from '../../../engine/history/holdings.ts';
import { unidentifiedInstrument, type PositionKey } from '../../../engine/ledger/position-key.ts';
import type { ValuationFinding } from '../../../engine/valuation/valuation.ts';
import { findingDefinitions, type FindingCode } from '../../../model/report/finding.ts';
import { positionIds } from '../lots.ts';
import type { ReportBasis } from '../report-basis.ts';
import { FindingExplainer } from './finding-drafts.ts';
import { FindingEffects } from './finding-effects.ts';
import { emptyFinding, type DraftedFinding, type FindingWithRows } from './finding-with-rows.ts';
import { UploadLookup } from './upload-lookup.ts';

type UnlikelyFigure = Extract<
  Finding,
  { kind: 'more-than-principal' | 'amount-far-from-price' | 'accrued-interest-differs' | 'unexplained-value-change' }
>;

interface FindingOptions {
  readonly day: Day;
  /** Whether amounts can be shown: if a rate is missing, no value is right. */
  readonly amounts: 'known' | 'unknown';
  /** The currency of their effects. */
  readonly currency: string;
}

export class FindingRenderer {
  readonly #basis: ReportBasis;
  readonly #options: FindingOptions;
  readonly #uploads: UploadLookup;
  readonly #explainer: FindingExplainer;
  readonly #effects: FindingEffects;
  #holdings: readonly Holding[] | undefined;

  constructor(basis: ReportBasis, options: FindingOptions) {
    this.#basis = basis;
    this.#options = options;
    this.#uploads = new UploadLookup(basis);
    this.#explainer = new FindingExplainer(basis, options.day);
    this.#effects = new FindingEffects(basis, options);
  }

  render(found: Finding): FindingWithRows {
    return { ...this.#describe(found), drafts: this.#explainer.draft(found) };
  }

  #describe(found: Finding): FindingWithRows {
    const { position } = found;
    switch (found.kind) {
      case 'about-value':
        return this.#valuationFinding(found.finding, position);
      case 'stale-value':
      case 'estimated-value':
        return { ...this.#findingAt(found.kind, position), date: found.day, ...this.#positionValue(position) };
      case 'settlement-not-booked':
      case 'stale-rate':
        return { ...this.#findingAt(found.kind, position), date: found.day };
      case 'short':
      case 'overdrawn':
      case 'unidentified':
        return { ...this.#findingAt(found.kind, position), quantity: found.quantity, ...this.#unidentifiedRows(found) };
      case 'fund-in-several-places':
      case 'fund-units-unclear':
        return this.#findingAt(found.kind, position);
      case 'more-than-principal':
      case 'amount-far-from-price':
      case 'accrued-interest-differs':
      case 'unexplained-value-change':
        return this.#unlikelyFigure(found);
      case 'settles-after-upload':
        return {
          ...this.#findingAt(found.kind, position),
          date: found.day,
          rows: [found.row],
          historicalHoldingIds: this.#uploadsBetween(position, found),
        };
      case 'implied-flow': {
        const { day: date, quantity } = found;
        return {
          ...this.#findingAt(found.kind, position),
          date,
          quantity,
          historicalHoldingIds: this.#uploadsOn(position, date),
        };
      }
      default:
        return {
          ...this.#findingAt(found.kind, position),
          date: found.day,
          quantity: found.quantity,
          rows: [found.row],
        };
    }
  }

  /** One for each pair, with all that is converted at it. */
  staleRates(found: readonly Finding[]): readonly FindingWithRows[] {
    const { history } = this.#basis;
    const stale = found
      .filter((one) => one.kind === 'stale-rate')
      .map((one) => ({ ...one, ...history.value(one.position, this.#options.day) }));
    return [...Map.groupBy(stale, ({ conversion }) => conversion.from)].map(([currency, group]) => {
      const amount = group.reduce((sum, { valuation }) => sum + valuation.value, 0n);
      const positions = group.map(({ position }) => position);
      return {
        ...emptyFinding,
        code: 'stale-rate',
        date: leastOf(group.map(({ day }) => day)),
        ...this.#money(amount, currency),
        currency,
        toCurrency: this.#basis.currency,
        drafts: this.#explainer.heldIn(positions, { amount, unit: currency }),
      };
    });
  }

  #unlikelyFigure(found: UnlikelyFigure): FindingWithRows {
    const { position } = found;
    const at = this.#findingAt(found.kind, position);
    switch (found.kind) {
      case 'more-than-principal': {
        const { currency } = this.#basis.history.instrument(position);
        return { ...at, quantity: found.quantity, ...this.#money(found.excess, currency) };
      }
      case 'amount-far-from-price': {
        const { day: date, quantity, amount, currency, row } = found;
        return { ...at, date, quantity, ...this.#money(amount, currency), rows: [row] };
      }
      case 'accrued-interest-differs': {
        const { day: date, quantity, stated, expected, accruedTo, convention: dayCount, row } = found;
        const { currency } = this.#basis.history.instrument(position);
        const sources = row === undefined ? { historicalHoldingIds: this.#uploadsOn(position, date) } : { rows: [row] };
        const money = this.#money(stated - expected.amount, currency);
        const accruedInterest =
          money.amount === null ? null : { stated, expected: expected.amount, accruedTo, dayCount };
        return { ...at, date, quantity, ...money, accruedInterest, ...sources };
      }
      case 'unexplained-value-change': {
        const { day: date, change, currency, trades } = found;
        const rows = trades.map(({ row }) => row);
        const [upload] = [date, date - 1].flatMap((day) => this.#uploadsOn(position, day));
        const historicalHoldingIds = upload === undefined ? [] : [upload];
        return { ...at, date, ...this.#money(change, currency), rows, historicalHoldingIds };
      }
    }
  }

  /** Transactions whose amount differs from what they state. */
  unexplainedDifferences(): readonly FindingWithRows[] {
    const { history, places } = this.#basis;
    return this.#basis.listUnexplained().flatMap(({ number, day, amount }) => {
      const row = history.facts.ledger.find({ row: number, day });
      if (row === undefined || row.instrument === null || day > this.#options.day) return [];
      const { account, depository, instrument, currency } = row;
      const position = history.table.positionNumber({ account, depository, instrument });
      if (!places.covers(history.key(position))) return [];
      const drafts = this.#explainer.unexplainedAmount(row, amount);
      const at = this.#findingAt('unexplained-difference', position);
      return [{ ...at, date: day, amount, currency, rows: [number], drafts }];
    });
  }

  #getHoldings(): readonly Holding[] {
    const { history, places } = this.#basis;
    return (this.#holdings ??= holdings(history, { day: this.#options.day, covers: places.covers }));
  }

  /** Open lots with an estimated cost, by position. */
  estimatedCosts(): readonly FindingWithRows[] {
    const { history } = this.#basis;
    const { day } = this.#options;
    return this.#getHoldings().flatMap((holding) => {
      if (!openLotsOf(history, holding, day).some(({ isEstimated }) => isEstimated)) return [];
      const lots = lotSnapshotOf(history, holding, day).lots.filter(({ isEstimated }) => isEstimated);
      const found = this.#findingAt('estimated-cost', holding.position);
      const quantity = lots.reduce((sum, lot) => sum + lot.quantity, 0n);
      const cost = lots.reduce((sum, lot) => sum + lot.cost, 0n);
      return [
        {
          ...found,
          date: defined(lots[0], 'only positions with estimated lots are listed').acquired,
          quantity,
          ...this.#money(cost, history.instrument(holding.position).currency),
          rows: lots.map(({ row }) => row),
          historicalHoldingIds: lots.flatMap(({ acquired }) => this.#uploadsOn(holding.position, acquired)),
          drafts: this.#explainer.estimatedCost(holding, lots),
        },
      ];
    });
  }

  /** Instruments that are held and have no class. Units without an instrument are a finding of their own. */
  unclassified(): readonly FindingWithRows[] {
    const { classes, currency } = this.#basis;
    const held = this.#getHoldings().filter(
      ({ instrument }) => instrument !== unidentifiedInstrument && classes.pathOf(instrument).length === 0,
    );
    return [...Map.groupBy(held, ({ instrument }) => instrument)].map(([instrumentId, group]) => ({
      ...emptyFinding,
      code: 'unclassified',
      instrumentId,
      quantity: group.reduce((sum, { quantity }) => sum + quantity, 0n),
      ...this.#money(
        group.reduce((sum, { marketValue }) => sum + marketValue, 0n),
        currency,
      ),
      drafts: this.#explainer.held(group),
    }));
  }

  /** Adds the ids of the transactions, the text of each code and what it could move. */
  toReported(found: readonly FindingWithRows[]): DraftedFinding[] {
    const ids = this.#basis.findTransactionIds(found.flatMap(({ rows }) => rows));
    return found.map((one) => {
      const { rows, code, transactionIds = [], ...rest } = one;
      const effect = this.#effects.effectOf(one);
      return {
        code,
        ...findingDefinitions[code],
        ...rest,
        effect: effect && effect.amount,
        drafts: { ...one.drafts, ...(effect && { effect: () => this.#explainer.effect(one, effect.explain()) }) },
        transactionIds: [...new Set([...transactionIds, ...rows.flatMap((row) => ids.get(row) ?? [])])],
      };
    });
  }

  #findingAt(code: FindingCode, position: number): FindingWithRows {
    return { ...emptyFinding, code, ...positionIds(this.#basis.history.key(position)) };
  }

  #valuationFinding(found: ValuationFinding, position: number): FindingWithRows {
    const at = this.#findingAt(found.kind, position);
    const { valuation } = this.#basis.history.value(position, this.#options.day);
    switch (found.kind) {
      case 'coupon-not-booked':
      case 'coupon-paid-early':
        return { ...at, date: found.couponDate, ...this.#money(found.amount, valuation.currency) };
      case 'matured':
        return { ...at, date: found.maturity };
      case 'paid-out-beyond-value':
        return { ...at, date: valuation.day, ...this.#money(found.amount, valuation.currency) };
      case 'index-factor-missing':
      case 'index-base-assumed':
        return { ...at, date: found.day };
      default:
        return at;
    }
  }

  #positionValue(position: number): Pick<FindingWithRows, 'amount' | 'currency'> {
    const { value, currency } = this.#basis.history.value(position, this.#options.day).valuation;
    return this.#money(value, currency);
  }

  #money(amount: bigint, currency: string): Pick<FindingWithRows, 'amount' | 'currency'> {
    return this.#options.amounts === 'known' ? { amount, currency } : { amount: null, currency: null };
  }

  /** A missing instrument is corrected where it was booked. */
  #unidentifiedRows({ kind, position }: Finding): Pick<FindingWithRows, 'rows'> {
    if (kind !== 'unidentified') return { rows: [] };
    const { rows, byPosition } = this.#basis.history;
    const rowsSoFar = Array.from(byPosition.rowsOf(position)).filter((row) => rows.days[row]! <= this.#options.day);
    return { rows: rowsSoFar.map((row) => rows.numbers[row]!) };
  }

  #uploadsOn(position: number, day: Day): readonly string[] {
    const key: PositionKey = this.#basis.history.key(position);
    const found = this.#uploads.find(key, day);
    return found === null ? [] : [found];
  }

  #uploadsBetween(position: number, { day, settlement }: { readonly day: Day; readonly settlement: Day }): string[] {
    const checkpoints = this.#basis.history.checkpoints.get(position) ?? [];
    return checkpoints
      .filter((upload) => day <= upload.day && upload.day < settlement)
      .flatMap((upload) => this.#uploadsOn(position, upload.day));
  }
}
