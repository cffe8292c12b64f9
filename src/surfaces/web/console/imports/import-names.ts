// The words of a file that name no record, or several: each is assigned to one by an identifier mapping.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import type { Field } from '../../parts/field.ts';
import { postForm } from '../../parts/forms.ts';
import { note } from '../../parts/notes.ts';
import { card } from '../../parts/parts.ts';
import type { ApiProblem } from '../../page-api.ts';
import type { Page } from '../../signed-in-page.ts';
import { readOptions, type Option } from '../console-table.ts';

type Kind = 'account' | 'depository' | 'instrument';

/** A word that waits for its record, and how many rows wait with it. */
interface WaitingName {
  readonly kind: Kind;
  readonly scheme: string;
  readonly value: string;
  /** Only of the number of an account. */
  readonly currency: string | null;
  /** Only of a ticker. */
  readonly mic: string | null;
  /** As the file says it, for people. */
  readonly title: string;
  rows: number;
}

/** How a file names instruments, the strongest first. */
const instrumentWords = [
  ['isin', 'isin'],
  ['cusip', 'cusip'],
  ['sedol', 'sedol'],
  ['custodian_code', 'custodian-code'],
  ['ticker', 'ticker'],
  ['name', 'name'],
] as const;

/** More words than this are not shown on one page. */
const namesMax = 50;
const rowsRead = 1_000;

export async function readWaitingNames(page: Page, id: string): Promise<readonly WaitingName[]> {
  const { data } = await page.api.list(`/v1/imports/${id}/rows`, { outcome: 'needs' }, rowsRead);
  const names = new Map<string, WaitingName>();
  for (const row of data) {
    const name = nameOf(row);
    if (name === undefined) continue;
    const key = JSON.stringify([name.kind, name.scheme, name.value, name.currency, name.mic]);
    const known = names.get(key);
    if (known === undefined) names.set(key, name);
    else known.rows += 1;
  }
  return [...names.values()].slice(0, namesMax);
}

function nameOf({ needs, code, stated, account_id }: any): WaitingName | undefined {
  if (needs === 'instrument') return instrumentName(stated.instrument);
  if (needs !== 'account') return undefined;
  const kind = String(code).startsWith('depository') ? 'depository' : 'account';
  const named = stated[kind];
  if (named === undefined) return undefined;
  // Of a row whose own account is known, the account of the other leg is asked for.
  const rowCurrency = account_id == null ? (stated.currency ?? stated.instrument?.currency) : stated.counter_currency;
  const isAmbiguous = code === 'account-ambiguous';
  const currency = kind === 'account' ? (named.currency ?? (isAmbiguous ? rowCurrency : null) ?? null) : null;
  const title = [named.number, currency, named.institution].filter(Boolean).join(' · ');
  return { kind, scheme: 'number', value: named.number, currency, mic: null, title, rows: 1 };
}

function instrumentName(named: any): WaitingName | undefined {
  const found = instrumentWords.find(([word]) => named?.[word] !== undefined);
  if (found === undefined) return undefined;
  const [word, scheme] = found;
  const mic = scheme === 'ticker' ? (named.mic ?? null) : null;
  const title = [named[word], word === 'name' ? undefined : named.name, named.currency].filter(Boolean).join(' · ');
  return { kind: 'instrument', scheme, value: named[word], currency: null, mic, title, rows: 1 };
}

const kindTitles: Readonly<Record<Kind, string>> = {
  account: 'Account',
  depository: 'Depository',
  instrument: 'Instrument',
};

const listPaths: Readonly<Record<Kind, string>> = {
  account: '/v1/accounts',
  depository: '/v1/depositories',
  instrument: '/v1/instruments',
};

interface Assignment {
  readonly fields: URLSearchParams;
  readonly problem: ApiProblem;
}

/** One form for each word. `refused` is the assignment that could not be made. */
export async function waitingNamesCard(
  page: Page,
  record: any,
  { names, refused }: { readonly names: readonly WaitingName[]; readonly refused?: Assignment | undefined },
): Promise<Html> {
  if (names.length === 0) return emptyHtml;
  const client: string | null = record.client_id;
  const kinds = new Set(names.map(({ kind }) => kind));
  const read = async (kind: Kind): Promise<readonly Option[]> => {
    if (!kinds.has(kind)) return [];
    return readOptions(page, listPaths[kind], client === null || kind === 'instrument' ? {} : { client_id: client });
  };
  const [account, depository, instrument] = await Promise.all([
    read('account'),
    read('depository'),
    read('instrument'),
  ]);
  const options = { account, depository, instrument };
  const forms = names.map((name, index) =>
    nameForm(page, record, { name, index, options: options[name.kind], refused }),
  );
  const intro = html`<p>
    The file uses words that no record has, or several have. Say once what each means: the mapping is kept, and later
    files are read with it.
  </p>`;
  return card('What the file names', html`${intro}${forms}`);
}

interface NameForm {
  readonly name: WaitingName;
  readonly index: number;
  readonly options: readonly Option[];
  readonly refused: Assignment | undefined;
}

function nameForm(page: Page, record: any, { name, index, options, refused }: NameForm): Html {
  const { kind, scheme, value, currency, mic, title, rows } = name;
  const isRefused = refused?.fields.get('value') === value && refused.fields.get('kind') === kind;
  const form = `name-${index}`;
  const waiting = rows === 1 ? 'One row waits' : `${rows} rows wait`;
  if (options.length === 0) {
    return note(html`<p>${title}: ${waiting}, and there is no ${kind} yet that it could mean. Create one first.</p>`);
  }
  const target: Field = {
    kind: 'select',
    form,
    name: 'target',
    label: `${kindTitles[kind]} “${title}”`,
    hint: `${waiting} for it.`,
    options,
    isRequired: true,
  };
  return postForm({
    id: form,
    action: `/console/imports/${record.id}/names`,
    formToken: page.formToken,
    reader: page.reader,
    fields: [target],
    hidden: { kind, scheme, value, currency: currency ?? '', mic: mic ?? '' },
    buttons: [{ title: 'Assign', kind: 'quiet' }],
    ...(isRefused ? { messages: [refused.problem.detail] } : {}),
  });
}

/** The body of the identifier mapping that a form asks for. */
export function mappingBody(record: any, fields: URLSearchParams): Readonly<Record<string, string>> {
  const kind = fields.get('kind') ?? '';
  const optional = ['currency', 'mic'].flatMap((name) => {
    const value = fields.get(name) ?? '';
    return value === '' ? [] : [[name, value]];
  });
  return {
    kind,
    scheme: fields.get('scheme') ?? '',
    value: fields.get('value') ?? '',
    ...Object.fromEntries(optional),
    ...(record.client_id === null ? {} : { client_id: record.client_id }),
    ...(record.custodian_id === null ? {} : { custodian_id: record.custodian_id }),
    [`${kind}_id`]: fields.get('target') ?? '',
  };
}
