// Checks the document as generators and viewers of others do: with the recommended rules of Redocly.

import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import type { AppContext } from '../../../actions/core/context.ts';
import { openOperations, operations } from '../../operations.ts';
import { FailureThrottle } from '../../token/failure-throttle.ts';
import { describeWebhooks } from '../../v1/events/webhook-reference.ts';
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
const webhooks = describeWebhooks();
const document = openApiDocument({ addresses, operations, openOperations: open, version: '1.2.3', webhooks });

test('the document follows all recommended rules of Redocly', async () => {
  // Examples are compared with their schemas in openapi-document.test.ts, more strictly and in a tenth of the time.
  const rules = { 'no-invalid-media-type-examples': 'off' } as const;
  const config = await createConfig({ extends: ['recommended'], rules });
  const source = JSON.stringify(document);
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  expect(problems.map(({ ruleId, location, message }) => [ruleId, location[0]?.pointer, message])).toEqual([]);
});

interface Choice {
  readonly at: string;
  readonly schemas: ReadonlySet<unknown>;
  /** The schemas that the discriminator names. */
  readonly named: ReadonlySet<unknown>;
}

function choicesIn(part: any, at: string): readonly Choice[] {
  if (typeof part !== 'object' || part === null) return [];
  const named = new Set(Object.values(part.discriminator?.mapping ?? {}));
  const own = Array.isArray(part.oneOf)
    ? [{ at, schemas: new Set(part.oneOf.map((one: any) => one.$ref)), named }]
    : [];
  return [...own, ...Object.entries(part).flatMap(([key, inner]) => choicesIn(inner, `${at}/${key}`))];
}

test('every choice that must be one of several names the member that decides, and the schema of each of its values', () => {
  const choices = choicesIn(document, '#');
  expect(choices.map(({ at }) => at)).toEqual(
    expect.arrayContaining(['#/components/schemas/V1Instrument', '#/components/schemas/V1TransactionCreateBody']),
  );
  expect(choices.map(({ at, named }) => ({ at, named }))).toEqual(
    choices.map(({ at, schemas }) => ({ at, named: schemas })),
  );
});
