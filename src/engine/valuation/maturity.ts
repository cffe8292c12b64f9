// What has matured and is still held: worth par until it is redeemed. Knows no interest.

import type { Day } from '../../kit/day.ts';
import { divideRounded } from '../../kit/fixed.ts';
import type { IndexRatio } from '../instruments/accrued-interest.ts';
import type { Subject } from './valuation-input.ts';
import { impliesPrice } from './upload.ts';
import type { ValuationFinding } from './value-part.ts';
import { worthWithoutPoint, type Worth } from './worth.ts';

const nothingFound: readonly ValuationFinding[] = [];

export function maturityFindings(maturity: Day, day: Day): readonly ValuationFinding[] {
  return day < maturity ? nothingFound : [{ kind: 'matured', maturity }];
}

/** Prices no longer count then; an upload of that time does, for it may say that less will come. */
export function findParWorth(maturity: Day, subject: Subject, index: IndexRatio | undefined): Worth | undefined {
  if (subject.context.day < maturity) return undefined;
  const { upload, quantity: nominal } = subject.held;
  if (upload !== null && upload.day >= maturity && impliesPrice(upload)) return undefined;
  const amount = index === undefined ? nominal : divideRounded(nominal * index.factor, index.baseFactor);
  const { currency } = subject.instrument;
  return worthWithoutPoint({ currency, source: 'par' }, { kind: 'par', amount, nominal, index });
}
