// Values bonds that have matured and are still held: at par until they are redeemed.

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

/** From maturity on prices no longer count. A later upload does, because it may say that less will be repaid. */
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
