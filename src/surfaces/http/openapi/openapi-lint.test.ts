// Checks the document as generators and viewers of others do: with the recommended rules of Redocly.

import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import type { AppContext } from '../../../actions/core/context.ts';
import { openOperations, operations } from '../../operations.ts';
import { FailureThrottle } from '../../token/failure-throttle.ts';
import { describeWebhooks } from '../../v1/events/webhook-reference.ts';
import { Metrics } from '../pipeline/metrics.ts';
import { openApiDocument } from './openapi-document.ts';

const one = 'https://wealth.example';
const addresses = { baseUrl: one, legacyUrl: one, authUrl: one };
const open = openOperations({ addresses } as AppContext, new Metrics(), {
  budget: { take: () => '' },
  failures: new FailureThrottle(1),
});
const webhooks = describeWebhooks();
const document = openApiDocument({ addresses, operations, openOperations: open, version: '1.2.3', webhooks });

test('the document follows all recommended rules of Redocly', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const source = JSON.stringify(document);
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  expect(problems.map(({ ruleId, location, message }) => [ruleId, location[0]?.pointer, message])).toEqual([]);
});

test('every choice that must be one of several names the member that decides, and the schema of each of its values', () => {
  const found: string[] = [];
  const visit = (part: unknown, at: string): void => {
    if (typeof part !== 'object' || part === null) return;
    if ('oneOf' in part) {
      found.push(at);
      const { oneOf, discriminator } = part as { oneOf: { $ref: string }[]; discriminator?: { mapping: object } };
      const named = Object.values(discriminator?.mapping ?? {});
      expect(new Set(named), at).toEqual(new Set(oneOf.map(({ $ref }) => $ref)));
    }
    for (const [key, inner] of Object.entries(part)) visit(inner, `${at}/${key}`);
  };
  visit(document, '#');
  expect(found).toEqual(
    expect.arrayContaining(['#/components/schemas/V1Instrument', '#/components/schemas/V1TransactionCreateBody']),
  );
});
