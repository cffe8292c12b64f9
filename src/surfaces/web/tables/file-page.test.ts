// Tests what stands in place of a file that is still being made, and where one that is ready is taken.

import { expect, test } from 'vitest';
import { plainText } from '../../../../tests/setup/people/page-text.ts';
import { formatsOf } from '../language/formats.ts';
import { fileReadyPage, fileUnderWayPage } from './file-page.ts';

const page = {
  reader: { language: 'en', locale: 'en-GB' },
  formats: formatsOf('en-GB'),
  address: '/entities/e/activity?text=a',
  query: new URLSearchParams('text=a&table=activity&format=csv'),
} as const;

test.each([
  [0, 'It has begun.'],
  [1_234, '1,234 rows so far'],
])('a file with %i rows so far looks again by itself', (rows, said) => {
  const { title, main, refreshSeconds, islands } = fileUnderWayPage(page, rows);
  expect([title, refreshSeconds, islands]).toEqual(['The file is being made', 3, ['reload']]);
  const [, status = ''] = /<span class="progress-text"[^>]*>(.*?)<\/span>/s.exec(main.text) ?? [];
  expect(status).toBe(said);
  expect(plainText(main.text)).toContain('You may leave this page and come back to its address: the work goes on.');
});

test('a file that is ready is taken by the browser and by a link, which leads back to the table too', () => {
  const { title, main, continueUrl } = fileReadyPage(page);
  const taken = '/entities/e/activity?text=a&table=activity&format=csv&take=1';
  const links = [...main.text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href?.replaceAll('&amp;', '&'));
  expect([title, continueUrl, links]).toEqual(['The file is ready', taken, [taken, page.address]]);
});
