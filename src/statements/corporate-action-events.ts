// What the codes of corporate action events mean for the ledger: ISO 15022 (`22F::CAEV`) and ISO 20022 (`CorpActnEvtTp`) share them.

import type { CorporateActionType, TransactionKind } from '../model/ledger/transaction-kind.ts';

export interface EventMeaning {
  readonly kind: TransactionKind;
  readonly action?: CorporateActionType;
}

export const corporateActionEvents: ReadonlyMap<string, EventMeaning> = new Map<string, EventMeaning>([
  ['REDM', { kind: 'redemption' }],
  ['MCAL', { kind: 'redemption' }],
  ['PCAL', { kind: 'redemption' }],
  ['PRED', { kind: 'redemption' }],
  ['DRAW', { kind: 'redemption' }],
  ['BPUT', { kind: 'redemption' }],
  ['DVCA', { kind: 'dividend' }],
  ['DRIP', { kind: 'dividend' }],
  ['CAPD', { kind: 'dividend' }],
  ['SHPR', { kind: 'dividend' }],
  ['DVOP', { kind: 'dividend' }],
  ['INTR', { kind: 'coupon' }],
  ['SPLF', { kind: 'corporate-action', action: 'split' }],
  ['SPLR', { kind: 'corporate-action', action: 'reverse-split' }],
  ['DVSE', { kind: 'corporate-action', action: 'stock-dividend' }],
  ['BONU', { kind: 'corporate-action', action: 'stock-dividend' }],
  ['SOFF', { kind: 'corporate-action', action: 'spin-off' }],
  ['MRGR', { kind: 'corporate-action', action: 'merger' }],
  ['EXOF', { kind: 'corporate-action', action: 'merger' }],
]);
