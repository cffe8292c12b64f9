// The console's first page: what needs attention, then what is quiet.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { Refusal } from '../../../../kit/refusal.ts';
import { mayUseConsole } from '../../menu.ts';
import { card } from '../../parts/parts.ts';
import { note } from '../../parts/notes.ts';
import { signedInPage } from '../../signed-in-page.ts';
import { attentionItems, type AttentionItem } from './attention.ts';

function itemHtml({ title, count, isMore, text, href }: AttentionItem): Html {
  return html`<li>
    <span class="count">${count}${isMore ? '+' : ''}</span>
    <p><a href="${href}">${title}</a><br /><span class="soft">${text}</span></p>
  </li>`;
}

function listHtml(items: readonly AttentionItem[]): Html {
  return html`<ul class="attention">
    ${items.map(itemHtml)}
  </ul>`;
}

const homePage = signedInPage({
  id: 'console-home',
  path: '/console',
  summary: 'What needs attention',
  area: 'console',
  async handle(page) {
    if (!mayUseConsole(page.access)) {
      const detail = 'The console is for administrators and advisors. Your reports are on the overview.';
      throw new Refusal('right-missing', detail);
    }
    const items = await attentionItems(page);
    const [pending, quiet] = [items.filter(({ count }) => count > 0), items.filter(({ count }) => count === 0)];
    const main = html`${
      pending.length === 0 ? note('Nothing needs your attention.', { tone: 'good' }) : card('To do', listHtml(pending))
    }
    ${quiet.length === 0 ? emptyHtml : card('Quiet', listHtml(quiet))}`;
    return { title: 'What needs attention', main };
  },
});

export const homePages = [homePage];
