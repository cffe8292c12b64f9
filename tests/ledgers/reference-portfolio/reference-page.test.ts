// Compares the page of the reference portfolio with its file: facts, holdings, lots, gains and flows are those that the engine is
// tested with.

import { describe, expect, test } from 'vitest';

import { parseFigure } from '../../setup/reference-portfolio/markdown-tables.ts';
import { ReferenceDayReports } from '../../setup/reference-portfolio/reference-day-reports.ts';
import {
  pageAmountText,
  instrumentNamed,
  namedWindows,
  percentText,
  getTable,
  referencePortfolioPage,
} from '../../setup/reference-portfolio/reference-page.ts';
import {
  conventions,
  readReferencePortfolio,
  type TreeMembers,
} from '../../setup/reference-portfolio/reference-portfolio.ts';
import { ReferenceWorld } from '../../setup/reference-portfolio/reference-world.ts';

const reference = readReferencePortfolio();
const { facts, expected } = reference;
const { byDate, daily } = expected;
const dates = Object.keys(byDate);
const reports = Object.values(byDate);
const windows = namedWindows(reference);

const figuresOf = (cells: readonly string[]): readonly string[] => cells.map((cell) => parseFigure(cell));

describe('the facts on the page', () => {
  const { rows } = getTable('1. The facts', 'row', 'day');

  test('are the transactions of the file', () => {
    const stated = rows
      .filter(([row]) => row !== '')
      .map(([row, day, account, , amount]) => [row, day, account, amount]);
    const wanted = facts.transactions.map(({ row, day, account = 'all', amount }) => [
      String(row),
      day,
      account,
      amount === undefined ? '' : pageAmountText(amount),
    ]);
    expect(stated).toEqual(wanted);
  });

  test('lead to the cash that the engine computes for the end of each day', () => {
    const onDay = new ReferenceDayReports(new ReferenceWorld(facts));
    const closing = rows.filter(([, day], index) => rows[index + 1]?.[1] !== day);
    const stated = closing.map(([, day, , , , euro, dollar]) => [day, parseFigure(euro!), parseFigure(dollar!)]);
    expect(stated).toHaveLength(23);
    expect(stated).toEqual(closing.map(([, day]) => [day, onDay.cash('euro', day!), onDay.cash('dollar', day!)]));
  });

  test('are the instruments of the file, with their points', () => {
    const stated = new Map(
      getTable('1. The facts', 'instrument').rows.map(([name, ...cells]) => [instrumentNamed(name!), cells.join(' ')]),
    );
    const { levels: prices, ...index } = facts.index;
    const instruments = [...facts.instruments, { ...index, class: [''], prices, netAssetValues: [] }];
    for (const { id, currency, class: path, prices: points = [], netAssetValues = [] } of instruments) {
      expect(stated.get(id)).toContain(`, ${currency} ${path[0]}`);
      for (const [date, value] of [...points, ...netAssetValues]) {
        expect(stated.get(id)).toContain(`${priceText(value)} (${date})`);
      }
    }
  });

  test('are the rates of the file', () => {
    const [rate] = facts.rates;
    const stated = rate!.points.map(([date, value]) => `${pageAmountText(value)} (${date})`);
    expect(facts.rates).toHaveLength(1);
    expect(referencePortfolioPage).toContain(`One ${rate!.base} in ${rate!.quote}: ${stated.join(', ')}.`);
  });
});

const sources: Readonly<Record<string, string>> = {
  'last-trade': 'last trade',
  'net-asset-value': 'net asset value',
};

function valuationText({ source, date, stale, estimated }: TreeMembers): string {
  const words = [sources[String(source)] ?? source, ...(date === null ? [] : [date])].join(' ');
  return [words, ...(stale ? ['stale'] : []), ...(estimated ? ['estimated'] : [])].join(', ');
}

describe.each(dates)('the holdings on the page at the end of %s', (date) => {
  const { rows } = getTable(`D${dates.indexOf(date) + 1}, ${date}`, 'holding');
  const { holdings, totals } = byDate[date]!;

  test('are the same as in the file', () => {
    const stated = rows
      .slice(0, -1)
      .map(([name, where, ...cells]) => [instrumentNamed(name!), where, ...figuresOf(cells.slice(0, 5)), cells[5]]);
    const wanted = holdings.map(({ account, depository, instrument, valuation, ...one }) => {
      const where = depository === null ? account : `${account}, ${depository}`;
      const amounts = [one['marketValue'], one['accruedInterest'], one['cost'], one['unrealised']];
      return [instrument, where, one['units'], ...amounts, valuationText(valuation)];
    });
    expect(stated).toEqual(wanted);
  });

  test('add up to the totals of the file', () => {
    const { marketValue, accruedInterest, cost, unrealised } = totals;
    expect(figuresOf(rows.at(-1)!.slice(3, 7))).toEqual([marketValue, accruedInterest, cost, unrealised]);
  });
});

describe('on the page', () => {
  test('market values are divided as in the file', () => {
    const { rows } = getTable('D4', 'market value by');
    const stated = rows.flatMap(([axis, segment, ...cells]) =>
      figuresOf(cells).map((value, index) => `D${index + 1} ${axis} ${segment} ${value}`),
    );
    const wanted = reports.flatMap(({ marketValueBy }, index) =>
      ['class', 'depository', 'portfolio'].flatMap((axis) =>
        Object.entries(marketValueBy[axis] as TreeMembers).map(
          ([segment, value]) => `D${index + 1} ${axis} ${segment} ${String(value)}`,
        ),
      ),
    );
    expect(stated.filter((one) => !one.endsWith(' 0')).toSorted()).toEqual(wanted.toSorted());
  });

  test('the open lots are the same as in the file', () => {
    const { rows } = getTable('3. Lots', 'lot');
    const stated = rows.flatMap(([name, acquired, ...cells]) =>
      cells.flatMap((cell, index) => (cell === '—' ? [] : [`D${index + 1} ${name} ${acquired}: ${cell}`])),
    );
    const wanted = reports.flatMap(({ lots }, index) => lots.map((lot) => `D${index + 1} ${lotText(lot)}`));
    expect(stated.toSorted()).toEqual(wanted.toSorted());
  });

  test('the realised gains are the same as in the file, lot by lot', () => {
    const { rows } = getTable('4. Realised gains', 'row, day');
    const stated = rows.map(([row, , term, ...cells]) => [row, term, ...figuresOf(cells)]);
    const wanted = reports.at(-1)!.realisedGains.realisations.map((one) => {
      const { row, day, term, referenceProceeds, referenceCost, referenceGain, pricePart, currencyPart } = one;
      const amounts = [referenceProceeds, referenceCost, referenceGain, pricePart, currencyPart];
      return [`${String(row)}, ${String(day)}`, String(term).replace('_term', ''), ...amounts];
    });
    expect(stated).toEqual(wanted);
  });

  test('the totals of realised gains are the same as in the file', () => {
    const { rows } = getTable('4. Realised gains', 'since the beginning, up to');
    const wanted = reports.map(({ realisedGains: { short_term, long_term, total } }) => [
      short_term['gain'],
      long_term['gain'],
      total['pricePart'],
      total['currencyPart'],
      total['gain'],
    ]);
    expect(rows.map(([, ...cells]) => figuresOf(cells))).toEqual(wanted);
  });

  test('flows, income and fees are the same as in the file, each in its windows', () => {
    const { rows } = getTable('5. Flows', 'what', 'day');
    const stated = rows.flatMap(([, day, amount, windowText]) =>
      windowNames(windowText!).map((name) => `${name} ${day} ${parseFigure(amount!)}`),
    );
    const wanted = [...windows].flatMap(([name, { flows, income, fees }]) =>
      [...flows, ...income.rows, ...fees.rows].map(({ day, amount }) => `${name} ${String(day)} ${String(amount)}`),
    );
    expect(stated.toSorted()).toEqual(wanted.toSorted());
  });

  test('the start value, gain and end value of each window are the same as in the file', () => {
    const { rows } = getTable('5. Flows', 'window to');
    const wanted = [...windows].map(([name, { value, income, fees }]) => {
      const { begin, netFlow, gain, end } = value;
      return [name, begin, netFlow, gain, end, income.total, fees.total, fees.advisory];
    });
    expect(rows.map(([name, ...cells]) => [name, ...figuresOf(cells)])).toEqual(wanted);
  });

  test('each day is the same as in the file', () => {
    const { rows } = getTable('6. Day by day', 'day');
    const stated = rows.map(([day, , ...cells]) => [day, ...figuresOf(cells.slice(0, 3)), ...cells.slice(3)]);
    const wanted = daily.days.map((one) => {
      const ratios = conventions.map((convention) => percentText(one[convention]));
      return [one.day, one.before, one.flow, one.after, ...ratios];
    });
    expect(stated).toEqual(wanted);
  });
});

/** Without zeros at the end. */
function priceText(price: string): string {
  const [whole, fraction] = price.split('.');
  return [pageAmountText(whole!), ...(fraction === undefined ? [] : [fraction])].join('.');
}

function lotText({ account, instrument, acquired, units, cost, referenceCost, isEstimated }: TreeMembers): string {
  const isShare = instrument === 'share';
  const isForeign = isShare || instrument === 'meridian';
  const name = isShare ? `share (${String(account)})` : String(instrument).replace('meridian', 'Meridian');
  const costs = isForeign
    ? [`USD ${pageAmountText(cost!)}`, `EUR ${pageAmountText(referenceCost!)}`]
    : [pageAmountText(cost!)];
  return `${name} ${String(acquired)}${isEstimated ? ', estimated' : ''}: ${[pageAmountText(units!), ...costs].join('; ')}`;
}

/** `D2–D4`, `D4, year`. */
function windowNames(windowText: string): readonly string[] {
  const names = [...windows.keys()];
  return windowText.split(', ').flatMap((part) => {
    const [first, until = first] = part.split('–');
    return names.slice(names.indexOf(first!), names.indexOf(until!) + 1);
  });
}
