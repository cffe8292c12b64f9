// Rows that may be payments which are booked already: what the file says beside what is booked, and a person's answer, for one or for all.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { withParameters } from '../../parts/address.ts';
import { postForm } from '../../parts/forms.ts';
import { note } from '../../parts/notes.ts';
import { card } from '../../parts/parts.ts';
import { signedInForm, type Page, type PageContent } from '../../signed-in-page.ts';
import type { WebPath } from '../../web-path.ts';
import { importAddress, importApiPath, rowCount } from './import-words.ts';
import type { Refused, Waiting } from './import-waiting.ts';

const decidePath = '/v1/imports/{id}/decisions';
/** How many pairs a page has. */
const pairsMax = 20;

const decisionTitles: Readonly<Record<string, string>> = {
  another: 'It is another payment',
  same: 'It is the same',
};

const decidedTitles: Readonly<Record<string, string>> = {
  another: 'Decided: another payment. It is booked when you book the import.',
  same: 'Decided: the same. It is not booked again.',
};

interface DecisionView {
  readonly record: any;
  readonly refused: Refused | undefined;
}

export async function decisionsCard(page: Page, waiting: Waiting, { record, refused }: DecisionView): Promise<Html> {
  const group = waiting.groups.find(({ needs }) => needs === 'decision');
  if (group === undefined || !page.api.may('POST', decidePath)) return emptyHtml;
  const cursor = page.query.get('pairs');
  const list = await page.api.get(`${importApiPath(record.id)}/rows`, {
    needs: 'decision',
    limit: String(pairsMax),
    cursor,
  });
  const pairs = await Promise.all(list.data.map((row: any) => pairItem(page, record, row)));
  const isRefused = refused?.fields.get('key') === 'decision';
  const all = decisionForm(page, record, { number: undefined, titles: ['All are other payments', 'All are the same'] });
  const next =
    list.has_more === true
      ? html`<nav class="pager" aria-label="Pages of rows that need a decision">
          <a rel="next" href="${withParameters(page.address, { pairs: list.next_cursor, done: null })}#decisions"
            >Next</a
          >
        </nav>`
      : emptyHtml;
  return card(
    'Is it the same payment?',
    html`${isRefused ? note(refused.problem.detail, { tone: 'danger', isLive: true }) : emptyHtml}
      <p id="decisions">
        ${rowCount(page, group.rows)} with the day and amount of a booked entry and another text. Nothing in the file
        proves whether they are those entries.
      </p>
      ${group.rows > 1 ? all : emptyHtml}
      <ul class="questions">
        ${pairs}
      </ul>
      ${next}`,
  );
}

async function pairItem(page: Page, record: any, row: any): Promise<Html> {
  const { number, line, stated, may_equal: target, decision } = row;
  const booked =
    target?.id === undefined ? undefined : await page.api.find(`/v1/transactions/${encodeURIComponent(target.id)}`);
  const sentenceOf = ({ date, amount, currency, comment }: any): string =>
    [
      date === undefined ? undefined : page.formats.dateShort(date),
      amount === undefined ? undefined : [page.formats.money(amount, currency), currency].filter(Boolean).join(' '),
      comment ?? undefined,
    ]
      .filter((part) => part !== undefined)
      .join(' · ');
  const said = booked === undefined ? 'An earlier row of this file' : sentenceOf(booked);
  const before = decision === undefined ? emptyHtml : html`<p class="soft">${decidedTitles[decision] ?? decision}</p>`;
  return html`<li id="pair-${number}">
    <p><span class="soft">Line ${line} of the file</span><br />${sentenceOf(stated)}</p>
    <p>
      <span class="soft">Booked</span><br />${
        booked === undefined ? said : html`<a href="/console/bookings/${encodeURIComponent(booked.id)}">${said}</a>`
      }
    </p>
    ${before}${decisionForm(page, record, { number, titles: Object.values(decisionTitles) })}
  </li>`;
}

interface DecisionForm {
  /** Undefined for all rows that need a decision. */
  readonly number: number | undefined;
  /** Of another, and of the same. */
  readonly titles: readonly string[];
}

function decisionForm(page: Page, { id }: any, { number, titles }: DecisionForm): Html {
  const [another = '', same = ''] = titles;
  const pairs = page.query.get('pairs');
  return postForm({
    action: withParameters(`${importAddress(id)}/decisions`, { pairs }),
    formToken: page.formToken,
    reader: page.reader,
    fields: [],
    hidden: { key: 'decision', ...(number === undefined ? {} : { number: String(number) }) },
    buttons: [
      { title: another, kind: 'quiet', name: 'decision', value: 'another' },
      { title: same, kind: 'quiet', name: 'decision', value: 'same' },
    ],
  });
}

type ShowImport = (page: Page, shown: { readonly refused: Refused }) => Promise<PageContent>;

export function decisionsForm(show: ShowImport): WebPath {
  return signedInForm({
    id: 'import.decide',
    path: '/console/imports/{id}/decisions',
    summary: 'Decide about doubtful rows of an import',
    area: 'console',
    async handle(page) {
      const id = page.params['id'] ?? '';
      const decision = page.fields.get('decision') ?? '';
      const number = Number(page.fields.get('number') ?? '');
      const isOne = page.fields.has('number') && Number.isSafeInteger(number);
      const body = isOne ? { rows: [{ number, decision }] } : { others: decision };
      const sent = await page.api.send('POST', `${importApiPath(id)}/decisions`, body);
      if (!sent.ok) return show(page, { refused: { fields: page.fields, problem: sent.problem } });
      const pairs = page.query.get('pairs');
      const at = isOne ? `#pair-${number}` : '#decisions';
      return { redirectUrl: `${withParameters(importAddress(id), { done: 'decided', pairs })}${at}` };
    },
  });
}
