// The demo in Chromium: pages with ten years of a family's data. With PICTURES=on it draws the pictures of README.md, docs/portal.md and
// docs/console.md.

import { beforeAll, expect, test } from 'vitest';
import { makePrintedLink } from '../../src/actions/people/administrator.ts';
import { acceptInvite } from '../../src/actions/people/invite-acceptance.ts';
import { openSession } from '../../src/actions/access/session.ts';
import { defined } from '../../src/kit/assert.ts';
import { serviceForThisFile } from '../setup/node/test-service.ts';
import { chromiumForThisFile } from '../setup/people/chromium.ts';
import { verifiedIdentity } from '../setup/people/members.ts';
import { pageFaults } from '../setup/people/page-quality.ts';

const service = serviceForThisFile({ settings: { DEMO: 'on' } });
const chromium = chromiumForThisFile();
let person: { readonly cookie: string; readonly origin: string };
let entity: string;

/** A device with its screen, as a picture shows it. */
const desk = { width: 1_280, height: 900, colorScheme: 'light' } as const;
const phone = { width: 375, height: 812, colorScheme: 'dark' } as const;

beforeAll(async () => {
  const { context, addresses } = service;
  const demo = defined(service.demoApplication, 'this start created the demo');
  entity = demo.reportingEntityId;
  const { link } = await makePrintedLink(context, demo);
  const accepted = await acceptInvite(context, link.split('/').at(-1) ?? '', verifiedIdentity('astrid@demo.example'));
  if (accepted.outcome !== 'accepted') throw new Error(`Nobody was let in: ${accepted.reason}`);
  person = { cookie: `holdfast_session=${(await openSession(context, accepted)).secret}`, origin: addresses.baseUrl };
});

const pages: readonly (readonly [picture: string, path: string, device: typeof desk | typeof phone])[] = [
  ['portal-overview', '/entities/{entity}?period=3y', desk],
  ['portal-holdings', '/entities/{entity}/holdings', desk],
  ['portal-performance-phone', '/entities/{entity}/performance?period=3y', phone],
  ['console-clients', '/console/clients', desk],
  ['console-bookings', '/console/bookings', desk],
  ['console-home-phone', '/console', phone],
];

test.each(pages)('%s: no fault', async (picture, path, { width, height, colorScheme }) => {
  const address = `${service.addresses.baseUrl}${path.replace('{entity}', entity)}`;
  const area = path.startsWith('/console') ? 'console' : 'portal';
  expect(await pageFaults(chromium, { address, person, area })).toEqual([]);
  if (process.env['PICTURES'] !== 'on') return;
  const { page, context } = await chromium.open({ width, height, person });
  await page.emulateMedia({ colorScheme });
  await page.goto(address);
  await page.screenshot({ path: `docs/pictures/${picture}.png` });
  await context.close();
});
