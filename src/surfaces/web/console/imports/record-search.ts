// Searches for the record that words of a file mean: a few results with what tells them apart, the client's own first.

import type { Page } from '../../signed-in-page.ts';

export type SearchedKind = 'account' | 'depository' | 'instrument';

/** More are not shown: another word finds them. */
const resultsMax = 10;

export interface FoundOption {
  readonly value: string;
  readonly title: string;
  readonly text: string;
}

interface Search {
  readonly kind: SearchedKind;
  /** As a person types it; empty lists the first. */
  readonly text: string;
  readonly client: string | null;
}

/** A search has at most eight words, of letters and digits. */
function searchText(text: string): string {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(0, 8).join(' ').slice(0, 200);
}

export async function searchRecords(page: Page, { kind, text, client }: Search): Promise<readonly FoundOption[]> {
  const q = searchText(text);
  switch (kind) {
    case 'account':
      return accountOptions(page, { q, client });
    case 'depository':
      return depositoryOptions(page, { q, client });
    case 'instrument':
      return instrumentOptions(page, { q, client });
  }
}

/** Found by everybody who searches for a currency, and meant by few. */
const moneyTypes: readonly string[] = ['cash-instrument', 'fees-owed-instrument'];

interface Query {
  readonly q: string;
  readonly client: string | null;
}

const limit = String(resultsMax);

async function accountOptions(page: Page, { q, client }: Query): Promise<readonly FoundOption[]> {
  const { data } = await page.api.get('/v1/accounts', { limit, q, client_id: client });
  const [owners, clients] = await Promise.all([
    namesOf(page, '/v1/legal-entities', data, 'entity_id'),
    client === null ? namesOf(page, '/v1/clients', data, 'client_id') : new Map<string, string>(),
  ]);
  return data.map((one: any) => ({
    value: one.id,
    title: one.name,
    text: joined([
      one.external_identifier,
      one.currency,
      owners.get(one.entity_id),
      one.institution,
      clients.get(one.client_id),
    ]),
  }));
}

/** Depositories have no search: a client has few. */
async function depositoryOptions(page: Page, { q, client }: Query): Promise<readonly FoundOption[]> {
  const { data } = await page.api.list('/v1/depositories', { client_id: client }, 500);
  const words = q.toLowerCase().split(' ');
  const found = data.filter((one: any) => {
    const said = `${one.name} ${one.external_identifier ?? ''}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
  const shown = found.slice(0, resultsMax);
  const owners = await namesOf(page, '/v1/legal-entities', shown, 'legal_entity_id');
  return shown.map((one: any) => ({
    value: one.id,
    title: one.name,
    text: joined([one.external_identifier, owners.get(one.legal_entity_id)]),
  }));
}

async function instrumentOptions(page: Page, { q, client }: Query): Promise<readonly FoundOption[]> {
  if (q === '') return [];
  const { data } = await page.api.get('/v1/instruments', { limit: '100', q });
  const isMoneyMeant = /\b(?:cash|fees)\b/i.test(q);
  const isOwn = (one: any): boolean => client !== null && one.client_id === client;
  const meant = data.filter(
    (one: any) => isOwn(one) || (one.client_id === null && (isMoneyMeant || !moneyTypes.includes(one.type))),
  );
  const own = meant.filter(isOwn);
  const shown = [...own, ...meant.filter((one: any) => !isOwn(one))].slice(0, resultsMax);
  return shown.map((one: any) => ({
    value: one.id,
    title: one.name,
    text: joined([
      one.isin,
      one.ticker,
      one.external_identifier,
      one.currency,
      isOwn(one) ? 'private to this client' : undefined,
    ]),
  }));
}

/** The names of what records refer to, each read once. */
async function namesOf(
  page: Page,
  path: string,
  records: readonly any[],
  member: string,
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(records.map((record): string => record[member]))];
  const found = await Promise.all(ids.map((id) => page.api.find(`${path}/${encodeURIComponent(id)}`)));
  return new Map(found.flatMap((record) => (record === undefined ? [] : [[record.id, record.name] as const])));
}

function joined(parts: readonly (string | null | undefined)[]): string {
  return parts.filter((part) => part != null && part !== '').join(' · ');
}
