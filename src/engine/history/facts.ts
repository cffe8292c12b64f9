// Declares everything the engine computes from: ledger, uploads, structure, instruments, rates and settings.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { IsoCurrency, ExchangeRates } from '../currencies/exchange-rates.ts';
import type { ValuedInstrument } from '../instruments/instrument.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CostMethod, HoldingPeriod } from '../lots/lot.ts';
import type { StalenessByKind } from '../valuation/valuation.ts';

export interface Facts {
  readonly ledger: Ledger;
  readonly uploads: readonly Upload[];
  readonly accounts: ReadonlyMap<string, AccountFacts>;
  readonly instruments: ReadonlyMap<string, ValuedInstrument>;
  readonly rates: ExchangeRates;
  readonly settings: Settings;
  /** Rows that must find all lots they name, because they are about to be booked: see LotBookContext. */
  readonly mustFindLots?: ReadonlySet<number>;
}

export interface AccountFacts {
  readonly currency: IsoCurrency;
  /** The depositories it settles through. */
  readonly depositories: readonly string[];
  /** The method that its custodian enforces; absent if it enforces none. */
  readonly method?: CostMethod;
}

export interface Settings {
  readonly referenceCurrency: IsoCurrency;
  /** Where the custodian enforces none. */
  readonly method: CostMethod;
  readonly longAfter: HoldingPeriod;
  readonly staleness: StalenessByKind;
  /** Days per year that turn the deviation of daily returns into a yearly one; 252 by default. */
  readonly volatilityDays?: number;
  /** A day's change of value beyond this part of it is a finding, unless a trade, an action or a price says so. */
  readonly valueChangeBound: Fixed;
  /** Fee categories that a gross return adds back. */
  readonly advisoryCategories: ReadonlySet<string>;
}

/** What was held on a day, as stated: it counts from the end of that day on. */
export type Upload = UnitsUpload | CashUpload | FeesUpload;

/** Units in a depository. Value and accrued interest are in the instrument's currency. */
export interface UnitsUpload {
  readonly kind: 'units';
  readonly day: Day;
  readonly depository: string;
  readonly instrument: string;
  readonly quantity: Fixed;
  readonly marketValue: Fixed;
  readonly accrued: Fixed;
  /** 1 of the instrument's currency in the reporting currency, as uploaded; null for the day's own rate. */
  readonly exchange: { readonly rate: Fixed; readonly currency: IsoCurrency } | null;
}

/** An account's cash. */
interface CashUpload {
  readonly kind: 'cash';
  readonly day: Day;
  readonly account: string;
  readonly balance: Fixed;
}

/** Fees that an account owes (positive). */
interface FeesUpload {
  readonly kind: 'fees';
  readonly day: Day;
  readonly account: string;
  readonly owed: Fixed;
}
