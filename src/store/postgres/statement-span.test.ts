// The span of a round trip to the database says which statements it has, and is named after the first that is about data.

import { expect, test } from 'vitest';
import type { Span, SpanOptions } from '../../kit/tracing/span.ts';
import { traceBatch } from './statement-span.ts';
import type { Call } from './statement.ts';

/** The name and the attributes of the span of a trip with these statements. */
async function spanOf(names: readonly string[]): Promise<unknown> {
  const begun: unknown[] = [];
  const parent: Span = {
    traceId: 'a'.repeat(32),
    traceparent: '',
    isSampled: true,
    begin(name: string, { kind, attributes }: SpanOptions = {}) {
      begun.push({ name, kind, ...attributes });
      return this;
    },
    set() {},
    fail() {},
    end() {},
  };
  const calls: Call[] = names.map((name) => ({ statement: { name, text: 'SELECT 1' }, values: ['secret'] }));
  await traceBatch(parent, calls, async () => []);
  return begun[0];
}

test('it is named after the first statement that does more than open or end a transaction', async () => {
  expect(await spanOf(['begin', 'enter/all#12ab', 'client/list/id#34cd', 'commit'])).toEqual({
    name: 'postgresql client/list/id',
    kind: 'client',
    'db.system.name': 'postgresql',
    'db.query.summary': 'client/list/id',
    'db.operation.batch.size': 4,
    'holdfast.statements': ['begin', 'enter/all', 'client/list/id', 'commit'],
  });
});

test('where there is no other, it is named after the last, and a trip without statements after nothing', async () => {
  expect(await spanOf(['begin', 'commit'])).toMatchObject({ 'db.query.summary': 'commit' });
  expect(await spanOf([])).toMatchObject({ name: 'postgresql nothing', 'holdfast.statements': [] });
});

test('it names at most fifty statements, and says how many there were', async () => {
  const names = Array.from({ length: 51 }, (_, index) => `put/${index}`);
  expect(await spanOf(names)).toMatchObject({
    'db.operation.batch.size': 51,
    'holdfast.statements': names.slice(0, 50),
  });
});
