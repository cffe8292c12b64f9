// The steps of an explanation: pages of sixty that lead to each other, each with the table of the figure, and figures in German words.

import { beforeAll, describe, expect, test } from 'vitest';
import { plainText, tableCells } from '../../../setup/people/page-text.ts';
import { insertPerson, signIn, type SignedInCaller } from '../../../setup/people/person-caller.ts';
import { ReferenceClient } from '../../../setup/reference-portfolio/reference-client.ts';
import { readReferencePortfolio } from '../../../setup/reference-portfolio/reference-portfolio.ts';
import { workspaceForThisFile } from '../../../setup/node/test-service.ts';

const service = workspaceForThisFile();
let advisor: SignedInCaller;
let entity: string;

beforeAll(async () => {
  const client = await ReferenceClient.book(service.admin, readReferencePortfolio().facts);
  entity = client.id('all');
  const membership = { client: client.id('client'), role: 'advisor', grants: [entity] } as const;
  advisor = await signIn(service, await insertPerson(service, { memberships: [membership] }));
});

const open = (query: string, language = 'en-GB') =>
  advisor.get(`/entities/${entity}/explain?${query}`, { 'accept-language': language });

describe('the days of a return', () => {
  const question = 'figure=cumulative_twr&start=2025-01-01&end=2026-09-30';
  let days: number;
  beforeAll(async () => {
    const { body } = await service.admin.get(`/v1/explain?reporting_entity_id=${entity}&${question}&depth=1`);
    days = body.explanation.of.length;
  });

  async function shown(step: string): Promise<unknown> {
    const reply = await open(`${question}${step}`);
    const [, pager = ''] = /<nav class="pager".*?>(.*?)<\/nav>/s.exec(reply.text) ?? [];
    const cells = tableCells(reply, 'steps');
    return {
      rows: cells.length,
      width: new Set(cells.map((row) => row.length)),
      said: plainText(pager),
      steps: [...pager.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => /step=([^&]*)/.exec(href)?.[1] ?? ''),
    };
  }

  test('begin with the last sixty; each page leads to the newer and the older ones', async () => {
    expect(days).toBeGreaterThan(130);
    const width = new Set([6]);
    const first = { rows: 60, width, said: `1 to 60 of ${days} Older steps`, steps: ['60'] };
    for (const step of ['', '&step=0', '&step=-5', '&step=x', '&step=0.9']) expect(await shown(step)).toEqual(first);
    const links = 'Newer steps Older steps';
    expect(await shown('&step=30')).toEqual({
      rows: 60,
      width,
      said: `31 to 90 of ${days} ${links}`,
      steps: ['', '90'],
    });
    expect(await shown('&step=60.5')).toEqual({
      rows: 60,
      width,
      said: `61 to 120 of ${days} ${links}`,
      steps: ['', '120'],
    });
    expect(await shown('&step=70')).toEqual({
      rows: 60,
      width,
      said: `71 to 130 of ${days} ${links}`,
      steps: ['10', '130'],
    });
  });

  test('end with the first day, which has the columns of all others', async () => {
    const end = {
      rows: 1,
      width: new Set([6]),
      said: `${days} to ${days} of ${days} Newer steps`,
      steps: [String(days - 61)],
    };
    for (const step of [days - 1, days, 100_000]) expect(await shown(`&step=${step}`)).toEqual(end);
  });
});

test('in German words, a figure has its day where it has one', async () => {
  const words = async (query: string): Promise<string> => {
    const { text } = await open(query, 'de');
    return plainText(/<h2>In Worten<\/h2>(.*?)<\/section>/s.exec(text)?.[1] ?? '');
  };
  expect(await words('figure=gain&start=2025-06-15&end=2025-09-30')).toBe(
    'Gewinn am 30. September 2025: 5.986,92 EUR. Der Wert stieg von 210.183,60 EUR auf 216.170,52 EUR. ' +
      'Vom Unterschied wurden 0,00 einbezahlt und 5.986,92 verdient: Kurse 6.085,00, Erträge 930,00, Wechselkurse −1.028,08. ' +
      'Gebühren von 500,00 sind abgezogen. Verdient wurde der Wert am Ende, abzüglich des Werts am Anfang und des Einbezahlten. ' +
      'Sie kommt von 3 Zahlen. Wert am 30. September 2025: 216.170,52 EUR Wert am 14. Juni 2025: 210.183,60 EUR Zahlungen netto: 0,00 EUR',
  );
});
