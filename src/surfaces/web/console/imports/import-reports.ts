// Whether reports show what was booked: accounts in no portfolio, and one click that adds them to one.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import type { Field } from '../../parts/field.ts';
import { postForm } from '../../parts/forms.ts';
import { note } from '../../parts/notes.ts';
import { card } from '../../parts/parts.ts';
import type { Sent } from '../../page-api.ts';
import { signedInForm, type Page, type PageContent } from '../../signed-in-page.ts';
import type { WebPath } from '../../web-path.ts';
import { readOptions, type Option } from '../console-table.ts';
import { importAddress, importApiPath } from './import-words.ts';
import type { Refused } from './import-waiting.ts';

/** How many accounts are named. */
const namedMax = 5;
/** An import of more accounts is added in several steps. */
const accountsMax = 500;

async function listUnreported(page: Page, id: string): Promise<readonly any[]> {
  const { data } = await page.api.list(`${importApiPath(id)}/accounts`, {}, accountsMax);
  return data.filter(({ reported }) => reported === false);
}

export async function reportsCard(page: Page, record: any, refused: Refused | undefined): Promise<Html> {
  if (record.client_id === null) return emptyHtml;
  const accounts = await listUnreported(page, record.id);
  if (accounts.length === 0) return emptyHtml;
  const named = accounts.slice(0, namedMax).map(({ name }) => name);
  const more = accounts.length > namedMax ? ` and ${accounts.length - namedMax} more accounts` : '';
  const isRefused = refused?.fields.get('key') === 'reports';
  const options = await portfolioOptions(page, record.client_id);
  const choice: Field = {
    kind: 'select',
    form: 'reports',
    name: 'portfolio',
    label: 'Portfolio',
    options,
    isRequired: true,
    value: isRefused ? (refused.fields.get('portfolio') ?? undefined) : options[0]?.value,
  };
  const form = postForm({
    id: 'reports',
    action: `${importAddress(record.id)}/reports`,
    formToken: page.formToken,
    reader: page.reader,
    fields: [choice],
    hidden: { key: 'reports' },
    buttons: [{ title: 'Add to portfolio' }],
    ...(isRefused ? { messages: [refused.problem.detail] } : {}),
  });
  return card(
    'Not in any report yet',
    html`${note(
      html`<p>No portfolio contains ${named.join(', ')}${more}. Reports leave out what is booked there.</p>`,
      {
        tone: 'warn',
      },
    )}${form}`,
  );
}

/** Portfolios with their reporting entities; new ones for those that have none, and for a client without any. */
async function portfolioOptions(page: Page, client: string): Promise<readonly Option[]> {
  const [portfolios, entities] = await Promise.all([
    page.api.list('/v1/portfolios', { client_id: client }, 200),
    readOptions(page, '/v1/reporting-entities', { client_id: client }),
  ]);
  const names = new Map(entities.map(({ value, title }) => [value, title]));
  const known = portfolios.data.map((one) => ({
    value: String(one.id),
    title: [one.name, names.get(one.reporting_entity_id)].filter(Boolean).join(' · '),
  }));
  const divided = new Set(portfolios.data.map((one) => one.reporting_entity_id));
  const empty = entities
    .filter(({ value }) => !divided.has(value))
    .map(({ value, title }) => ({ value: `entity ${value}`, title: `A new portfolio of ${title}` }));
  const first = entities.length === 0 ? [{ value: 'new', title: 'A new portfolio of everything' }] : [];
  return [...known, ...empty, ...first];
}

/** Adds the accounts of an import that no portfolio contains, with the depositories that they settle through. */
async function addToPortfolio(page: Page, id: string): Promise<Sent> {
  const chosen = page.fields.get('portfolio') ?? '';
  const [record, unreported] = await Promise.all([page.api.get(importApiPath(id)), listUnreported(page, id)]);
  const accounts: string[] = unreported.map(({ account_id: account }) => account);
  const records = await Promise.all(accounts.map((account) => page.api.get(`/v1/accounts/${account}`)));
  const depositories: string[] = [...new Set(records.flatMap((account) => account.depository_ids))];
  const places = { account_ids: accounts, depository_ids: depositories };
  if (chosen === 'new' || chosen.startsWith('entity ')) {
    const entity = chosen === 'new' ? await newReportingEntity(page, record.client_id) : chosen.slice('entity '.length);
    if (typeof entity !== 'string') return entity;
    return page.api.send('POST', '/v1/portfolios', { reporting_entity_id: entity, name: 'All', ...places });
  }
  const path = `/v1/portfolios/${encodeURIComponent(chosen)}`;
  const { body: portfolio, etag } = await page.api.read(path);
  const joined = {
    account_ids: [...new Set([...portfolio.account_ids, ...accounts])],
    depository_ids: [...new Set([...portfolio.depository_ids, ...depositories])],
  };
  return page.api.send('PATCH', path, joined, { 'if-match': etag });
}

/** The id of a reporting entity with the client's name, or why it was refused. */
async function newReportingEntity(page: Page, client: string): Promise<string | Sent> {
  const { name } = await page.api.get(`/v1/clients/${encodeURIComponent(client)}`);
  const sent = await page.api.send('POST', '/v1/reporting-entities', { client_id: client, name });
  return sent.ok ? sent.body.id : sent;
}

type ShowImport = (page: Page, shown: { readonly refused: Refused }) => Promise<PageContent>;

export function reportsForm(show: ShowImport): WebPath {
  return signedInForm({
    id: 'import.report',
    path: '/console/imports/{id}/reports',
    summary: 'Add the accounts of an import to a portfolio',
    area: 'console',
    async handle(page) {
      const id = page.params['id'] ?? '';
      const sent = await addToPortfolio(page, id);
      if (!sent.ok) return show(page, { refused: { fields: page.fields, problem: sent.problem } });
      return { redirectUrl: `${importAddress(id)}?done=reported` };
    },
  });
}
