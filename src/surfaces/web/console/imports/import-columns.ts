// What the columns of a CSV file mean that no profile fits: each column with what stands in it, and what it says, in a person's words. The
// answer is kept as a mapping profile, so that the next file of the layout is read by itself.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import type { Field } from '../../parts/field.ts';
import { postForm } from '../../parts/forms.ts';
import { note } from '../../parts/notes.ts';
import { card } from '../../parts/parts.ts';
import type { Sent } from '../../page-api.ts';
import type { Page } from '../../signed-in-page.ts';
import { importAddress, importApiPath, importName, rowCount } from './import-words.ts';
import type { Refused, Waiting } from './import-waiting.ts';

const profilesPath = '/v1/import-profiles';

interface Choice {
  readonly value: string;
  readonly title: string;
}

const unread = 'unread';

/** What a column may say, the most frequent first. */
const fieldChoices: readonly Choice[] = [
  { value: unread, title: 'Do not read it' },
  { value: 'date', title: 'Date' },
  { value: 'settlement_date', title: 'Value date' },
  { value: 'type', title: 'What it is: purchase, dividend, fee …' },
  { value: 'amount', title: 'Amount of money' },
  { value: 'gross_amount', title: 'Amount before fees and taxes' },
  { value: 'debit', title: 'Money out' },
  { value: 'credit', title: 'Money in' },
  { value: 'balance', title: 'Balance after the line' },
  { value: 'currency', title: 'Currency' },
  { value: 'isin', title: 'ISIN' },
  { value: 'ticker', title: 'Ticker or symbol' },
  { value: 'instrument_name', title: 'Name of the instrument' },
  { value: 'code', title: 'Other code of the instrument (WKN, valor)' },
  { value: 'cusip', title: 'CUSIP' },
  { value: 'sedol', title: 'SEDOL' },
  { value: 'quantity', title: 'Units' },
  { value: 'price', title: 'Price of a unit' },
  { value: 'fees', title: 'Fees' },
  { value: 'taxes', title: 'Taxes' },
  { value: 'accrued_interest', title: 'Accrued interest' },
  { value: 'comment', title: 'Text' },
  { value: 'reference', title: 'Reference, different for each line' },
  { value: 'account', title: 'Account number' },
  { value: 'depository', title: 'Number of the securities account' },
  { value: 'counter_account', title: 'Account of the other party' },
  { value: 'counter_amount', title: 'Amount in the other currency of an exchange' },
  { value: 'counter_currency', title: 'Other currency of an exchange' },
  { value: 'exchange_rate', title: 'Exchange rate' },
  { value: 'value', title: 'Market value of a position' },
  { value: 'cost', title: 'Cost of a position' },
];

const contents: readonly Choice[] = [
  { value: 'transactions', title: 'Payments, trades and income' },
  { value: 'positions', title: 'What is held on a day' },
  { value: 'prices', title: 'Prices' },
  { value: 'fx-rates', title: 'Exchange rates' },
];

const dateOrders: readonly Choice[] = [
  { value: 'detect', title: 'As the dates of the file show' },
  { value: 'day-month-year', title: 'Day first: 31/12/2025' },
  { value: 'month-day-year', title: 'Month first: 12/31/2025' },
];

const decimalMarks: readonly Choice[] = [
  { value: 'detect', title: 'As the numbers of the file show' },
  { value: 'point', title: 'Point: 1,234.50' },
  { value: 'comma', title: 'Comma: 1.234,50' },
];

const signs: readonly Choice[] = [
  { value: 'detect', title: 'With a minus where the file has any, else by what the line is' },
  { value: 'as-stated', title: 'Money out has a minus' },
  { value: 'reversed', title: 'Money in has a minus, as on card statements' },
  { value: 'by-type', title: 'By what the line is, whatever its sign' },
];

const nameLengthMax = 200;
/** Those of a workspace come before the shipped ones. */
const profilesMax = 200;
/** The field of the form of the column at a place. */
const columnField = (place: string): string => `column-${place.slice(1)}`;

export const columnsKey = 'columns';

interface ColumnsView {
  readonly record: any;
  readonly refused: Refused | undefined;
}

/** Empty where no file waits for it. */
export async function columnsCard(page: Page, waiting: Waiting, { record, refused }: ColumnsView): Promise<Html> {
  const group = waiting.groups.find(({ columns }) => columns !== undefined);
  if (group === undefined || record.state !== 'checked' || !page.api.may('POST', profilesPath)) return emptyHtml;
  if (record.not_kept.rows > 0) {
    const text = `The file is too long to be kept while nobody has said what its columns mean. Make a file of its first lines, import that, and send the whole file afterwards: it is then read by itself.`;
    return card('What do the columns mean?', note(text, { tone: 'warn' }));
  }
  const isRefused = refused?.fields.get('key') === columnsKey;
  const chosen = isRefused ? refused.fields : undefined;
  const messages = isRefused ? { messages: problemTexts(refused) } : {};
  const select = (name: string, label: string, options: readonly Choice[], preset: string, hint?: string): Field => ({
    kind: 'select',
    form: columnsKey,
    name,
    label,
    options,
    value: chosen?.get(name) ?? preset,
    isRequired: true,
    ...(hint === undefined ? {} : { hint }),
  });
  const columns = group.columns.map(({ name, place, examples, field = unread }: any): Field => {
    const said = examples.length === 0 ? 'Empty in the first lines' : `Such as ${examples.join(' · ')}`;
    return select(columnField(place), name === '' ? `Column ${place.slice(1)}` : name, fieldChoices, field, said);
  });
  const layout: Field = {
    kind: 'text',
    form: columnsKey,
    name: 'name',
    label: 'Name of the layout',
    hint: 'Later files with these columns are read in the same way by themselves.',
    value: chosen?.get('name') ?? layoutName(record),
    maxLength: nameLengthMax,
    isRequired: true,
  };
  const form = postForm({
    id: columnsKey,
    action: `${importAddress(record.id)}/columns`,
    formToken: page.formToken,
    reader: page.reader,
    fields: [
      select('content', 'The lines are', contents, 'transactions'),
      ...columns,
      select('date_order', 'Dates are written', dateOrders, 'detect'),
      select('decimal_mark', 'Decimals are written with a', decimalMarks, 'detect'),
      select('signs', 'Amounts are written', signs, 'detect'),
      layout,
    ],
    hidden: { key: columnsKey },
    buttons: [{ title: 'Read the file so' }],
    ...messages,
  });
  return card(
    'What do the columns mean?',
    html`<p id="columns-of-file">
        No layout that is known fits this file: ${rowCount(page, group.rows)} wait. Say what each column is. What it
        probably is has been filled in. What the words of the file mean is asked afterwards.
      </p>
      ${form}${await knownLayoutForm(page, record)}`,
  );
}

/** A layout that somebody has described before, for a file that no longer has all of its columns. */
async function knownLayoutForm(page: Page, record: any): Promise<Html> {
  const { data } = await page.api.list(profilesPath, {}, profilesMax);
  const own = data.filter(({ is_shipped: isShipped }) => isShipped === false);
  if (own.length === 0) return emptyHtml;
  return postForm({
    id: 'known-layout',
    action: `${importAddress(record.id)}/columns`,
    formToken: page.formToken,
    reader: page.reader,
    fields: [
      {
        kind: 'select',
        form: 'known-layout',
        name: 'profile',
        label: 'Or use a layout of yours',
        options: own.map(({ id, name }) => ({ value: id, title: name })),
        isRequired: true,
      },
    ],
    hidden: { key: 'known-layout' },
    buttons: [{ title: 'Use it', kind: 'quiet' }],
  });
}

function layoutName(record: any): string {
  return `Layout of ${importName(record)}`.slice(0, nameLengthMax);
}

/** The API's sentences name its members, and the form has other words for them. */
function problemTexts({ problem }: Refused): readonly string[] {
  const texts = problem.errors.map(({ detail, pointer }) => {
    if (pointer === undefined || !pointer.includes('columns')) return detail;
    return neededTexts.find(([part]) => detail?.includes(part))?.[1] ?? detail;
  });
  const said = [...new Set(texts.filter((text) => text !== undefined))];
  return said.length === 0 ? [problem.detail] : said;
}

const neededTexts: readonly (readonly [string, string])[] = [
  ['needs a column for date', 'Say which column is the date.'],
  ['amount or', 'Say which column is the amount of money, or the units.'],
  ['for quantity', 'Say which column has the units.'],
  ['for isin', 'Say which column names the instrument: its ISIN, ticker, code or name.'],
  ['for price', 'Say which column is the price of a unit.'],
  ['for exchange_rate', 'Say which column is the exchange rate.'],
  ['for counter_currency', 'Say which column is the other currency.'],
  ['base currency', 'Say which column is the currency.'],
];

/** Creates the profile that the form describes, or takes the one that it names, and reads the file by it. */
export async function mapColumns(page: Page): Promise<Sent> {
  const id = page.params['id'] ?? '';
  const named = page.fields.get('profile') ?? '';
  if (named !== '') return page.api.send('PATCH', importApiPath(id), { profile: named });
  const { data } = await page.api.get(`${importApiPath(id)}/waiting`, { limit: '100' });
  const listed = data.find(({ columns }: any) => columns !== undefined)?.columns ?? [];
  const created = await page.api.send('POST', profilesPath, profileBody(listed, page.fields));
  if (!created.ok) return created;
  const sent = await page.api.send('PATCH', importApiPath(id), { profile: created.body.id });
  // A layout that cannot read even the file that it was made for helps nobody.
  if (!sent.ok) await page.api.send('DELETE', `${profilesPath}/${encodeURIComponent(created.body.id)}`);
  return sent;
}

function profileBody(listed: readonly any[], fields: URLSearchParams): Readonly<Record<string, unknown>> {
  const columns: Record<string, string[]> = {};
  const ignored: string[] = [];
  const recognised: string[] = [];
  for (const { name, place } of listed) {
    const field = fields.get(columnField(place)) ?? unread;
    const isOnly = name !== '' && listed.filter((one) => one.name === name).length === 1;
    // A name that stands twice says nothing; one with a bar would be two.
    const written = isOnly && !name.includes('|') && !/^#\d+$/.test(name) ? name : place;
    if (field === unread) ignored.push(written);
    else (columns[field] ??= []).push(written);
    if (field !== unread && written === name) recognised.push(name);
  }
  const text = (name: string): string => fields.get(name) ?? '';
  return {
    name: text('name'),
    content: text('content'),
    columns,
    ignored_columns: ignored.slice(0, 200),
    recognised_by: recognised.slice(0, 50),
    date_order: text('date_order'),
    decimal_mark: text('decimal_mark'),
    signs: text('signs'),
  };
}
