// The pages of a kind of record, made from what the API declares: list, record, creating, changing and deleting.
// `resourcePages({ type: 'account', lede, columns: ['name', 'currency', 'client_id'], filters: ['client_id', 'currency'] })`.

import { signedInForm, signedInPage, type Page, type PageAnswer } from '../../signed-in-page.ts';
import type { Area } from '../../menu.ts';
import type { WebPath } from '../../web-path.ts';
import { resourceParts, type ResourceDefinition, type ResourceParts } from './resource-definition.ts';
import { deleteRecord, showDeletion } from './resource-delete.ts';
import { showList } from './resource-list.ts';
import { showRecord } from './resource-record.ts';
import { change, create, showChange, showCreation } from './resource-write.ts';

type PageName = 'list' | 'record' | 'creation' | 'change' | 'deletion';

type Handler = (page: Page, parts: ResourceParts) => Promise<PageAnswer>;

interface PageKind {
  readonly name: PageName;
  readonly verb: string;
  readonly place: (pagePath: string) => string;
  readonly show: Handler;
  /** What its form does; the form is sent to the page's own address. */
  readonly perform?: Handler;
}

const pageKinds: readonly PageKind[] = [
  { name: 'list', verb: 'list', place: (path) => path, show: showList },
  { name: 'creation', verb: 'new', place: (path) => `${path}/new`, show: showCreation, perform: create },
  { name: 'record', verb: 'show', place: (path) => `${path}/{id}`, show: showRecord },
  { name: 'change', verb: 'edit', place: (path) => `${path}/{id}/edit`, show: showChange, perform: change },
  {
    name: 'deletion',
    verb: 'delete',
    place: (path) => `${path}/{id}/delete`,
    show: showDeletion,
    perform: deleteRecord,
  },
];

/** Those pages that a group draws itself are left out. */
export function resourcePages(
  definition: ResourceDefinition,
  { without = [] }: { readonly without?: readonly PageName[] } = {},
): readonly WebPath[] {
  const parts = resourceParts(definition);
  const area: Area = 'console';
  const wanted = pageKinds.filter(({ name }) => !without.includes(name));
  return wanted.flatMap(({ verb, place, show, perform }) => {
    const common = { path: place(parts.kind.pagePath), summary: `${verb} ${parts.kind.one}`, area };
    const page = signedInPage({ ...common, id: `${definition.type}-${verb}`, handle: (at) => show(at, parts) });
    if (perform === undefined) return [page];
    const handle = (at: Page): Promise<PageAnswer> => perform(at, parts);
    return [page, signedInForm({ ...common, id: `${definition.type}-${verb}-send`, handle })];
  });
}
