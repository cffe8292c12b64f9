// What becomes of a row, made in one place so that every outcome has its reason.

import type { Id } from '../../kit/id.ts';
import type { Refusal } from '../../kit/refusal.ts';
import type { RowNeed, RowTarget } from '../../model/custody/import-row.ts';
import type { RowResult } from '../../store/imports/import-rows.ts';
import { refusalCode, refusalDetail } from './entry-input.ts';

const nothing: RowResult = {
  outcome: 'unchanged',
  code: null,
  detail: null,
  needs: null,
  account: null,
  reference: null,
  target: null,
  before: null,
};

export interface Reason {
  readonly code: string;
  readonly detail: string;
}

export function done(
  outcome: 'booked' | 'amended' | 'unchanged',
  target: { readonly type: RowTarget; readonly id: Id | null; readonly version?: number | null } | null,
  reason?: Reason,
): RowResult {
  return { ...nothing, ...reason, outcome, target: target && { version: null, ...target } };
}

export function refused(refusal: Refusal): RowResult {
  return { ...nothing, outcome: 'refused', code: refusalCode(refusal), detail: refusalDetail(refusal) };
}

export function refusedFor(reason: Reason): RowResult {
  return { ...nothing, ...reason, outcome: 'refused' };
}

export function waitsFor(needs: RowNeed, reason: Reason): RowResult {
  return { ...nothing, ...reason, outcome: 'needs', needs };
}
