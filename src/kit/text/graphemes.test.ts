// Tests that characters stay together with their marks.

import { expect, test } from 'vitest';
import { graphemesOf } from './graphemes.ts';

test('a character keeps the marks that belong to it', () => {
  expect(graphemesOf('é1\u{1f468}\u{200d}\u{1f469}\u{1f1e8}\u{1f1ed}')).toEqual(['é', '1', '👨‍👩', '🇨🇭']);
  expect(graphemesOf('')).toEqual([]);
});
