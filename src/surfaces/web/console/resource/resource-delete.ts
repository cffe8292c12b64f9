// Deleting a record: the person types its name; what keeps it is listed with links.

import { html } from '../../../../kit/html.ts';
import type { DeleteBlocker } from '../../../../kit/resource.ts';
import { snakeCaseNameOf } from '../../../../kit/resource.ts';
import { confirmationField, dangerConfirmation, isNameTyped } from '../../parts/danger.ts';
import { note } from '../../parts/notes.ts';
import type { Page, PageAnswer } from '../../signed-in-page.ts';
import { findRecordKind, nameOf } from './record-kinds.ts';
import type { ApiRecord } from './record-view.ts';
import type { ResourceParts } from './resource-definition.ts';

export async function showDeletion(page: Page, parts: ResourceParts): Promise<PageAnswer> {
  page.api.require('DELETE', `${parts.kind.apiPath}/{id}`);
  const record = await page.api.get(parts.recordPath(page.params['id'] ?? ''));
  page.api.announce({ method: 'DELETE', url: parts.recordPath(record.id) });
  return deletionPage(page, parts, { record });
}

interface DeletionState {
  readonly record: ApiRecord;
  readonly typed?: string;
  /** What keeps it, as the API says it. */
  readonly refusal?: string;
}

function deletionPage(page: Page, parts: ResourceParts, { record, typed, refusal }: DeletionState): PageAnswer {
  const { kind, definition } = parts;
  const name = nameOf(record);
  const address = `${kind.pagePath}/${encodeURIComponent(record['id'])}`;
  const blockers = refusal === undefined ? [] : blockersIn(page, parts, { refusal, record });
  const confirmation = dangerConfirmation({
    name,
    action: `${address}/delete`,
    formToken: page.formToken,
    cancelHref: address,
    reader: page.reader,
    together: (definition.deletedTogether ?? []).map((title) => ({ title })),
    blockers,
    typed,
  });
  const isUnlisted = refusal !== undefined && blockers.length === 0;
  const main = isUnlisted ? html`${note(refusal, { tone: 'danger', isLive: true })}${confirmation}` : confirmation;
  const status = refusal === undefined ? 422 : 409;
  return { title: `Delete ${name}`, main, ...(refusal === undefined && typed === undefined ? {} : { status }) };
}

export async function deleteRecord(page: Page, parts: ResourceParts): Promise<PageAnswer> {
  page.api.require('DELETE', `${parts.kind.apiPath}/{id}`);
  const path = parts.recordPath(page.params['id'] ?? '');
  const record = await page.api.get(path);
  const typed = page.fields.get(confirmationField) ?? '';
  if (!isNameTyped(nameOf(record), typed)) return deletionPage(page, parts, { record, typed });
  const sent = await page.api.send('DELETE', path);
  if (sent.ok) return { redirectUrl: `${parts.kind.pagePath}?done=deleted` };
  return deletionPage(page, parts, { record, refusal: sent.problem.detail });
}

/** The parts of the refusal that count records, each with a link to their list. */
function blockersIn(
  page: Page,
  parts: ResourceParts,
  { refusal, record }: { readonly refusal: string; readonly record: ApiRecord },
): readonly { title: string; href?: string }[] {
  const declared = parts.operation(page, 'DELETE', 'record').resource?.deletion?.blockedBy ?? [];
  return declared.flatMap((blocker) => {
    const { one, several } = blocker;
    const [title] = new RegExp(`\\b\\d+ (?:${several}|${one})(?=[,.])`).exec(refusal) ?? [];
    if (title === undefined) return [];
    const href = blockerAddress(page, { blocker, type: parts.definition.type, id: record['id'] });
    return [href === undefined ? { title } : { title, href }];
  });
}

interface BlockerPlace {
  readonly blocker: DeleteBlocker;
  readonly type: string;
  readonly id: string;
}

/** The list of what keeps it, where the console has one that can be filtered by this record. */
function blockerAddress(page: Page, { blocker, type, id }: BlockerPlace): string | undefined {
  const kind = findRecordKind(blockingType(blocker));
  if (kind === undefined) return undefined;
  const { query, resource } = page.api.operation('GET', kind.apiPath);
  const relation = Object.entries(resource?.relations ?? {}).find(([, { to }]) => to === type);
  const names = [blocker.column, relation && snakeCaseNameOf(...relation), `${type.replaceAll('-', '_')}_id`];
  const parameter = names.find((name) => name !== undefined && query[name] !== undefined);
  return parameter === undefined
    ? undefined
    : `${kind.pagePath}?${new URLSearchParams({ [parameter]: id }).toString()}`;
}

const blockingTables: Readonly<Record<string, string>> = {
  limit_rule: 'limit',
  membership: 'user',
  read_grant: 'user',
};

function blockingType({ table, one }: DeleteBlocker): string {
  return blockingTables[table] ?? (findRecordKind(table.replaceAll('_', '-')) ? table.replaceAll('_', '-') : one);
}
