// What the console calls states of custody, and the tabs above its pages.

import type { Html } from '../../../../kit/html.ts';
import { stateDot } from '../../parts/notes.ts';
import { tabs } from '../../parts/parts.ts';
import type { Page } from '../../signed-in-page.ts';

export const custodyPath = '/console/custody';

/** With the call without which the page shows nothing; lines of the reconciliation are named by their accounts. */
const custodyTabs = [
  ['', 'Connections', '/v1/auth-flows'],
  ['/feeds', 'Feeds', '/v1/feeds'],
  ['/breaks', 'Breaks', '/v1/reconciliation-breaks'],
  ['/reconciliation', 'Reconciliation', '/v1/accounts'],
] as const;

export type CustodyTab = (typeof custodyTabs)[number][0];

/** Those that the person may read. */
export function custodyTabsHtml(page: Page, current: CustodyTab): Html {
  const open = custodyTabs.filter(([, , reads]) => page.api.may('GET', reads));
  const links = open.map(([path, title]) => ({
    title,
    href: custodyPath + path,
    isCurrent: path === current,
  }));
  return tabs('Custody', links);
}

const words: Readonly<Record<string, string>> = {
  'waiting-for-files': 'Waiting for files',
  'waiting-for-consent': 'Waiting for consent',
  'awaiting-operator': 'Waiting for the operator',
  'awaiting-custodian': 'Waiting for the custodian',
  active: 'Active',
  'revoke-in-progress': 'Being revoked',
  revoked: 'Revoked',
  cancelled: 'Cancelled',
  redirect: 'On the custodian’s own pages',
  'signed-document': 'Signed papers',
  operator: 'Arranged by an operator',
  grant: 'New connection',
  reconnect: 'Renewal',
  connected: 'Connected',
  broken: 'Broken',
  'missing-trade': 'Missing trade',
  'unknown-instrument': 'Unknown instrument',
  units: 'Units',
  cash: 'Cash',
  price: 'Price',
  quantity: 'Quantity',
  timing: 'Timing',
  open: 'Open',
  accepted: 'Accepted',
  closed: 'Closed',
  waiting: 'Waiting',
  running: 'Running',
  finished: 'Finished',
  failed: 'Failed',
  schedule: 'Its time',
  custodian: 'The custodian',
  consent: 'Renewed consent',
  correction: 'A correction',
  quota: 'Room for its rows',
};

export function custodyWord(value: string | null): string {
  return value === null ? '–' : (words[value] ?? value);
}

const goodStates = new Set(['active', 'finished', 'connected']);
const badStates = new Set(['failed', 'broken']);

export function custodyState(state: string): Html {
  const tone = goodStates.has(state) ? 'up' : badStates.has(state) ? 'down' : 'warn';
  return stateDot(custodyWord(state), tone);
}
