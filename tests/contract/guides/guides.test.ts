// Runs every guide in a shell, from its first command to its last, and compares the answers with those that it shows.

import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runPage } from '../../setup/docs/run-page.ts';
import { RunningClock } from '../../setup/kit/manual-clock.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';

const service = serviceForThisFile({ clock: new RunningClock(0) });
const guides = (await readdir(new URL('../../../docs/guides', import.meta.url))).toSorted();

test.each(guides)('%s: every command works, and answers what the guide shows', async (name) => {
  const { clientId, clientSecret } = service.first;
  const variables = { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
  const { commands, wrong } = await runPage(`docs/guides/${name}`, { baseUrl: service.addresses.baseUrl, variables });
  expect(wrong).toEqual([]);
  expect(commands.filter(({ answer }) => answer !== undefined).length).toBeGreaterThan(1);
});
