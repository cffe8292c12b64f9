// Tests that a page shows the calls that it made as a program would write them, and long bodies only as far as anybody reads.

import { expect, test } from 'vitest';
import { plainText } from '../../../../tests/setup/people/page-text.ts';
import { sameByApi } from './same-by-api.ts';

const reader = { language: 'en', locale: 'en-GB' } as const;

test('calls have their method, address and body, without the escapes of an address', () => {
  const calls = [
    { method: 'GET', url: '/v1/activity?q=Z%C3%BCrich&limit=50' },
    { method: 'DELETE', url: '/v1/limits/1' },
    { method: 'POST', url: '/v1/limits', body: { name: '<Own>', min_amount: '100' } },
  ] as const;
  const { text } = sameByApi(calls, { reader, isOpen: false });
  const [, shown = ''] = /<pre[^>]*>(.*?)<\/pre>/s.exec(text) ?? [];
  expect(shown.split('\n')).toEqual([
    'GET    /v1/activity?q=Zürich&amp;limit=50',
    'DELETE /v1/limits/1',
    'POST   /v1/limits  {&quot;name&quot;:&quot;&lt;Own&gt;&quot;,&quot;min_amount&quot;:&quot;100&quot;}',
  ]);
});

test('a body of 2,000 characters is shown whole, a longer one from its beginning', () => {
  const shown = (length: number): string => {
    const call = { method: 'POST', url: '/v1/imports', body: `a${'b'.repeat(length - 4)}c` } as const;
    return / \/v1\/imports (\S+)/.exec(plainText(sameByApi([call], { reader, isOpen: false }).text))?.[1] ?? '';
  };
  expect(shown(2_000)).toBe(`"a${'b'.repeat(1_996)}c"`);
  expect(shown(2_001)).toBe(`"a${'b'.repeat(1_997)}c…`);
});
