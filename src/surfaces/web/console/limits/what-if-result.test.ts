// What a what-if says first: how many limits would be broken or mended, and which stay as they are.

import { describe, expect, test } from 'vitest';
import { formatsOf } from '../../language/formats.ts';
import type { Page } from '../../signed-in-page.ts';
import { whatIfResult, type WhatIfResult } from './what-if-result.ts';

const reader = { language: 'en', locale: 'en-GB' } as const;
const page = {
  reader,
  formats: formatsOf(reader.locale),
  address: '/console/limits/what-if',
  query: new URLSearchParams(),
} as unknown as Page;

type State = 'compliant' | 'not_evaluable' | 'breached';
type Change = readonly [name: string, before: State, after: State];

function figures(state: State): object {
  return { state, detail: null, current_value: state === 'not_evaluable' ? null : '0.3', headroom: null };
}

function resultOf(changes: readonly Change[]): WhatIfResult {
  const limits = changes.map(([name]) => ({ id: name, name }));
  const bounds = { min: null, max: '0.25', resulting_min: null, resulting_max: '0.25' };
  const checked = changes.map(([name, before, after]) => ({
    limit_id: name,
    kind: 'proportional',
    reporting_entities: [{ reporting_entity_id: 'e', present: figures(before), resulting: figures(after), ...bounds }],
  }));
  return whatIfResult(page, { limits: checked }, { limits, currency: 'CHF', entityName: () => 'Family' });
}

describe('the first sentence', () => {
  const nothing = 'Nothing was booked or changed.';
  test.each<[string, readonly Change[], string, 'warn' | 'good']>([
    ['nothing changes', [['a', 'breached', 'breached']], `No limit would change its state. ${nothing}`, 'good'],
    ['one is mended', [['a', 'breached', 'compliant']], `One limit would be mended. ${nothing}`, 'good'],
    [
      'one is broken',
      [['a', 'compliant', 'breached']],
      `One limit would be broken or no longer be known. ${nothing}`,
      'warn',
    ],
    [
      'several',
      [
        ['a', 'compliant', 'not_evaluable'],
        ['b', 'not_evaluable', 'breached'],
        ['c', 'breached', 'not_evaluable'],
      ],
      `2 limits would be broken or no longer be known. One limit would be mended. ${nothing}`,
      'warn',
    ],
  ])('%s', (_what, changes, sentence, tone) => {
    const text = resultOf(changes).main.text;
    expect(text).toContain(sentence);
    expect(text).toContain(`class="notice ${tone}"`);
  });

  test('without any limit says so', () => {
    const { main, tables } = resultOf([]);
    expect([main.text.includes('No limit applies here yet.'), tables]).toEqual([true, []]);
  });
});

test('newly broken limits come first, then mended ones, then those that stay broken, then the rest', () => {
  const { tables } = resultOf([
    ['kept', 'compliant', 'compliant'],
    ['unknown', 'not_evaluable', 'not_evaluable'],
    ['mended', 'breached', 'compliant'],
    ['broken', 'compliant', 'breached'],
  ]);
  const names = tables[0]!.rows.map(({ cells }) => cells[0]!.value);
  expect(names).toEqual(['broken', 'mended', 'unknown', 'kept']);
});

test('forty limits are drawn, and the table has all of them', () => {
  const many = (count: number): WhatIfResult =>
    resultOf(Array.from({ length: count }, (_none, index) => [`limit ${index}`, 'compliant', 'compliant'] as const));
  const [whole, cut] = [many(40), many(41)];
  const drawn = ({ main }: WhatIfResult): number => main.text.split('class="before-after"').length - 1;
  expect([drawn(whole), drawn(cut)]).toEqual([40, 40]);
  expect(whole.main.text).not.toContain('Only the first');
  expect(cut.main.text).toContain('Only the first 40 are drawn; the table has all of them.');
  expect(cut.tables[0]!.rows).toHaveLength(41);
});

test('a figure that is not known has no bar and is a dash', () => {
  const text = resultOf([['a', 'not_evaluable', 'compliant']]).main.text;
  expect(text.split('<figure').length - 1).toBe(1);
  expect(text).toContain('–');
});
