// Checks that every operation and every group of the reference says something to people: no text is missing, too short or used twice.

import { describe, expect, test } from 'vitest';
import type { AppContext } from '../../../actions/core/context.ts';
import { introductionText } from '../../../kit/resource.ts';
import { openOperations, operations } from '../../operations.ts';
import { FailureThrottle } from '../../token/failure-throttle.ts';
import { refusals } from '../../../model/refusals/refusals.ts';
import { modelMapSvg } from './model-map.ts';
import { openApiDocument } from './openapi-document.ts';
import { noBudget } from '../pipeline/budget.ts';

const one = 'https://wealth.example';
const addresses = { baseUrl: one, legacyUrl: one, authUrl: one };
const open = openOperations({ addresses } as AppContext, {
  metrics: { contentType: 'text/plain', read: async () => ({ text: '' }) },
  version: '1.2.3',
  budget: noBudget,
  failures: new FailureThrottle(1),
});
const document = openApiDocument({ addresses, operations, openOperations: open, version: '1.2.3' });

function described({ path, method }: { path: string; method: string }): { summary: string; description: string } {
  return document.paths[path]![method.toLowerCase()] as never;
}

function wordCount(text: string): number {
  return text.split(/\s+/).length;
}

const parts = ['**Access**: ', '**Cost**: one request of the budget', '**When it is refused**'];

test.each(operations.map((operation) => [operation.id, operation] as const))(
  '%s says what it is for, who may use it, what it costs and when it is refused',
  (_id, operation) => {
    const { description } = described(operation);
    for (const part of parts) expect(description).toContain(part);
    const [lead = ''] = description.split('\n\n**Access**');
    expect(wordCount(lead)).toBeGreaterThanOrEqual(10);
    expect(lead).not.toContain('**Access**');
    expect(description).toContain(operation.right === 'any' ? 'Any token is accepted' : `right \`${operation.right}\``);
    const codes = [...description.matchAll(/\]\(\/docs\/errors#([a-z-]+)\)/g)].map(([, code]) => code!);
    expect(codes.length).toBeGreaterThan(0);
    for (const code of codes) expect(refusals).toHaveProperty(code);
  },
);

test.each(open.map((operation) => [operation.id, operation] as const))(
  '%s, which needs no token, says what it is for, that it needs none, and what it costs',
  (_id, operation) => {
    const { description } = described(operation);
    const [lead = ''] = description.split('\n\n**Access**: No token is needed.\n\n**Cost**: ');
    expect(wordCount(lead)).toBeGreaterThanOrEqual(12);
    expect(lead).not.toBe(description);
  },
);

test.each([...operations, ...open].map((operation) => [operation.id, operation] as const))(
  '%s has a title of at most 80 characters',
  (_id, operation) => {
    expect(described(operation).summary.length).toBeLessThanOrEqual(80);
  },
);

describe.each(['v1', 'json-api', 'plain'])('on %s', (name) => {
  const ofWire = operations.filter(({ wire }) => wire.name === name);
  const duplicates = (texts: readonly string[]): string[] => texts.filter((text, at) => texts.indexOf(text) !== at);

  test('no two operations have the same title', () => {
    expect(duplicates(ofWire.map((operation) => described(operation).summary))).toEqual([]);
  });

  test('no two operations have the same description', () => {
    expect(duplicates(ofWire.map((operation) => described(operation).description))).toEqual([]);
  });
});

test('no two operations with a text of their own share it, except that frozen wires repeat each other', () => {
  const byText = Map.groupBy(
    operations.filter(({ description, resource }) => description !== undefined && resource === undefined),
    ({ description, wire }) => `${wire.name}: ${description}`,
  );
  expect([...byText.values()].filter((same) => same.length > 1).map((same) => same.map(({ id }) => id))).toEqual([]);
});

describe('every group', () => {
  const tags = document['tags'] as { name: string; description: string }[];

  test.each(tags.map(({ name, description }) => [name, description] as const))(
    '%s has an introduction and a picture with a text in its place',
    (_name, description) => {
      const [, introduction = '', alternative = '', box = ''] =
        /^([^]*)\n\n!\[(Map of the model with [^\]]+)\]\(\/docs\/model\.svg#([a-z-]+)\)$/.exec(description) ?? [];
      expect(wordCount(introduction)).toBeGreaterThanOrEqual(12);
      expect(wordCount(alternative)).toBeGreaterThanOrEqual(10);
      expect(modelMapSvg()).toContain(`<g id="${box}">`);
    },
  );
});

test('search finds what readers look for first: each has a heading in the introduction', () => {
  const { description } = document['info'] as { description: string };
  const headings = [...description.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(
    expect.arrayContaining([
      'Pagination',
      'Idempotency',
      'Errors',
      'Rate limits',
      'Webhooks',
      'Imports',
      'Exact numbers',
      'Versions',
    ]),
  );
});

test('every operation begins with what one uses it for, and not with what its resource is', () => {
  const silent = operations.filter(
    ({ resource, ...rest }) =>
      resource !== undefined && described(rest).description.startsWith(introductionText(resource)),
  );
  expect(silent.map(({ id }) => id)).toEqual([]);
});

test('a request for a token says what it costs, and names the errors of OAuth that callers meet first', () => {
  const { description } = described({ method: 'POST', path: '/oauth/token' });
  expect(description).toContain('**Cost**: one request of the budget of the application or key.');
  for (const error of ['invalid_client', 'invalid_grant', 'invalid_scope', 'temporarily_unavailable'])
    expect(description).toContain(`- \`${error}\` (4`);
});

test('what blocks a deletion is a sentence, also where a blocker names the record itself', () => {
  const refused = ({ path }: { path: string }) =>
    /^Refused while .*$/m.exec(described({ method: 'DELETE', path }).description)?.[0];
  expect(refused({ path: '/v1/reporting-entities/{id}' })).toBe(
    'Refused while there are portfolios or private instruments of it, or limits of its own, or users who may read it.',
  );
  expect(refused({ path: '/v1/custodians/{id}' })).toBe('Refused while there are accounts or authorities of it.');
});

test('titles are English: an exchange rate, audit entries', () => {
  expect(described({ method: 'DELETE', path: '/v1/fx-rates/{id}' }).summary).toBe('Delete an exchange rate');
  expect(described({ method: 'GET', path: '/v1/audit-log' }).summary).toBe('List audit entries');
});

test('the settings of a custodian are described as such, and not as the custodian', () => {
  const { description } = described({ method: 'PATCH', path: '/v1/admin/custodians/{id}' });
  expect(description).toMatch(/^Connect a bank/);
  expect(description).not.toContain('Can be changed: `name`');
});
