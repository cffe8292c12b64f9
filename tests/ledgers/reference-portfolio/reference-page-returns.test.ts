// Compares the page of the reference portfolio with its file: returns, contributions, private markets and limits are those that the
// engine is tested with.

import { describe, expect, test } from 'vitest';

import { fundMultiples, type FundTotals } from '../../../src/engine/private-markets/fund-performance.ts';
import { fromFixed, type Fixed } from '../../../src/kit/fixed.ts';
import { parseFigure } from '../../setup/reference-portfolio/markdown-tables.ts';
import {
  namedWindows,
  referencePortfolioPage,
  pageConventions,
  percentText,
  placesText,
  shownDecimals,
} from '../../setup/reference-portfolio/reference-page.ts';
import { instrumentNamed, resultOf, getTable } from '../../setup/reference-portfolio/reference-page.ts';
import {
  referenceAxes,
  conventions,
  readReferencePortfolio,
} from '../../setup/reference-portfolio/reference-portfolio.ts';
import type {
  ReferenceAxis,
  ConventionReports,
  TreeMembers,
  Tree,
} from '../../setup/reference-portfolio/reference-portfolio.ts';
import { fixed } from '../../setup/engine/valued-holding.ts';

const reference = readReferencePortfolio();
const windows = namedWindows(reference);
const reports = Object.values(reference.expected.byDate);
const feeTreatments = ['net', 'gross'] as const;

describe('the returns on the page', () => {
  test('are the same as in the file', () => {
    const { rows } = getTable('7. Return', 'window', 'convention');
    const stated = rows.flatMap(([name, convention, fees, cumulative, annualised, count, , , volatility]) =>
      fees!.split(' and ').map((one) => [name, convention, one, cumulative, annualised, count, volatility]),
    );
    const wanted = [...windows].flatMap(([name, window]) =>
      pageConventions.flatMap(([word, convention]) =>
        feeTreatments.map((fees) => {
          const { cumulative, annualised, weekdays, volatility } = window[convention][fees];
          const shown = [
            percentText(cumulative!),
            percentText(annualised!),
            String(weekdays),
            percentText(volatility!),
          ];
          return [name, word, fees, ...shown];
        }),
      ),
    );
    expect(stated).toEqual(wanted);
  });

  test.each(conventions)('have the maximum drawdown of the file, by the convention %s', (convention) => {
    const { rows } = getTable('7. Return', 'window', '', 'fall');
    const stated = rows.flatMap(([names, fees, fall, ...days]) =>
      names!.split(' and ').flatMap((name) => fees!.split(' and ').map((one) => [name, one, resultOf(fall!), ...days])),
    );
    const wanted = [...windows].flatMap(([name, window]) =>
      feeTreatments.map((fees) => {
        const { value, peak, trough, recovery } = window[convention][fees]['maximumDrawdown'] as TreeMembers;
        return [name, fees, percentText(value!), peak, trough, recovery ?? 'not yet'];
      }),
    );
    expect(stated.map(String).toSorted()).toEqual(wanted.map(String).toSorted());
  });

  test('that are money-weighted are the same as in the file', () => {
    const stated = [...referencePortfolioPage.matchAll(/^- (D\d|year): i = (.+?), for .+ days: (.+)$/gm)];
    const wanted = [...windows].map(([name, { moneyWeighted }]) => [
      name,
      percentText(moneyWeighted['rate']!),
      percentText(moneyWeighted['windowRate']!),
    ]);
    expect(stated.map(([, ...rates]) => rates)).toEqual(wanted);
  });

  test('are the totals of the contributions in the file', () => {
    const { rows } = getTable('8. Contributions', 'contribution');
    const segments = rows.slice(0, -1).map(([axis, name, ...cells]) => [axis, instrumentNamed(name!), ...cells]);
    const wanted = referenceAxes.flatMap((axis) =>
      Object.keys(windows.get('D4')!['json-api'].segments[axis]).map((name) => [
        axis,
        name,
        ...overWindows((one) => one.segments[axis][name]!['contribution']!),
      ]),
    );
    expect(segments).toEqual(wanted);
    expect(rows.at(-1)!.slice(2)).toEqual(overWindows((one) => one.net['cumulative']!));
  });

  test('of each segment are the same as in the file', () => {
    const { rows, headings: heads } = getTable('9. Return', 'JSON:API');
    const listed = rows.flatMap(([name, ...cells]) => cells.map((cell, index) => [name!, heads[index + 1]!, cell]));
    const [, section] = /## 9\.([^]*)## 10\./.exec(referencePortfolioPage)!;
    const worked = [...section!.matchAll(/^- (\w[\w ]*), (D\d)(?: and (D\d))?: .* − 1 = (.+ %)$/gm)].flatMap(
      ([, name, first, second, result]) => [first!, ...(second ? [second] : [])].map((at) => [name!, at, result!]),
    );
    expect([listed.length, worked.length]).toEqual([16, 29]);
    for (const [name, at, result] of [...listed, ...worked]) {
      const segments = windows.get(at!)!['json-api'].segments;
      const [axis, segment] = segmentNamed(name!);
      expect(`${name} ${at} ${result}`).toBe(`${name} ${at} ${percentText(segments[axis][segment]!['ownReturn']!)}`);
    }
  });
});

/** JSON:API and Plain in turn. */
function overWindows(figureIn: (one: ConventionReports) => Tree): readonly string[] {
  return [...windows.values()].flatMap((window) =>
    pageConventions.map(([, convention]) => percentText(figureIn(window[convention]))),
  );
}

/** `class Cash`, `reserve`, `cash USD`. */
function segmentNamed(name: string): [ReferenceAxis, string] {
  const [axis, ...rest] = name.split(' ');
  if (axis === 'class' || axis === 'depository') return [axis, rest.join(' ')];
  return [name === 'reserve' || name === 'growth' ? 'portfolio' : 'instrument', instrumentNamed(name)];
}

/** A row of the table of private markets: where the file has it. */
const privateRows: Readonly<Record<string, readonly ['fund' | 'reference', string, (value: Tree) => string]>> = {
  'paid-in, USD': ['fund', 'paidIn', String],
  'distributed, USD': ['fund', 'distributed', String],
  'recallable, USD': ['fund', 'recallable', String],
  'residual value, USD': ['fund', 'residual', String],
  'unfunded, USD': ['fund', 'unfunded', String],
  IRR: ['fund', 'irr', percentText],
  'KS-PME': ['fund', 'ksPme', placesText],
  'direct alpha, a year': ['fund', 'directAlpha', percentText],
  'direct alpha, continuous': ['fund', 'directAlphaContinuous', percentText],
  'paid-in, EUR': ['reference', 'paidIn', String],
  'distributed, EUR': ['reference', 'distributed', String],
  'residual value, EUR': ['reference', 'residual', String],
  'commitment, EUR': ['reference', 'commitment', String],
  'called, EUR': ['reference', 'called', String],
  'recallable, EUR': ['reference', 'recallable', String],
  'unfunded, EUR': ['reference', 'unfunded', String],
  'IRR, EUR': ['reference', 'irr', percentText],
};

describe('on the page', () => {
  const { rows } = getTable('10. Private markets', '', 'D1');

  test('private markets have the rows of the file', () => {
    const rowLabels = rows.map(([name]) => name!);
    expect(rowLabels.filter((name) => name.includes('PI'))).toEqual([
      'DPI',
      'RVPI',
      'TVPI',
      'DPI, EUR',
      'RVPI, EUR',
      'TVPI, EUR',
    ]);
    expect(rowLabels.filter((name) => !name.includes('PI'))).toEqual(Object.keys(privateRows));
  });

  test.each(rows.filter(([name]) => !name!.includes('PI')))(
    'the private fund has the %s of the file',
    (name, ...cells) => {
      const [part, member, text] = privateRows[name!]!;
      const stated = cells.map((cell) => (text === percentText ? resultOf(cell) : parseFigure(cell)));
      const wanted = reports.map(({ privateMarkets }) => (privateMarkets[part] as TreeMembers)[member]!);
      expect(stated).toEqual(wanted.map((value) => text(value)));
    },
  );

  test.each([
    ['fund', ''],
    ['reference', ', EUR'],
  ] as const)('the shown TVPI is the sum of the shown DPI and RVPI: %s', (part, currency) => {
    const stated = ['DPI', 'RVPI', 'TVPI'].map((name) => {
      const [, ...cells] = rows.find(([rowLabels]) => rowLabels === name + currency)!;
      return cells.map((cell) => parseFigure(cell));
    });
    const shown = reports.map(({ privateMarkets }) => {
      const { dpi, rvpi, tvpi } = fundMultiples(totalsOf(privateMarkets[part] as TreeMembers), shownDecimals);
      return [dpi, rvpi, tvpi].map((one) => (one === null ? 'null' : fromFixed(one)));
    });
    expect(stated).toEqual([0, 1, 2].map((index) => shown.map((one) => one[index])));
  });

  test('limits are compliant or breached as in the file', () => {
    const [share, shareHeadroom, cash, cashHeadroom] = getTable('11. Limits', '', 'D1').rows.map(
      ([, ...cells]) => cells,
    );
    const wanted = (id: string): readonly TreeMembers[] => reports.map(({ limits }) => limits[id] as TreeMembers);
    const [shares, cashes] = [wanted('private-share'), wanted('cash-amount')];
    expect(share!.map((cell) => resultOf(cell))).toEqual(shares.map(({ value }) => percentText(value!)));
    expect(shareHeadroom).toEqual(shares.map(({ headroom, state }) => `${percentText(headroom!)}, ${String(state)}`));
    expect(cash!.map((cell) => parseFigure(cell))).toEqual(cashes.map(({ value }) => value));
    expect(cashHeadroom!.map((cell) => `${parseFigure(cell)} ${cell.split(', ').at(-1)}`)).toEqual(
      cashes.map(({ headroom, state }) => `${String(headroom)} ${String(state)}`),
    );
  });
});

function totalsOf(file: TreeMembers): FundTotals {
  const amount = (name: string): Fixed => fixed(String(file[name]));
  return {
    paidIn: amount('paidIn'),
    distributed: amount('distributed'),
    recallable: amount('recallable'),
    residualValue: amount('residual'),
  };
}
