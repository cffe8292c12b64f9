// What the form of a limit holds, and the bodies that creating and changing it send.

import type { Page } from '../../signed-in-page.ts';
import { boundMembers, sentBound, typedBound, type LimitKind } from './bounds-fields.ts';
import { applyAct, draftOf, filterOf, readDraft, type GroupDraft } from './filter-draft.ts';

export interface LimitValues {
  readonly name: string;
  readonly reportingEntity: string;
  readonly min: string;
  readonly max: string;
  readonly draft: GroupDraft;
}

export function sentValues({ fields }: Page): LimitValues {
  const draft = applyAct(readDraft(fields), fields.get('act') ?? '');
  return {
    name: (fields.get('name') ?? '').trim(),
    reportingEntity: fields.get('reporting_entity_id') ?? '',
    min: fields.get('min') ?? '',
    max: fields.get('max') ?? '',
    draft,
  };
}

/** What the API is sent of a limit. */
function bodyOf(kind: LimitKind, { name, reportingEntity, min, max, draft }: LimitValues): Record<string, unknown> {
  const members = boundMembers[kind];
  return {
    name,
    reporting_entity_id: reportingEntity === '' ? null : reportingEntity,
    [members.min]: sentBound(kind, min),
    [members.max]: sentBound(kind, max),
    filter: filterOf(draft),
  };
}

export function creationBody(client: any, kind: LimitKind, values: LimitValues): Record<string, unknown> {
  const body = bodyOf(kind, values);
  const sent = Object.entries(body).filter(([, value]) => value !== null && value !== '');
  return { client_id: client.id, kind, ...Object.fromEntries(sent) };
}

export function recordValues(limit: any): LimitValues {
  const kind: LimitKind = limit.kind;
  const members = boundMembers[kind];
  return {
    name: limit.name,
    reportingEntity: limit.reporting_entity_id ?? '',
    min: typedBound(limit.kind, limit[members.min]),
    max: typedBound(limit.kind, limit[members.max]),
    draft: draftOf(limit.filter),
  };
}

/** Only what differs from the limit as it is. */
export function changedMembers(limit: any, values: LimitValues): Record<string, unknown> {
  const body = bodyOf(limit.kind, values);
  const before = bodyOf(limit.kind, recordValues(limit));
  const changed = Object.entries(body).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  return Object.fromEntries(changed);
}
