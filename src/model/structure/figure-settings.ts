// The settings of a client that its figures depend on, besides currency and accounting method, with their defaults.

import type { Decimal } from '../../kit/decimal.ts';
import { decimalWithin, integer } from '../../kit/field.ts';

const inherited = (value: string): string => `When it is not sent: that of the parent, else ${value}.`;
const staleText = 'a point is stale after this number of days, if the instrument has no class of its own that says it';

export const figureSettings = {
  valueChangeBound: {
    kind: decimalWithin({ above: '0', max: '10' }, 'must be a decimal fraction above 0 and up to 10: 50 % is 0.5'),
    description: `By which part of itself the value of a position may change on a day without a trade, a corporate action or a price that says so; more is the finding \`unexplained-value-change\`. A decimal fraction. ${inherited('0.5')}`,
    writable: 'always',
    example: '0.5',
  },
  longTermMonths: {
    kind: integer({ min: 1, max: 1_200 }),
    description: `After how many months of holding a gain is long-term: from the day after that anniversary of the acquisition. ${inherited('12')}`,
    writable: 'always',
    example: 12,
  },
  staleDaysListed: {
    kind: integer({ min: 1, max: 3_650 }),
    description: `For listed instruments, bonds, fees and forwards: ${staleText}. ${inherited('10')}`,
    writable: 'always',
    example: 10,
  },
  staleDaysFunds: {
    kind: integer({ min: 1, max: 3_650 }),
    description: `For mutual funds: ${staleText}. ${inherited('45')}`,
    writable: 'always',
    example: 45,
  },
  staleDaysPrivate: {
    kind: integer({ min: 1, max: 3_650 }),
    description: `For private-market funds, loans and other instruments: ${staleText}. ${inherited('120')}`,
    writable: 'always',
    example: 120,
  },
  volatilityDays: {
    kind: integer({ min: 1, max: 366 }),
    description: `The number of days a year by whose square root the deviation of daily returns becomes a yearly volatility. ${inherited('252')}`,
    writable: 'always',
    example: 252,
  },
} as const;

export interface FigureSettings {
  readonly valueChangeBound: Decimal;
  readonly longTermMonths: number;
  readonly staleDaysListed: number;
  readonly staleDaysFunds: number;
  readonly staleDaysPrivate: number;
  readonly volatilityDays: number;
}

/** Of clients that state none, and of states of a client from before they could be stated. */
export const defaultFigureSettings: FigureSettings = {
  valueChangeBound: '0.5' as Decimal,
  longTermMonths: 12,
  staleDaysListed: 10,
  staleDaysFunds: 45,
  staleDaysPrivate: 120,
  volatilityDays: 252,
};

type StatedSettings = { readonly [Name in keyof FigureSettings]?: FigureSettings[Name] | null | undefined };

/** The first that states a setting decides it. */
export function figureSettingsOf(...stated: readonly (StatedSettings | null | undefined)[]): FigureSettings {
  const choose = <Name extends keyof FigureSettings>(name: Name): FigureSettings[Name] =>
    stated.map((one) => one?.[name]).find((value) => value != null) ?? defaultFigureSettings[name];
  return {
    valueChangeBound: choose('valueChangeBound'),
    longTermMonths: choose('longTermMonths'),
    staleDaysListed: choose('staleDaysListed'),
    staleDaysFunds: choose('staleDaysFunds'),
    staleDaysPrivate: choose('staleDaysPrivate'),
    volatilityDays: choose('volatilityDays'),
  };
}
