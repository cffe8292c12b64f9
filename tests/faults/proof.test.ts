import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { allScenarios } from './scenarios/all-scenarios.ts';

test('docs/proof.md has a part for the figures of every scenario, in their order, and one for the soak', async () => {
  const text = await readFile(new URL('../../docs/proof.md', import.meta.url), 'utf8');
  const comments = [...text.matchAll(/^<!-- (.+) -->$/gm)].map(([, comment]) => comment);
  const parts = [...allScenarios.map(({ name }) => name), 'soak'];
  expect(comments).toEqual(parts.flatMap((part) => [part, `end of ${part}`]));
});
