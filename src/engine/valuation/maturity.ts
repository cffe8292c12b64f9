// What has matured and is still held: worth par until it is redeemed. Knows no interest.

import type { Day } from '../../kit/day.ts';
import { divideRounded } from '../../kit/fixed.ts';
import type { IndexRatio } from '../instruments/accrued-interest.ts';
import type { ValuationSubject } from './position-state.ts';
import { hasImpliedPrice } from './upload.ts';
import type { ValuationFinding } from './value-part.ts';
import { baseValueWithoutPoint, type BaseValue } from './base-value.ts';

const noFindings: readonly ValuationFinding[] = [];

export function maturityFindings(maturity: Day, day: Day): readonly ValuationFinding[] {
  return day < maturity ? noFindings : [{ kind: 'matured', maturity }];
}

/** Prices no longer count then; an upload of that time does, for it may say that less will come. */
export function findParBaseValue(
  maturity: Day,
  subject: ValuationSubject,
  index: IndexRatio | undefined,
): BaseValue | undefined {
  if (subject.context.day < maturity) return undefined;
  const { upload, quantity: nominal } = subject.held;
  if (upload !== null && upload.day >= maturity && hasImpliedPrice(upload)) return undefined;
  const amount = index === undefined ? nominal : divideRounded(nominal * index.factor, index.baseFactor);
  const { currency } = subject.instrument;
  return baseValueWithoutPoint({ currency, source: 'par' }, { kind: 'par', amount, nominal, index });
}
