// The clients of the workspace as a tree: those that a search finds stand below their ancestors.

import { html } from '../../../../kit/html.ts';
import { buttonsRow, filterForm } from '../../parts/forms.ts';
import { emptyState, note } from '../../parts/notes.ts';
import { signedInPage, type Page, type PageContent } from '../../signed-in-page.ts';
import type { Row, Table } from '../../tables/table.ts';
import { doneNote } from '../resource/done-note.ts';
import type { ApiRecord } from '../resource/record-view.ts';
import { tableWithFiles } from '../resource/resource-list.ts';
import { valueTitle } from '../resource/words.ts';

const clientsMax = 2_000;

interface TreeNode {
  readonly client: ApiRecord;
  readonly level: number;
}

/** The clients in the order of the tree; with a search, those whose name has it and their ancestors. */
export function treeNodes(clients: readonly ApiRecord[], search: string): readonly TreeNode[] {
  const byId = new Map(clients.map((client) => [client['id'], client]));
  const parentOf = (client: ApiRecord): ApiRecord | undefined => byId.get(client['parent_id'] ?? '');
  const wanted = new Set<ApiRecord>();
  for (const client of clients) {
    if (!plainName(client['name']).includes(plainName(search))) continue;
    for (let at: ApiRecord | undefined = client; at !== undefined && !wanted.has(at); at = parentOf(at)) wanted.add(at);
  }
  const children = Map.groupBy(
    [...wanted].toSorted((a, b) => a['name'].localeCompare(b['name'])),
    parentOf,
  );
  const below = (parent: ApiRecord | undefined, level: number): readonly TreeNode[] =>
    (children.get(parent) ?? []).flatMap((client) => [{ client, level }, ...below(client, level + 1)]);
  return below(undefined, 0);
}

function plainName(name: string): string {
  return name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
}

function treeTable(nodes: readonly TreeNode[], page: Page): Table {
  const rows = nodes.map(({ client, level }): Row => ({
    level,
    cells: [
      { value: client['name'], href: `/console/clients/${encodeURIComponent(client['id'])}` },
      { value: client['reference_currency'] },
      { value: client['accounting_method'], text: valueTitle(client['accounting_method']) },
      { value: client['created_at'], text: page.formats.dateShort(client['created_at'].slice(0, 10)) },
    ],
  }));
  return {
    id: 'clients',
    caption: 'Clients',
    columns: [
      { key: 'name', title: 'Name', kind: 'text' },
      { key: 'currency', title: 'Reference currency', kind: 'text' },
      { key: 'method', title: 'Sales are matched', kind: 'text' },
      { key: 'created', title: 'Created', kind: 'text' },
    ],
    rows,
  };
}

async function showTree(page: Page): Promise<PageContent> {
  const search = page.query.get('q') ?? '';
  const { data, isCut } = await page.api.list('/v1/clients', {}, clientsMax);
  const mayCreate = page.api.may('POST', '/v1/clients');
  const action = { title: 'New client', href: '/console/clients/new' };
  const lede = html`Families, people and their branches. Everything else belongs to a client.`;
  // Whoever is a member sees a client: only an administrator of the workspace sees none.
  if (data.length === 0) {
    const text = 'A client is a family, a person or a branch of one. Begin with the topmost.';
    return { title: 'Clients', lede, main: emptyState({ title: 'No clients yet', text, action }) };
  }
  const table = treeTable(treeNodes(data, search), page);
  const filter = filterForm({
    path: '/console/clients',
    reader: page.reader,
    fields: [{ kind: 'search', name: 'q', label: 'Name', value: search }],
    isFiltered: search !== '',
  });
  const cut = isCut
    ? note(`Only the first ${clientsMax} clients are here. Search by the API.`, { tone: 'warn' })
    : html``;
  const main = html`${doneNote(page)}${mayCreate ? buttonsRow([action]) : html``}${filter}${cut}${tableWithFiles(page, table)}`;
  return { title: 'Clients', lede, main, tables: [table] };
}

export const clientTreePage = signedInPage({
  id: 'client-tree',
  path: '/console/clients',
  summary: 'Clients as a tree',
  area: 'console',
  handle: showTree,
});
