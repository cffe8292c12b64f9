// Runs docs/imports.md in a shell, from its first command to its last, and compares the answers with those that it shows.

import { expect, test } from 'vitest';
import { runPage } from '../../setup/docs/run-page.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';

const service = workspaceForThisFile();

test('every command of the page about imports works, and answers what the page shows', async () => {
  const { admin, addresses } = service;
  const variables = { TOKEN: admin.token ?? '' };
  const { commands, wrong } = await runPage('docs/imports.md', { baseUrl: addresses.baseUrl, variables });
  expect(wrong).toEqual([]);
  expect(commands.filter(({ answer }) => answer !== undefined).length).toBeGreaterThan(12);
});
