// Checks laws that hold for every history, with randomly generated facts.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  allEvents,
  eventWith,
  factsOfTransactions,
  firstEventDay,
  lastEventDay,
  withRowNumbers,
  plainEvents,
  tradeEvent,
  generatedMarket,
  type UnnumberedTransaction,
  type GeneratedMarket,
} from '../../../tests/setup/engine/generated-facts.ts';
import { magnitude, type Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import { convertedAmount } from '../currencies/exchange-rates.ts';
import { History } from './history.ts';
import { holdings, lotSnapshotOf } from './holdings.ts';
import { Ledger } from '../ledger/ledger.ts';
import type { CostMethod } from '../lots/lot.ts';
import { performance, type PerformanceRequest } from '../returns/performance/performance.ts';
import { cashInstrument, findSyntheticInstrument } from '../ledger/position-key.ts';
import { realisedGains } from './realised-gains.ts';
import { Series } from '../amounts/series.ts';
import type { LedgerTransaction } from '../ledger/transaction.ts';

const covers = () => true;
const runs = { numRuns: 100 };
const days = fc.array(fc.integer({ min: firstEventDay - 1, max: lastEventDay + 3 }), { minLength: 1, maxLength: 5 });

function historyOf(some: GeneratedMarket, events: readonly UnnumberedTransaction[], method?: CostMethod): History {
  return new History(factsOfTransactions(some, withRowNumbers(events), method));
}

function total(amounts: Iterable<Fixed>): Fixed {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return sum;
}

/** The whole report of a day as text. */
function reportOn(history: History, day: Day): string {
  const lines = holdings(history, { day, covers }).map((holding) => ({
    ...holding,
    position: undefined,
    lots: lotSnapshotOf(history, holding, day).lots.map((lot) => ({ ...lot, row: undefined })),
  }));
  return JSON.stringify(lines, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
}

function until(series: Series, day: Day): Series {
  const points = Array.from({ length: series.length }, (_, index) => series.at(index));
  return new Series(points.filter((point) => point.day <= day));
}

const request: PerformanceRequest<'instruments' | 'depositories'> = {
  window: { start: firstEventDay, end: lastEventDay },
  method: 'start-end-of-day',
  axes: ['instruments', 'depositories'],
  covers,
  fees: 'net',
  segmentsOf: ({ instrument, depository }) => ({ instruments: [instrument], depositories: [depository ?? 'none'] }),
};

describe('lots', () => {
  test('add up to the units and the cost of their position on every day, under every method', () => {
    const method = fc.constantFrom<CostMethod>('FIFO', 'AVERAGE', 'SPECIFIC_ID');
    fc.assert(
      fc.property(generatedMarket, allEvents, method, days, (some, events, by, requested) => {
        const history = historyOf(some, events, by);
        for (const day of requested) {
          for (const holding of holdings(history, { day, covers })) {
            if (findSyntheticInstrument(holding.instrument) !== undefined) continue;
            const { lots } = lotSnapshotOf(history, holding, day);
            expect(total(lots.map(({ quantity }) => quantity))).toBe(holding.quantity);
            expect(total(lots.map(({ cost }) => cost))).toBe(holding.cost);
            expect(total(lots.map(({ referenceCost }) => referenceCost))).toBe(holding.referenceCost);
          }
        }
      }),
      runs,
    );
  });

  test('are sold oldest first if sales name none: SPECIFIC_ID then equals FIFO, lot by lot', () => {
    fc.assert(
      fc.property(generatedMarket, fc.array(tradeEvent, { maxLength: 40 }), days, (some, events, requested) => {
        const [fifo, named] = [historyOf(some, events, 'FIFO'), historyOf(some, events, 'SPECIFIC_ID')];
        for (const day of requested) expect(reportOn(fifo, day)).toBe(reportOn(named, day));
      }),
      runs,
    );
  });

  test('give the same realised and unrealised gain in total under FIFO, AVERAGE and SPECIFIC_ID', () => {
    fc.assert(
      fc.property(generatedMarket, fc.array(tradeEvent, { maxLength: 30 }), (some, events) => {
        const totals = (['FIFO', 'AVERAGE', 'SPECIFIC_ID'] as const).map((method) => {
          const history = historyOf(some, events, method);
          const realised = realisedGains(history, { from: firstEventDay, to: lastEventDay, covers });
          const open = holdings(history, { day: lastEventDay, covers });
          return (
            total(realised.map(({ referenceGain }) => referenceGain)) + total(open.map(({ unrealised }) => unrealised))
          );
        });
        expect(new Set(totals).size).toBe(1);
      }),
      runs,
    );
  });
});

/** What is held on a day, without how it came about. */
function figuresOn(history: History, day: Day) {
  return holdings(history, { day, covers }).map((holding) => ({
    place: [holding.account, holding.depository, holding.instrument],
    units: holding.quantity,
    value: [holding.marketValue, holding.valuation.accrued],
    cost: [holding.cost, holding.referenceCost, holding.unrealised],
    lots: lotSnapshotOf(history, holding, day).lots.map((lot) => ({ ...lot, row: undefined })),
  }));
}

/** The same row the other way round, as it is booked when the first is taken back. */
function reversalOf(event: UnnumberedTransaction): UnnumberedTransaction {
  const { amount, value, details } = event;
  if (details?.withholding === undefined) return { ...event, amount: -amount, value: -value };
  return { ...event, amount: -amount, value: -value, details: { ...details, withholding: -details.withholding } };
}

const reversible: ReadonlySet<LedgerTransaction['kind']> = new Set([
  'dividend',
  'coupon',
  'interest',
  'fee',
  'capital-call',
  'distribution',
]);

describe('a row and its reversal on the same day', () => {
  test('leave every holding, return and gain as without both', () => {
    fc.assert(
      fc.property(generatedMarket, allEvents, allEvents, days, (some, events, more, requested) => {
        const taken = more.filter(({ kind, quantity }) => reversible.has(kind) && quantity === 0n);
        const [plain, reversed] = [events, [...events, ...taken, ...taken.map(reversalOf)]].map((all) =>
          historyOf(some, all),
        );
        for (const day of requested) expect(figuresOn(reversed!, day)).toEqual(figuresOn(plain!, day));
        const [before, after] = [plain!, reversed!].map((history) => performance(history, request).whole);
        for (let index = 0; index <= lastEventDay - firstEventDay + 1; index++) {
          expect(after!.values.at(index)).toBe(before!.values.at(index));
          expect(after!.flows.at(index)).toBe(before!.flows.at(index));
          expect(after!.income.at(index)).toBe(before!.income.at(index));
          expect(after!.fees.at(index)).toBe(before!.fees.at(index));
        }
      }),
      runs,
    );
  });
});

describe('money', () => {
  test('is conserved: the balances of a currency equal the sum of its rows', () => {
    fc.assert(
      fc.property(generatedMarket, allEvents, (some, events) => {
        const history = historyOf(some, events);
        for (const currency of ['EUR', 'USD']) {
          const balances = holdings(history, { day: lastEventDay, covers })
            .filter(({ instrument }) => instrument === cashInstrument(currency))
            .map(({ quantity }) => quantity);
          const brought = events.flatMap(({ amount, currency: own, details }) => [
            own === currency ? amount : 0n,
            details?.counterCash?.currency === currency ? details.counterCash.amount : 0n,
          ]);
          expect(total(balances)).toBe(total(brought));
        }
      }),
      runs,
    );
  });

  test('that flows into the whole comes from outside, at the rate of its day', () => {
    fc.assert(
      fc.property(generatedMarket, plainEvents, (some, events) => {
        const history = historyOf(some, events);
        const { whole } = performance(history, request);
        for (let day = firstEventDay; day <= lastEventDay; day++) {
          const outside = events.filter(
            (one) => one.day === day && one.kind === 'flow' && one.details?.counterCash === undefined,
          );
          const worth = outside.map(({ amount, currency }) =>
            convertedAmount(amount, some.rates.get({ from: currency, to: 'EUR', day })),
          );
          expect(whole.flows.at(day - firstEventDay + 1)).toBe(total(worth));
        }
      }),
      runs,
    );
  });
});

describe('replaying', () => {
  test('gives the same bytes in whatever order the days are reported', () => {
    fc.assert(
      fc.property(generatedMarket, allEvents, days, (some, events, requested) => {
        const one = historyOf(some, events);
        const forward = new Map(requested.toSorted((a, b) => a - b).map((day) => [day, reportOn(one, day)]));
        const other = historyOf(some, events);
        for (const day of requested) expect(reportOn(other, day)).toBe(forward.get(day));
        for (const day of requested) expect(reportOn(historyOf(some, events), day)).toBe(forward.get(day));
      }),
      runs,
    );
  });

  test('gives the same bytes in any booking order of facts that do not compete for a lot', () => {
    const apart = allEvents.map((events) => {
      const seen = new Set<Day>();
      return events.filter(({ day, instrument }) => {
        if (instrument === null) return true;
        if (seen.has(day)) return false;
        seen.add(day);
        return true;
      });
    });
    const shuffled = apart.chain((events) =>
      fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })),
    );
    fc.assert(
      fc.property(generatedMarket, shuffled, (some, [events, others]) => {
        const [one, other] = [historyOf(some, events), historyOf(some, others)];
        for (const day of [firstEventDay + 20, lastEventDay]) expect(reportOn(other, day)).toBe(reportOn(one, day));
      }),
      runs,
    );
  });

  test('a ledger built row by row equals the ledger built at once', () => {
    fc.assert(
      fc.property(generatedMarket, allEvents, (some, events) => {
        const rows = withRowNumbers(events);
        const grown = rows.reduce((ledger, row) => ledger.add(row), Ledger.from([]));
        const facts = { ...factsOfTransactions(some, []), ledger: grown };
        expect(reportOn(new History(facts), lastEventDay)).toBe(reportOn(historyOf(some, events), lastEventDay));
      }),
      runs,
    );
  });
});

describe('returns', () => {
  test('the value of every day equals the value of the holdings on that day', () => {
    fc.assert(
      fc.property(generatedMarket, allEvents, days, (some, events, requested) => {
        const history = historyOf(some, events);
        const { whole } = performance(history, request);
        for (const day of requested.filter((one) => one <= lastEventDay)) {
          const held = holdings(history, { day, covers }).map(({ marketValue }) => marketValue);
          expect(whole.values.at(day - firstEventDay + 1)).toBe(total(held));
        }
      }),
      runs,
    );
  });

  test('contributions of an axis that partitions the whole add up to its return, and gains to its gain', () => {
    fc.assert(
      fc.property(
        generatedMarket,
        allEvents,
        fc.constantFrom('start-end-of-day', 'modified-dietz'),
        (some, events, method) => {
          const { whole, axes } = performance(historyOf(some, events), { ...request, method } as typeof request);
          for (const segments of Object.values(axes)) {
            const parts = [...segments.values()];
            const terms = parts.flatMap((part) => [...part.contributionTerms()]);
            const size = terms.reduce((sum, term) => sum + Math.abs(term), 0);
            const sum = parts.reduce((before, { contribution }) => before + (contribution ?? 0), 0);
            expect(parts.every(({ contribution }) => (contribution === null) === (whole.contribution === null))).toBe(
              true,
            );
            expect(Math.abs(sum - (whole.path.cumulativeReturn ?? 0))).toBeLessThanOrEqual(1e-12 * (1 + size));
            expect(total(parts.map((part) => part.totals().gain))).toBe(whole.totals().gain);
            expect(total(parts.map((part) => part.totals().flow))).toBe(whole.totals().flow);
          }
        },
      ),
      runs,
    );
  });

  test('ten times the money gives ten times the value and the same return', () => {
    const scaled = (row: LedgerTransaction): LedgerTransaction => ({
      ...row,
      quantity: row.quantity * 10n,
      amount: row.amount * 10n,
      value: row.value * 10n,
      details: row.details && {
        ...row.details,
        ...(row.details.accrued !== undefined && { accrued: row.details.accrued * 10n }),
        ...(row.details.counterCash && {
          counterCash: { ...row.details.counterCash, amount: row.details.counterCash.amount * 10n },
        }),
      },
    });
    fc.assert(
      fc.property(generatedMarket, plainEvents, (some, events) => {
        const rows = withRowNumbers(events);
        const one = performance(new History(factsOfTransactions(some, rows)), request);
        const ten = performance(new History(factsOfTransactions(some, rows.map(scaled))), request);
        const slack = BigInt(10 * (rows.length + 1));
        for (let index = 0; index < one.whole.values.length; index++) {
          const off = ten.whole.values.at(index) - 10n * one.whole.values.at(index);
          expect(magnitude(off) <= slack).toBe(true);
        }
        expect(ten.whole.path.noReturn).toBe(one.whole.path.noReturn);
        expect(ten.whole.path.cumulativeReturn ?? 0).toBeCloseTo(one.whole.path.cumulativeReturn ?? 0, 9);
      }),
      runs,
    );
  });

  test('a report in another currency is the report with every day converted at its rate', () => {
    fc.assert(
      fc.property(generatedMarket, allEvents, (some, events) => {
        const history = historyOf(some, events);
        const own = performance(history, request);
        const other = performance(history, { ...request, currency: 'CHF' });
        for (const [key, segment] of own.axes.instruments) {
          const positions = own.positions.filter((position) => history.key(position).instrument === key);
          if (positions.length > 1) continue; // several are rounded one by one
          for (let index = 0; index < segment.values.length; index++) {
            const conversion = some.rates.get({ from: 'EUR', to: 'CHF', day: firstEventDay - 1 + index });
            const converted = other.axes.instruments.get(key)!;
            expect(converted.values.at(index)).toBe(convertedAmount(segment.values.at(index), conversion));
            expect(converted.flows.at(index)).toBe(convertedAmount(segment.flows.at(index), conversion));
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  test('a split does not change the value of any day', () => {
    const ratio = fc.record({ numerator: fc.bigInt(1n, 7n), denominator: fc.bigInt(1n, 1n) });
    fc.assert(
      fc.property(generatedMarket, plainEvents, ratio, (some, events, by) => {
        const day = lastEventDay - 5;
        const before = events.filter((one) => one.instrument !== 'gamma' || one.day < day);
        const quiet = new Map(some.instruments);
        const gamma = quiet.get('gamma')!;
        quiet.set('gamma', { ...gamma, prices: until(gamma.prices, day - 1) });
        const details = { action: { action: 'split', ratio: by } } as const;
        const split = eventWith({ kind: 'corporate-action', day, account: null, instrument: 'gamma', details });
        const plain = new History(factsOfTransactions({ ...some, instruments: quiet }, withRowNumbers(before)));
        const divided = new History(
          factsOfTransactions({ ...some, instruments: quiet }, withRowNumbers([...before, split])),
        );
        const [one, other] = [performance(plain, request), performance(divided, request)];
        for (let index = 0; index < one.whole.values.length; index++) {
          expect(magnitude(other.whole.values.at(index) - one.whole.values.at(index)) <= 20n).toBe(true);
          expect(other.whole.flows.at(index)).toBe(one.whole.flows.at(index));
        }
      }),
      runs,
    );
  });
});

test('the generated facts cover shorts, overdrafts, both currencies and all depositories', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(generatedMarket, allEvents, (some, events) => {
      for (const holding of holdings(historyOf(some, events), { day: lastEventDay, covers })) {
        if (holding.isOverdrawn) seen.add('overdraft');
        if (holding.quantity < 0n && !holding.isOverdrawn) seen.add('short');
        seen.add(holding.instrument);
        seen.add(holding.depository ?? 'no depository');
      }
    }),
    { ...runs, seed: 1 },
  );
  expect([...seen].toSorted()).toEqual(
    expect.arrayContaining([
      'overdraft',
      'short',
      cashInstrument('EUR'),
      cashInstrument('USD'),
      'north',
      'south',
      'private',
      'gamma',
    ]),
  );
});
