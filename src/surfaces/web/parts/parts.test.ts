// Tests that parts of pages escape what they show and colour figures by their sign.

import { expect, test } from 'vitest';
import { figuresList, tabs } from './parts.ts';

test('a loss is coloured as one, and a value cannot inject markup', () => {
  expect(figuresList([{ title: '<b>', value: '−5.00' }]).text).toMatch(/&lt;b&gt;[^]*class="down"/);
});

test('a tab never leads to an address that a browser runs', () => {
  expect(tabs('Pages', [{ title: 'A', href: 'javascript:x' }]).text).not.toContain('javascript');
});
