// The page of one record: all its fields, what hangs on it, and the ways to change and delete it.

import { emptyHtml, html } from '../../../../kit/html.ts';
import { buttonsRow, type Button } from '../../parts/forms.ts';
import { doneNote } from './done-note.ts';
import type { Page, PageContent } from '../../signed-in-page.ts';
import { historyAddress, nameOf } from './record-kinds.ts';
import { recordFacts, type ApiRecord } from './record-view.ts';
import type { ResourceParts } from './resource-definition.ts';
import { capitalise } from './words.ts';

export async function showRecord(page: Page, parts: ResourceParts): Promise<PageContent> {
  const { kind, definition } = parts;
  const id = page.params['id'] ?? '';
  const { resource } = parts.operation(page, 'GET', 'record');
  const record = await page.api.get(parts.recordPath(id));
  const [facts, sections] = await Promise.all([
    recordFacts(page, record, { resource, without: definition.notAsFacts ?? [] }),
    definition.sections?.(page, record),
  ]);
  return {
    title: nameOf(record),
    lede: html`<a href="${kind.pagePath}">${capitalise(kind.several)}</a>`,
    main: html`${doneNote(page)}${buttonsRow(recordButtons(page, parts, record))}
      <section class="card">
        <h2>${capitalise(kind.one)}</h2>
        ${facts}
      </section>
      ${sections?.main ?? emptyHtml}`,
    tables: sections?.tables ?? [],
    ...(sections?.islands === undefined ? {} : { islands: sections.islands }),
  };
}

function recordButtons(page: Page, parts: ResourceParts, record: ApiRecord): readonly Button[] {
  const { type, actions } = parts.definition;
  const address = `${parts.kind.pagePath}/${encodeURIComponent(record['id'])}`;
  const edit: Button = { title: 'Edit', href: `${address}/edit`, kind: 'primary' };
  const more = (actions?.(page, record) ?? []).map((action): Button => ({ ...action, kind: 'quiet' }));
  const history: Button = { title: 'History', href: historyAddress(type, record['id']), kind: 'quiet' };
  const deletion: Button = { title: 'Delete…', href: `${address}/delete`, kind: 'danger' };
  return [
    ...(parts.may(page, 'PATCH', 'record') ? [edit] : []),
    ...more,
    ...(page.api.may('GET', '/v1/audit-log') ? [history] : []),
    ...(parts.may(page, 'DELETE', 'record') ? [deletion] : []),
  ];
}
