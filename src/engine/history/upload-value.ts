// Computes what an upload says about the units that a position has of it.

import { multiply, multiplyDivide, oneFixed, type Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import type { Checkpoint } from './checkpoint.ts';
import { convertedAmount, MissingConversion, type IsoCurrency } from '../currencies/exchange-rates.ts';
import { zeroQuantityAndCost } from '../lots/quantity-and-cost.ts';
import type { CostGap } from '../lots/cost-gap.ts';
import type { QuantityAndCost } from '../lots/lot.ts';
import type { CurrencyContext } from '../currencies/reference-money.ts';
import type { UploadedValue } from '../valuation/valuation.ts';

/** As uploaded, oldest first. A statement that merely no longer lists it is none of them. */
export function uploadedValues(checkpoints: readonly Checkpoint[], currency: IsoCurrency): readonly UploadedValue[] {
  return checkpoints.flatMap((checkpoint) => findUploadedValue(checkpoint, currency) ?? []);
}

/** The same, each until the statement that no longer lists it. */
export function datedUploads(checkpoints: readonly Checkpoint[], currency: IsoCurrency): readonly UploadedValue[] {
  return checkpoints.flatMap((checkpoint, index) => {
    const value = findUploadedValue(checkpoint, currency);
    const next = checkpoints[index + 1];
    return value === undefined ? [] : next?.upload === null ? { ...value, endedOn: next.day } : value;
  });
}

function findUploadedValue({ upload }: Checkpoint, currency: IsoCurrency): UploadedValue | undefined {
  if (upload === null) return undefined;
  const { day, quantity, marketValue, accrued, exchange } = upload;
  const { rate, currency: reportingCurrency } = exchange ?? { rate: oneFixed, currency };
  return { day, quantity, marketValue, accrued, currency, rate, reportingCurrency };
}

/** After the day of a statement that no longer lists it nothing is left of an upload: units that come then are others. */
export function uploadAsOf(value: UploadedValue, day: Day): UploadedValue {
  const { day: listedOn, endedOn = Infinity } = value;
  return endedOn >= day ? value : { ...value, day: endedOn, listedOn, quantity: 0n, marketValue: 0n, accrued: 0n };
}

/** For a depository that several accounts share: an upload's units less those of the accounts. */
export function uploadShare(value: UploadedValue, quantity: Fixed): UploadedValue {
  if (quantity === value.quantity || value.quantity === 0n) return value;
  const share = (amount: Fixed): Fixed => multiplyDivide(amount, quantity, value.quantity);
  return { ...value, quantity, marketValue: share(value.marketValue), accrued: share(value.accrued) };
}

export interface UploadedMoney {
  /** Units at market value: the cost of what no row explains. */
  readonly quantityAndCost: QuantityAndCost & { readonly gap?: CostGap };
  /** With accrued interest, in the reporting currency. */
  readonly value: Fixed;
  readonly currency: IsoCurrency;
}

/** For that many of the upload's units. */
export function uploadedMoney(checkpoint: Checkpoint, quantity: Fixed, context: CurrencyContext): UploadedMoney {
  const { currency, referenceCurrency, rates } = context;
  const whole = findUploadedValue(checkpoint, currency);
  if (whole === undefined || quantity === 0n) return { quantityAndCost: zeroQuantityAndCost, value: 0n, currency };
  const { day, marketValue, accrued, rate, reportingCurrency } = uploadShare(whole, quantity);
  const conversion = rates.get({ from: reportingCurrency, to: referenceCurrency, day });
  const value = multiply(marketValue + accrued, rate);
  const stated = { quantity, cost: marketValue };
  if (marketValue !== 0n && conversion instanceof MissingConversion) {
    const gap = { conversion, lacks: 'reference-cost' } as const;
    return { quantityAndCost: { ...stated, referenceCost: 0n, gap }, value, currency: reportingCurrency };
  }
  const referenceCost = convertedAmount(multiply(marketValue, rate), conversion);
  return { quantityAndCost: { ...stated, referenceCost }, value, currency: reportingCurrency };
}
