// Undoes what an import created beside its rows: removes instruments that nothing else uses, and forgets what codes were learned to mean.

import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { identifierMapping, type IdentifierMapping } from '../../model/custody/identifier-mapping.ts';
import { instrument as instrumentResource } from '../../model/instrument/instrument.ts';
import { seriesPoints } from '../../model/instrument/series-point.ts';
import { instrumentActions } from '../instruments/instrument-actions.ts';
import { snapshot } from '../core/snapshot.ts';
import { audit, type Work } from '../core/work.ts';
import { refusalDetail } from './entry-input.ts';
import { batchRowsMax } from './batch-size.ts';
import { auditMapping, instrumentContent, type LearnedContent } from './names/named-instrument.ts';

/** A created record that stays, and why. */
export interface KeptRecord {
  readonly id: Id;
  readonly name: string;
  readonly reason: string;
}

/** What was created last goes first. Returns what stays. */
export async function undoCreations(work: Work, importId: Id): Promise<readonly KeptRecord[]> {
  const kept: KeptRecord[] = [];
  const instruments: { id: Id; content: string }[] = [];
  for (let after: number | undefined; ;) {
    const creations = await work.store.importCreations.list(importId, { after, limit: batchRowsMax });
    if (creations.length === 0) break;
    for (const { type, id, content } of creations) {
      if (type === 'instrument') instruments.push({ id, content });
      else await forgetMapping(work, id, JSON.parse(content));
    }
    after = creations.at(-1)?.number;
  }
  for (const { id, content } of instruments) {
    const stays = await removeInstrument(work, id, content);
    if (stays !== undefined) kept.push(stays);
  }
  return kept;
}

/** A mapping that somebody set or changed since is theirs. */
async function forgetMapping(work: Work, id: Id, { before, after }: LearnedContent): Promise<void> {
  const table = work.store.table(identifierMapping);
  const present = await table.lock(id, 'to-delete');
  if (present === undefined || present.source !== 'learned' || present.instrument !== after) return;
  if (before !== null && (await work.store.table(instrumentResource).lockReferenced([before])).length > 0) {
    auditMapping(work, { before: present, after: await table.update(id, { instrument: before }) });
    return;
  }
  await table.delete(id);
  auditDeletion(work, present);
}

function auditDeletion(work: Work, record: IdentifierMapping): void {
  const { type } = identifierMapping;
  const before = snapshot(identifierMapping, record);
  audit(work, { act: 'delete', type, id: record.id, clientId: record.client, before, after: null });
}

/** Returns why it stays, if it does. */
async function removeInstrument(work: Work, id: Id, content: string): Promise<KeptRecord | undefined> {
  const present = await work.store.table(instrumentResource).lock(id, 'to-delete');
  if (present === undefined) return undefined;
  const keep = (reason: string): KeptRecord => ({ id, name: present.name, reason });
  if (instrumentContent(present) !== content) return keep('It was changed since.');
  const mappings = await work.store.table(identifierMapping).list({ where: { instrument: id }, limit: 1 });
  if (mappings.length > 0) return keep('An identifier mapping leads to it.');
  if (await work.store.importCreations.isNamedByLimit(id)) return keep('A limit names it.');
  for (const resource of seriesPoints) {
    const points = await work.store.table(resource).list({ where: { instrument: id }, limit: 1 });
    if (points.length > 0) return keep('It has prices or other values that this import did not bring.');
  }
  try {
    await instrumentActions.delete(work, id);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return keep(refusalDetail(error));
    throw error;
  }
}
