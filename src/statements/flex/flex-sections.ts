// The sections of a Flex query: what each row becomes, which levels of detail repeat each other, and which sections say nothing
// that is booked.

import type { StatementItem } from '../../model/custody/statement.ts';
import { flexCash, flexTransfer } from './flex-cash.ts';
import { flexCorporateAction } from './flex-corporate-action.ts';
import { flexBalances, flexPosition, flexRate, flexSecurity } from './flex-holdings.ts';
import type { FlexRow } from './flex-row.ts';
import { flexTrade } from './flex-trade.ts';

/**
 * `fallback` rows repeat `chosen` ones as totals and count only in a section that has none of these. `detail` rows break others down
 * and are never a movement of their own.
 */
export type RowLevel = 'chosen' | 'fallback' | 'detail';

export interface FlexSection {
  readonly items: (row: FlexRow) => readonly StatementItem[];
  readonly levelOf: (row: FlexRow) => RowLevel;
}

const allChosen = (): RowLevel => 'chosen';

function levels(byName: Readonly<Record<string, RowLevel>>): (row: FlexRow) => RowLevel {
  const table = new Map(Object.entries(byName));
  return (row) => table.get(row.name) ?? table.get(row.text('levelOfDetail') ?? '') ?? 'chosen';
}

const tradeLevels = levels({
  Order: 'fallback',
  ORDER: 'fallback',
  SymbolSummary: 'detail',
  SYMBOL_SUMMARY: 'detail',
  AssetSummary: 'detail',
  ASSET_SUMMARY: 'detail',
  Lot: 'detail',
  CLOSED_LOT: 'detail',
  WashSale: 'detail',
  WASH_SALE: 'detail',
});

export const flexSections: ReadonlyMap<string, FlexSection> = new Map<string, FlexSection>([
  ['Trades', { items: flexTrade, levelOf: tradeLevels }],
  ['CashTransactions', { items: flexCash, levelOf: levels({ SUMMARY: 'fallback' }) }],
  ['Transfers', { items: flexTransfer, levelOf: levels({ TRANSFER_LOT: 'detail', LOT: 'detail' }) }],
  ['CorporateActions', { items: flexCorporateAction, levelOf: levels({ SUMMARY: 'fallback' }) }],
  ['OpenPositions', { items: flexPosition, levelOf: levels({ LOT: 'detail' }) }],
  ['CashReport', { items: flexBalances, levelOf: allChosen }],
  ['ConversionRates', { items: flexRate, levelOf: allChosen }],
  ['SecuritiesInfo', { items: flexSecurity, levelOf: allChosen }],
]);

/** Sections that repeat, explain or value what others state: accruals, performance, summaries, details of commissions. */
export const explainingSections: ReadonlySet<string> = new Set([
  'AccountInformation',
  'ChangeInNAV',
  'ChangeInPositionValues',
  'ChangeInDividendAccruals',
  'ComplexPositions',
  'DepositsOnHold',
  'EquitySummaryInBase',
  'FdicInsuredDepositsByBank',
  'FIFOPerformanceSummaryInBase',
  'FxPositions',
  'FxTransactions',
  'HardToBorrowDetails',
  'HardToBorrowMarkupDetails',
  'HKIPOOpenSubscriptions',
  'IncentiveCouponAccrualDetails',
  'InterestAccruals',
  'MTDYTDPerformanceSummary',
  'MTMPerformanceSummaryInBase',
  'NetStockPositionSummary',
  'OpenDividendAccruals',
  'OptionEAE',
  'PendingExcercises',
  'PriorPeriodPositions',
  'RoutingCommissions',
  'SLBCollaterals',
  'SLBFees',
  'SLBOpenContracts',
  'StmtFunds',
  'TierInterestDetails',
  'UnbookedTrades',
  'UnbundledCommissionDetails',
  'UnsettledTransfers',
]);
