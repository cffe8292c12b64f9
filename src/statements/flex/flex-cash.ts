// What a cash transaction or a transfer of a Flex query means.

import { isTransfer, traitsOfKind } from '../../model/ledger/kind-traits.ts';
import type { Decimal } from '../../kit/decimal.ts';
import type { NamedInstrument, StatementEntry } from '../../model/custody/statement.ts';
import type { TransactionKind } from '../../model/ledger/transaction-kind.ts';
import { stated } from '../stated-fields.ts';
import { entryByWord } from '../typed-entry.ts';
import { negated } from '../stated-values.ts';
import { flexInstrument, requiredInstrument } from './flex-instrument.ts';
import type { FlexRow } from './flex-row.ts';

interface CashMeaning {
  readonly kind: TransactionKind;
  readonly category?: string;
}

const withholding: CashMeaning = { kind: 'fee', category: 'withholding-tax' };

/** Types as IB writes them, without regard to case. One that is not listed is read as a word. */
const cashTypes: ReadonlyMap<string, CashMeaning> = new Map<string, CashMeaning>([
  ['deposits/withdrawals', { kind: 'flow' }],
  ['deposits & withdrawals', { kind: 'flow' }],
  ['deposits and withdrawals', { kind: 'flow' }],
  ['dividends', { kind: 'dividend' }],
  ['dividend', { kind: 'dividend' }],
  ['payment in lieu of dividends', { kind: 'dividend' }],
  ['withholding tax', withholding],
  ['871(m) withholding', withholding],
  ['bond interest received', { kind: 'coupon' }],
  // The accrued interest of a purchase goes out, and the ledger has coupons only in.
  ['bond interest paid', { kind: 'interest' }],
  ['broker interest received', { kind: 'interest' }],
  ['broker interest paid', { kind: 'interest' }],
  ['other fees', { kind: 'fee' }],
  ['broker fees', { kind: 'fee' }],
  ['advisor fees', { kind: 'fee', category: 'advisory' }],
  ['commission adjustments', { kind: 'fee', category: 'commission' }],
  ['transaction fees', { kind: 'fee' }],
  ['sales tax', { kind: 'fee', category: 'tax' }],
  ['transaction tax', { kind: 'fee', category: 'tax' }],
]);

export function flexCash(row: FlexRow): StatementEntry[] {
  const type = row.required('type');
  const amount = row.requiredDecimal('amount');
  const known = cashTypes.get(type.toLowerCase());
  const meaning = known ?? { kind: 'flow' };
  const description = row.text('description');
  const isReversal = row.hasCode('Ca') || row.hasCode('Re') || /\bREVERSAL\b/i.test(description ?? '');
  const { kind } = meaning;
  const entry = stated<StatementEntry>({
    item: 'entry',
    place: row.place,
    account: row.account,
    statedAt: row.statement.statedAt,
    statement: row.statementName,
    status: 'booked',
    kind,
    reference: row.text('transactionID', 'tradeID'),
    cancels: isReversal && !isTransfer(kind) ? 'same-content' : undefined,
    date: row.requiredDate(
      ...(traitsOfKind(meaning.kind).income === 'dividend' ? ['exDate'] : []),
      'reportDate',
      'dateTime',
      'settleDate',
    ),
    settlementDate: row.date('settleDate', 'dateTime'),
    amount,
    currency: row.currency(),
    instrument: known !== undefined && isTransfer(known.kind) ? undefined : payerOf(row),
    category: traitsOfKind(kind).amount === 'charge' ? meaning.category : undefined,
    comment: description,
    typeWord: type,
  });
  return [known === undefined ? entryByWord({ fields: entry, signs: 'stated' }, type) : entry];
}

/** The row's currency is that of the payment, which may differ from that of the instrument's quotes. */
function payerOf(row: FlexRow): NamedInstrument | undefined {
  const { currency: _ofPayment, ...payer } = flexInstrument(row, 'event') ?? {};
  return Object.keys(payer).length === 0 ? undefined : payer;
}

/** Cash, units or both. Units come in kind: their value at the transfer is no cash. */
export function flexTransfer(row: FlexRow): StatementEntry[] {
  const direction = row.text('direction')?.toUpperCase();
  const signed = (value: Decimal | undefined): Decimal | undefined => {
    if (value === undefined || direction === undefined) return value;
    return value.startsWith('-') === (direction === 'OUT') ? value : negated(value);
  };
  const [cash, units] = [signed(row.amount('cashTransfer')), signed(row.amount('quantity'))];
  const isCash = row.text('assetCategory') === 'CASH';
  const moved = cash ?? (isCash ? units : undefined);
  const inKind = isCash ? undefined : units;
  if (moved === undefined && inKind === undefined)
    throw row.fault('quantity', 'The transfer moves neither cash nor units.');
  const reference = row.text('transactionID');
  const base = stated<Partial<StatementEntry>>({
    account: row.account,
    statedAt: row.statement.statedAt,
    statement: row.statementName,
    settlementDate: row.date('settleDate'),
    comment:
      [row.text('description'), row.text('company'), row.text('account')].filter(Boolean).join(', ') || undefined,
    typeWord: ['Transfer', row.text('type'), direction].filter(Boolean).join('/'),
  });
  const entry = (fields: Partial<StatementEntry>, suffix: string): StatementEntry =>
    stated<StatementEntry>({
      ...base,
      item: 'entry',
      place: row.place,
      status: 'booked',
      kind: 'flow',
      reference: reference && `${reference}${suffix}`,
      date: row.requiredDate('date', 'reportDate', 'dateTime', 'settleDate'),
      ...fields,
    });
  return [
    ...(inKind ? [entry({ quantity: inKind, instrument: requiredInstrument(row, 'name') }, '')] : []),
    ...(moved ? [entry({ amount: moved, currency: row.currency() }, inKind ? '/cash' : '')] : []),
  ];
}
