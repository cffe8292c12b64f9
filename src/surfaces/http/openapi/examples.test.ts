// Checks that every operation of the reference has an example of its request and of its answer.

import { FailureThrottle } from '../../token/failure-throttle.ts';
import { describe, expect, test } from 'vitest';
import type { AppContext } from '../../../actions/core/context.ts';
import { openOperations, operations } from '../../operations.ts';
import answers from './examples.json' with { type: 'json' };
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

/** The parts of an operation that an example belongs to: its path parameters, request bodies and response bodies. */
function partsOf({ path, method }: { path: string; method: string }) {
  const { parameters = [], requestBody, responses } = document.paths[path]![method.toLowerCase()] as any;
  const answers = Object.keys(responses).filter((status) => status.startsWith('2'));
  return {
    pathParameters: parameters.filter((parameter: any) => parameter.in === 'path'),
    requestBodies: Object.values<any>(requestBody?.content ?? {}),
    responseBodies: answers.flatMap((status) => Object.values<any>(responses[status].content ?? {})),
  };
}

function hasExample(part: any): boolean {
  return part.example !== undefined;
}

test.each(operations.map((operation) => [operation.id, operation] as const))(
  '%s has examples for its whole request and for its answer',
  (_id, operation) => {
    const { pathParameters, requestBodies, responseBodies } = partsOf(operation);
    const bodyCount = operation.bulk ? 3 : operation.body === undefined ? 0 : 1;
    expect(requestBodies).toHaveLength(operation.upload ? operation.upload.mediaTypes.length + 1 : bodyCount);
    // A second PUT has the same answer with another status. Deletions and erasures have no answer body.
    const shown = responseBodies.filter(hasExample);
    expect(shown).toHaveLength('204' in operation.responses ? 0 : 1);
    for (const part of [...pathParameters, ...requestBodies]) expect(part).toHaveProperty('example');
  },
);

test('every answer with a schema has an example, also in operations without a token', () => {
  const shaped = open.filter((operation) =>
    partsOf(operation).responseBodies.some(({ schema }) => schema !== undefined),
  );
  expect(shaped.map(({ id }) => id)).toEqual(expect.arrayContaining(['token.flow-a', 'token.oauth']));
  expect(shaped.filter((operation) => !partsOf(operation).responseBodies.every(hasExample))).toEqual([]);
});

describe('every resource, on every wire that serves it,', () => {
  const served = operations.filter(({ resource }) => resource !== undefined);
  const byResource = Map.groupBy(served, ({ wire, resource }) => `${wire.title}: ${resource!.type}`);

  test.each([...byResource])('has an example of a request and its answer: %s', (_name, some) => {
    const whole = some.map(partsOf).filter(({ pathParameters, requestBodies, responseBodies }) => {
      return [...pathParameters, ...requestBodies].some(hasExample) && responseBodies.some(hasExample);
    });
    expect(whole).not.toEqual([]);
  });
});

describe('the examples are plausible', () => {
  /** Every member with this name in the recorded answers, as a number. */
  function numbersNamed(name: string): readonly number[] {
    const found: number[] = [];
    JSON.stringify(answers, (member, value) => {
      if (member === name && typeof value === 'string') found.push(Number(value));
      return value;
    });
    return found;
  }

  test('shares are between nothing and the whole', () => {
    const shares = numbersNamed('share');
    expect(shares.length).toBeGreaterThan(4);
    expect(shares.filter((share) => share < 0 || share > 1)).toEqual([]);
  });

  test('nobody holds less than nothing, and no account is overdrawn', () => {
    const { data } = answers['v1.holding.report'][200];
    expect(data.map(({ quantity }) => Number(quantity)).filter((quantity) => quantity <= 0)).toEqual([]);
    expect(JSON.stringify(answers)).not.toContain('"overdrawn"');
  });
});
