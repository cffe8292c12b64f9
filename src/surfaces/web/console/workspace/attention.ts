// What needs attention: counts by the API of what is broken, due or waiting for somebody, each with the page that deals with it.

import type { Page } from '../../signed-in-page.ts';

export interface AttentionItem {
  readonly title: string;
  readonly count: number;
  /** There are more than were counted. */
  readonly isMore: boolean;
  /** What it means and what to do. */
  readonly text: string;
  readonly href: string;
}

const dayMs = 86_400_000;
const expiryDays = 30;
const countedMax = 100;

interface CountedList {
  readonly title: string;
  readonly text: string;
  readonly href: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Only records like this count. */
  counts?(record: any): boolean;
}

/** Those that the person may read; the most important first. */
export async function attentionItems(page: Page): Promise<readonly AttentionItem[]> {
  const lists = countedLists(page).filter(({ path }) => page.api.may('GET', path));
  const [webhooks, ...counted] = await Promise.all([webhookItems(page), ...lists.map((list) => countList(page, list))]);
  return [...webhooks, ...counted];
}

async function webhookItems(page: Page): Promise<readonly AttentionItem[]> {
  if (!page.api.may('GET', '/v1/diagnostics')) return [];
  const { webhooks } = await page.api.get('/v1/diagnostics');
  const dead = webhooks.reduce((sum: number, webhook: any) => sum + webhook.dead_letter_count, 0);
  const disabled = webhooks.filter((webhook: any) => webhook.state === 'disabled').length;
  const href = '/console/developers';
  const base = { isMore: false, href };
  return [
    {
      ...base,
      title: 'Dead letters',
      count: dead,
      text: 'Events that a webhook never took. Send them again once it works.',
    },
    { ...base, title: 'Disabled webhooks', count: disabled, text: 'They receive nothing. Enable or delete them.' },
  ];
}

async function countList(page: Page, { path, query, counts, title, text, href }: CountedList): Promise<AttentionItem> {
  const answer = await page.api.get(path, { limit: String(countedMax), ...query });
  const records: readonly any[] = counts === undefined ? answer.data : answer.data.filter(counts);
  return { title, text, href, count: records.length, isMore: answer.has_more === true };
}

function countedLists({ now }: Page): readonly CountedList[] {
  const isExpiring = ({ connection, expires_at: expires }: any): boolean =>
    connection === 'broken' ||
    connection === 'expired' ||
    (expires !== null && Date.parse(expires) < now + expiryDays * dayMs);
  return [
    {
      title: 'Broken limits',
      text: 'A reporting entity is outside a limit. The broken ones are listed first.',
      href: '/console/limits',
      path: '/v1/limit-breaches',
      query: { state: 'open' },
    },
    {
      title: 'Custodian connections',
      text: `Broken, expired, or expiring within ${expiryDays} days.`,
      href: '/console/custody',
      path: '/v1/authorities',
      query: { state: 'active' },
      counts: isExpiring,
    },
    {
      title: 'Open breaks',
      text: 'A custodian’s statement differs from the ledger. Chase or accept them.',
      href: '/console/custody/breaks',
      path: '/v1/reconciliation-breaks',
      query: { state: 'open' },
    },
    {
      title: 'Imports to book',
      text: 'Files that were checked and not booked yet.',
      href: '/console/imports?state=checked',
      path: '/v1/imports',
      query: { state: 'checked' },
    },
    {
      title: 'Failed calculation rounds',
      text: 'Of the last seven days. They are tried again by themselves.',
      href: '/console/rounds?state=failed',
      path: '/v1/calculation-rounds',
      query: { state: 'failed', since: new Date(now - 7 * dayMs).toISOString() },
    },
  ];
}
