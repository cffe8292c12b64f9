// The personas of the sandbox: the kinds of clients that it makes, each with data that exercises another part of the service.

import { currencyCode, type CurrencyCode } from '../currency.ts';

export const personaKeys = ['young-couple', 'private-trust', 'foundation', 'hedge-fund'] as const;
export type PersonaKey = (typeof personaKeys)[number];

/** The currencies that the sandbox has rates of. */
export const sandboxCurrencies = ['EUR', 'USD', 'CHF', 'GBP'] as const;
export type SandboxCurrency = (typeof sandboxCurrencies)[number];

/** The same code as one of any currency. */
export function codeOf(currency: SandboxCurrency): CurrencyCode {
  return currencyCode.read(currency);
}

interface PersonaText {
  readonly name: string;
  readonly description: string;
  readonly reportingCurrency: SandboxCurrency;
}

export const personas: Readonly<Record<PersonaKey, PersonaText>> = {
  'young-couple': {
    name: 'Mira and Jonas Keller',
    description:
      'Two salaries, everyday spending, a monthly savings plan in funds, a home with a mortgage. Few holdings, many bookings. The mortgage is a loan of which a negative amount is held, so data quality lists it as `short`.',
    reportingCurrency: 'CHF',
  },
  'private-trust': {
    name: 'The Alder Trust',
    description:
      'Three legal entities, four private-market funds that call and distribute over years (the J-curve), a listed portfolio and a building. For commitments, multiples and internal rates of return.',
    reportingCurrency: 'USD',
  },
  foundation: {
    name: 'Morgenrot Foundation',
    description:
      'Bonds with coupons and accrued interest, shares and funds under an investment policy of six limits: five are kept with headroom, and that on a single issuer is breached.',
    reportingCurrency: 'EUR',
  },
  'hedge-fund': {
    name: 'Kestrel Global Fund',
    description:
      'Long and short shares in four currencies at a prime broker, a currency hedge by forwards that is renewed every quarter, subscriptions and redemptions, and fees. Data quality lists its shorts, and nothing else.',
    reportingCurrency: 'USD',
  },
};
