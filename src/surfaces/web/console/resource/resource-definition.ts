// What a group of resource pages is made from: a kind of record, and what its pages show beyond what the API declares.

import type { Html } from '../../../../kit/html.ts';
import type { Operation } from '../../../http/operation/operation.ts';
import type { PageContent, Page } from '../../signed-in-page.ts';
import type { Table } from '../../tables/table.ts';
import { recordKind } from './record-kinds.ts';
import type { ApiRecord } from './record-view.ts';

export interface RecordSections {
  readonly main: Html;
  readonly tables?: readonly Table[];
  readonly islands?: PageContent['islands'];
}

export interface ResourceDefinition {
  /** One of the record kinds of the console. */
  readonly type: string;
  /** A sentence below the title of the list. */
  readonly lede: string;
  /** Fields of a record, for the list; the first leads to the record. */
  readonly columns: readonly string[];
  /** Parameters of the API's list, in the order of the filter form. */
  readonly filters?: readonly string[];
  /** Fields that its page shows in another way. */
  readonly notAsFacts?: readonly string[];
  /** Fields that no form has. */
  readonly notInForms?: readonly string[];
  /** Fields that are set by a form of their own after the creation. */
  readonly notInChanges?: readonly string[];
  /** Whether references can be chosen from all clients; else from those of the record's own. */
  readonly spansClients?: true;
  /** What a change of it means, above the form for changes. */
  readonly changeNote?: string;
  /** What is deleted with it. */
  readonly deletedTogether?: readonly string[];
  /** What the form for a new record has above its buttons. */
  creationExtras?(page: Page): { readonly main: Html; readonly islands?: PageContent['islands'] };
  /** What its page shows below the facts. */
  sections?(page: Page, record: ApiRecord): Promise<RecordSections>;
  /** Links of its page beside editing and deleting. */
  actions?(page: Page, record: ApiRecord): readonly { readonly title: string; readonly href: string }[];
}

/** Which of the four kinds of writes and reads the API declares for it, and where. */
export interface ResourceParts {
  readonly definition: ResourceDefinition;
  readonly kind: ReturnType<typeof recordKind>;
  operation(page: Page, method: Operation['method'], place: 'list' | 'record'): Operation;
  may(page: Page, method: Operation['method'], place: 'list' | 'record'): boolean;
  recordPath(id: string): string;
}

export function resourceParts(definition: ResourceDefinition): ResourceParts {
  const kind = recordKind(definition.type);
  const pathOf = (place: 'list' | 'record'): string => (place === 'list' ? kind.apiPath : `${kind.apiPath}/{id}`);
  return {
    definition,
    kind,
    operation: (page, method, place) => page.api.operation(method, pathOf(place)),
    may: (page, method, place) => page.api.may(method, pathOf(place)),
    recordPath: (id) => `${kind.apiPath}/${encodeURIComponent(id)}`,
  };
}
