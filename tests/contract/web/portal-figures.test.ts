// The portal's pages of performance, private markets, income, realised gains and explanations: their figures are the API's, in the
// reader's language, as files too, and every figure leads to how it came about.

import { beforeAll, describe, expect, test } from 'vitest';
import { explainableFigures, figureDefinition } from '../../../src/model/report/explainable-figures.ts';
import { formatsOf } from '../../../src/surfaces/web/language/formats.ts';
import { germanFigureNames } from '../../../src/surfaces/web/portal/explain/figure-names.ts';
import { insertPerson, signIn, type SignedInCaller } from '../../setup/people/person-caller.ts';
import { ReferenceClient } from '../../setup/reference-portfolio/reference-client.ts';
import { readReferencePortfolio } from '../../setup/reference-portfolio/reference-portfolio.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';

const service = workspaceForThisFile();
const { facts } = readReferencePortfolio();
const [british, german] = [formatsOf('en-GB'), formatsOf('de')];
let client: ReferenceClient;
let advisor: SignedInCaller;
let viewer: SignedInCaller;
const window = 'start=2025-06-15&end=2025-09-30';
const shown = 'start=2025-06-15&as_of=2025-09-30';

beforeAll(async () => {
  client = await ReferenceClient.book(service.admin, facts);
  const person = async (role: 'viewer' | 'advisor'): Promise<SignedInCaller> => {
    const membership = { client: client.id('client'), role, grants: [client.id('all')] };
    return signIn(service, await insertPerson(service, { memberships: [membership] }));
  };
  [viewer, advisor] = [await person('viewer'), await person('advisor')];
});

async function api(path: string, query: string): Promise<any> {
  const reply = await service.admin.get(`/v1/${path}?reporting_entity_id=${client.id('all')}&${query}`);
  if (reply.status !== 200) throw new Error(`${path} ${query}: ${reply.status} ${reply.text}`);
  return reply.body;
}

interface ReadPage {
  readonly status: number;
  readonly heading: string;
  readonly text: string;
  readonly cells: readonly string[];
  /** The figures that are links to explanations, with their addresses. */
  readonly figures: readonly { readonly text: string; readonly href: string }[];
}

const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/[\s\u00A0]+/g, ' ')
    .trim();

async function open(path: string, person = advisor, language = 'en-GB'): Promise<ReadPage> {
  const url = path.startsWith('/') ? path : `/entities/${client.id('all')}/${path}`;
  const { status, text } = await person.send(url, { headers: { 'accept-language': language } });
  const [, heading = ''] = /<h1>(.*?)<\/h1>/s.exec(text) ?? [];
  const links = [...text.matchAll(/<a class="figure-link"\s+href="([^"]*)"\s*>(.*?)<\/a\s*>/gs)];
  return {
    status,
    heading: plain(heading),
    text: plain(text.replace(/<details class="card api".*/s, '')),
    cells: [...text.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell = '']) => plain(cell)),
    figures: links.map(([, href = '', figure = '']) => ({ href: href.replaceAll('&amp;', '&'), text: plain(figure) })),
  };
}

const anyId = /\b[0-9a-f]{24}\b/;

/** Money as its currency writes it, and ratios as one of the two ways to write them. */
function headingOf({ value, unit }: { value: string | null; unit?: string }, heading: string): string {
  if (value === null) return 'No value';
  if (unit !== undefined) return spaced(british.moneyWithCode(value, unit));
  const written = [british.percent(value), british.share(value, 2), british.upTo(value, 6)];
  return written.find((one) => one === heading) ?? written.join(' or ');
}

const spaced = (text: string): string => text.replaceAll('\u00A0', ' ');

test('performance shows what the API answers, to the last shown digit, in both languages', async () => {
  const { data, currency } = await api('performance', `${window}&by=class&detail=summary&every=month,year`);
  const [whole, ...classes] = data;
  for (const [language, formats] of [
    ['en-GB', british],
    ['de', german],
  ] as const) {
    const page = await open(`performance?${shown}`, advisor, language);
    expect(page.status).toBe(200);
    const amounts = [whole.gain, whole.gain_price_part, whole.gain_income_part, whole.gain_currency_part];
    const ratios = [whole.twr, whole.money_weighted_return, ...whole.periods.map(({ twr }: any) => twr)];
    const expected = [
      ...amounts.map((amount) => formats.signedMoney(amount, currency)),
      ...ratios.map((ratio) => formats.percent(ratio)),
      formats.money(whole.end_market_value, currency),
      formats.share(whole.max_drawdown, 2),
      ...classes.flatMap((one: any) => [formats.percent(one.contribution), formats.signedMoney(one.gain, currency)]),
    ];
    for (const figure of expected) expect(page.text).toContain(spaced(figure));
    expect(page.heading).toBe(language === 'de' ? 'Wertentwicklung · All' : 'Performance · All');
  }
});

test.each(['class', 'portfolio', 'depository', 'instrument', 'currency'])(
  'contributions by %s are a file with the exact values of the API',
  async (axis) => {
    const { data } = await api('performance', `${window}&by=${axis}&detail=summary`);
    const url = `/entities/${client.id('all')}/performance?${shown}&by=${axis}&table=contribution-by-${axis}&format=csv`;
    const lines = (await advisor.get(url)).text.trim().split('\r\n').slice(1);
    expect(lines).toHaveLength(data.length);
    for (const { contribution, gain, end_market_value: value } of data) {
      expect(
        lines.filter((line) => line.includes(`,${contribution},`) && line.endsWith(`,${gain},${value}`)),
      ).not.toEqual([]);
    }
  },
);

test('the sentence on the two returns follows from their order', async () => {
  const { data } = await api('performance', 'start=2025-01-01&end=2026-09-30&detail=summary');
  const [{ twr, money_weighted_return: money }] = data;
  const { text } = await open('performance?start=2025-01-01&as_of=2026-09-30');
  expect(british.percent(twr)).not.toBe(british.percent(money));
  expect(text).toContain(`The money-weighted return is ${Number(money) > Number(twr) ? 'higher' : 'lower'}:`);
});

test('a year or more has its yearly return, less has none', async () => {
  const { data } = await api('performance', 'start=2025-09-20&end=2026-09-30&detail=summary');
  const yearly = spaced(`${british.percent(data[0].annualised_twr)} a year`);
  expect((await open('performance?start=2025-09-20&as_of=2026-09-30')).text).toContain(yearly);
  expect((await open(`performance?${shown}`)).text).not.toContain('a year;');
});

test('private markets show promises, payments, values and the curve of each year', async () => {
  const { data } = await api('performance/private-markets', 'as_of=2026-09-30&every=year');
  const page = await open('private-markets?as_of=2026-09-30');
  const values = page.cells.map((cell) => cell.replace(/ stated on .*/, ''));
  for (const { currency, commitment, cashflow, nav, multiplier, irr, periods } of data) {
    const amounts = [commitment?.total, commitment?.uncalled, cashflow.drawdowns, cashflow.distributions, nav];
    for (const amount of amounts) expect(values).toContain(british.money(amount ?? null, currency));
    expect(page.cells).toContain(british.number(multiplier.tvpi));
    expect(page.cells).toContain(british.percent(irr));
    expect(periods.length).toBeGreaterThan(0);
  }
  for (const { net_cash_flow: net } of data[0].periods) expect(page.cells).toContain(british.money(net));
  expect(page.text).not.toMatch(anyId);
});

test('income is shown by month, year and investment', async () => {
  const { data } = await api('performance', `${window}&by=instrument&detail=summary&every=month,year`);
  const page = await open(`income?${shown}`);
  for (const { income } of data[0].periods) expect(page.cells).toContain(british.money(income));
  for (const { income, segment_name: name } of data.slice(1)) {
    if (Number(income) === 0) continue;
    expect(page.cells).toContain(name);
    expect(page.cells).toContain(british.money(income));
  }
});

test('realised gains are shown by term, year, investment and lot; all lots are a file', async () => {
  const all = await api('realised-gains', 'from=2025-01-01&to=2026-09-30&by=instrument&limit=100');
  const page = await open('realised-gains?start=2025-01-01&as_of=2026-09-30');
  expect(all.data.length).toBeGreaterThan(1);
  for (const term of ['short_term', 'long_term', 'total']) {
    expect(page.text).toContain(spaced(british.signedMoney(all.totals[term].gain, all.currency)));
  }
  for (const { gain } of all.data) expect(page.cells).toContain(british.signedMoney(gain, all.currency));
  for (const year of ['2025', '2026']) {
    const { totals } = await api(
      'realised-gains',
      `from=${year}-01-01&to=${year === '2025' ? '2025-12-31' : '2026-09-30'}`,
    );
    expect(page.cells.slice(page.cells.indexOf(year) + 1)[0]).toBe(
      british.signedMoney(totals.total.gain, all.currency),
    );
  }
  const file = await advisor.get(
    `/entities/${client.id('all')}/realised-gains?start=2025-01-01&as_of=2026-09-30&table=realised-lots&format=csv`,
  );
  expect(file.text.trim().split('\r\n')).toHaveLength(all.data.length + 1);
});

describe('an explanation', () => {
  /** What a figure needs besides its day or window. */
  function question(figure: (typeof explainableFigures)[number]): string {
    const { parameters, requiredParameter: needs } = figureDefinition(figure);
    const name = figure.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const when = parameters.includes('start') ? 'start=2025-01-01&end=2026-09-30' : 'as_of=2026-09-30';
    const place = ['quantity', 'realised_quantity', 'valuation'].includes(name)
      ? `&instrument_id=${facts.instruments[0]!.id}`
      : '';
    return needs === undefined ? `figure=${name}&${when}${place}` : '';
  }

  test('of every figure shows its value as the API answers it', async () => {
    const questions = explainableFigures.map(question).filter((one) => one !== '' && !one.includes('instrument_id'));
    expect(questions.length).toBeGreaterThan(35);
    for (const one of questions) {
      const { explanation } = await api('explain', `${one}&depth=0`);
      const page = await open(`explain?${one}`);
      expect([one, page.status]).toEqual([one, 200]);
      const { value, unit } = explanation;
      expect([one, page.heading]).toEqual([one, headingOf({ value, unit }, page.heading)]);
      expect(page.text).not.toMatch(anyId);
    }
  });

  test('leads from every figure to its own explanation, down to bookings and prices', async () => {
    const start = `/entities/${client.id('all')}/explain?figure=cumulative_twr&${window}`;
    const waiting: { href: string; text?: string }[] = [{ href: start }];
    const seen = new Set<string>();
    const kinds = new Set<string>();
    while (waiting.length > 0 && seen.size < 60) {
      const { href, text } = waiting.pop()!;
      if (seen.has(href)) continue;
      seen.add(href);
      const page = await open(href);
      expect([href, page.status]).toEqual([href, 200]);
      const amount = (figure: string): string => figure.replaceAll(/[A-Z]{3} ?|^\+/g, '');
      expect([href, amount(page.heading)]).toEqual([href, amount(text ?? page.heading)]);
      for (const kind of ['A booking', 'A value of a time series', 'An exchange rate']) {
        if (page.text.includes(kind)) kinds.add(kind);
      }
      waiting.push(...page.figures.slice(0, 2), ...page.figures.slice(-3));
    }
    expect([...kinds].toSorted()).toEqual(['A booking', 'A value of a time series', 'An exchange rate']);
  });

  test('says who booked what, since when it is known, and where a price comes from', async () => {
    const { explanation } = await api('explain', `figure=income&${window}`);
    const path: number[] = [];
    for (let figure = explanation; figure.of !== undefined; figure = figure.of[0]) path.push(0);
    const page = await open(`explain?figure=income&${window}&at=${path.join('.')}`);
    const { body: me } = await service.admin.get('/v1/me');
    const { body: application } = await service.admin.get(`/v1/applications/${me.credential_id}`);
    expect(page.text).toContain(`Booked by ${application.name}`);
    expect(page.text).toContain('Known since');
  });

  test('has a German name for every figure of every tree', async () => {
    const names = new Set<string>();
    const collect = ({ name, of = [] }: any): void => {
      names.add(name);
      for (const part of of) collect(part);
    };
    for (const figure of explainableFigures) {
      const one = question(figure);
      if (one !== '' && !one.includes('instrument_id')) collect((await api('explain', `${one}&depth=12`)).explanation);
    }
    expect([...names].filter((name) => germanFigureNames[name] === undefined)).toEqual([]);
    const page = await open(`explain?figure=cumulative_twr&${window}`, advisor, 'de');
    expect(page.text).toContain('Zeitgewichtete Rendite');
    expect(page.text).toContain('Tag für Tag');
  });

  test('of a part that is not there is a page that says so', async () => {
    expect((await open(`explain?figure=gain&${window}&at=9.9`)).status).toBe(404);
    expect((await open(`explain?figure=gain&${window}&at=x`)).status).toBe(404);
    expect((await open(`explain?figure=nothing`)).status).toBe(400);
  });

  test('is not for viewers, whose pages have no links to it', async () => {
    expect((await open(`explain?figure=gain&${window}`, viewer)).status).toBe(403);
    for (const page of ['performance', 'private-markets', 'income', 'report']) {
      const { status, figures } = await open(`${page}?${shown}`, viewer);
      expect([page, status, figures]).toEqual([page, 200, []]);
    }
    expect((await open(`performance?${shown}`)).figures.length).toBeGreaterThan(10);
  });
});

test('the report has overview, holdings, performance, private markets and notes, with the figures of the API', async () => {
  const { data, currency } = await api('performance', `${window}&detail=summary`);
  const page = await open(`report?${shown}`);
  const holdings = await api('holdings', 'as_of=2025-09-30&by=instrument&limit=100');
  expect(page.status).toBe(200);
  for (const title of ['Overview', 'Holdings', 'Performance', 'Private markets', 'Notes']) {
    expect(page.text).toContain(title);
  }
  expect(page.text).toContain(british.money(data[0].end_market_value, currency));
  for (const { market_value: value } of holdings.data) {
    expect(page.cells.some((cell) => cell.startsWith(british.money(value, currency)))).toBe(true);
  }
  expect((await open(`report?${shown}`, advisor, 'de')).text).toContain('Bestände');
});
