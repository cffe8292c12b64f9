// A finding before it is reported: its transactions are row numbers, and its figures can still be explained.

import type { ReportedFinding } from '../../../model/report/finding.ts';
import type { ExplanationDraft } from '../explain/explanation-draft.ts';
import type { FindingDrafts } from './finding-drafts.ts';

/** A finding whose transactions are still row numbers. */
export interface FindingWithRows extends Omit<
  ReportedFinding,
  'severity' | 'detail' | 'remedy' | 'transactionIds' | 'effect'
> {
  readonly rows: readonly number[];
  /** How its figures came about. */
  readonly drafts?: FindingDrafts;
  /** Those whose ids are known already. */
  readonly transactionIds?: readonly string[];
  /** By how much another price differs, and from which. */
  readonly priceChange?: { readonly from: bigint; readonly by: bigint } | undefined;
}

export type DraftedFinding = ReportedFinding & {
  readonly drafts: FindingDrafts & { readonly effect?: () => ExplanationDraft };
};

export const emptyFinding = {
  accountId: null,
  depositoryId: null,
  instrumentId: null,
  date: null,
  quantity: null,
  amount: null,
  currency: null,
  toCurrency: null,
  accruedInterest: null,
  historicalHoldingIds: [],
  rows: [],
} as const satisfies Omit<FindingWithRows, 'code'>;
