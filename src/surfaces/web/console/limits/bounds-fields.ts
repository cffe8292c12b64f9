// The bounds of a limit in a form: shares in percent, amounts in the reference currency; exact both ways.

import type { Decimal } from '../../../../kit/decimal.ts';
import { fromFixed, toFixed } from '../../../../kit/fixed.ts';
import type { Field } from '../../parts/field.ts';

export type LimitKind = 'proportional' | 'absolute';

/** The API's names of the bounds of a kind. */
export const boundMembers = {
  proportional: { min: 'min_pct', max: 'max_pct' },
  absolute: { min: 'min_amount', max: 'max_amount' },
} as const;

/** What can be moved by two digits without losing any. */
function isPlainDecimal(text: string): text is Decimal {
  return /^-?\d{1,16}(?:\.\d{1,16})?$/.test(text);
}

/** A bound of the API as it is typed. */
export function typedBound(kind: LimitKind, bound: string | null): string {
  if (bound === null) return '';
  return kind === 'proportional' && isPlainDecimal(bound) ? fromFixed(toFixed(bound) * 100n) : bound;
}

/** What was typed as a bound of the API. What is no number is sent as it is, so that the API says what is wrong. */
export function sentBound(kind: LimitKind, typed: string): string | null {
  const text = typed.trim();
  if (text === '') return null;
  return kind === 'proportional' && isPlainDecimal(text) ? fromFixed(toFixed(text) / 100n) : text;
}

interface BoundsView {
  readonly kind: LimitKind;
  /** The reference currency of the client. */
  readonly currency: string;
  readonly values: Readonly<Record<'min' | 'max', string>>;
  readonly errors: Readonly<Record<'min' | 'max', string | undefined>>;
}

export function boundFields({ kind, currency, values, errors }: BoundsView): readonly Field[] {
  const isShare = kind === 'proportional';
  const unit = isShare ? '%' : currency;
  const hint = isShare ? 'Of the whole value, with a point before decimals.' : 'With a point before decimals.';
  const titles = { min: 'At least', max: 'At most' } as const;
  return (['min', 'max'] as const).map((bound) => ({
    kind: 'number',
    name: bound,
    label: titles[bound],
    hint: bound === 'min' ? `${hint} One of the two is enough.` : hint,
    value: values[bound],
    error: errors[bound],
    unit,
  }));
}
