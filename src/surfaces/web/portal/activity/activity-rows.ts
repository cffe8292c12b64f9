// Turns bookings as the API reports them into rows of a table.

import type { TransactionType } from '../../../../model/ledger/transaction-kind.ts';
import type { Language } from '../../language/reader.ts';
import { withParameters } from '../../parts/address.ts';
import { listRows, type WholeList } from '../../tables/list-rows.ts';
import type { Column, Row, Table } from '../../tables/table.ts';
import type { EntityView } from '../entity-view.ts';
import { activityTexts } from './activity-texts.ts';

/** What is paid out of an account elsewhere is paid in here. */
const fromOtherSide: Partial<Record<TransactionType, TransactionType>> = {
  withdrawal: 'deposit',
  deposit: 'withdrawal',
};

const reversedWords = {
  dividend: 'reversedDividend',
  coupon: 'reversedCoupon',
  fee: 'refundedFee',
  drawing: 'returnedDrawing',
  'private-equity-cashflow': 'repaidDistribution',
} as const;

type ReversedWord = (typeof reversedWords)[keyof typeof reversedWords];

/** The word for cash that goes the other way than usual for its type. */
function findReversedWord(type: TransactionType, amount: string): ReversedWord | undefined {
  const isOut = amount.startsWith('-');
  if (type === 'fee' || type === 'drawing') return isOut ? undefined : reversedWords[type];
  const isIncome = type === 'dividend' || type === 'coupon' || type === 'private-equity-cashflow';
  return isIncome && isOut ? reversedWords[type] : undefined;
}

/** A booking in a word that a person uses; units that come or go without cash are transferred. */
export function bookingWord(booking: any, language: Language): string {
  const { amount, quantity, account_id: account, counter_account_id: counter } = booking;
  const type: TransactionType = booking.type;
  const text = activityTexts[language];
  const own = account === null && counter !== null ? (fromOtherSide[type] ?? type) : type;
  const reversed = amount === null ? undefined : findReversedWord(type, amount);
  if (reversed !== undefined) return text[reversed];
  if (quantity === null || amount !== null) return text[own];
  if (own === 'deposit') return text.unitsIn;
  return own === 'withdrawal' ? text.unitsOut : text[own];
}

/** The amount stands beside its day, so that a phone shows it without scrolling. */
export function activityTable(view: EntityView, list: WholeList, shown: readonly any[]): Table {
  const text = activityTexts[view.page.reader.language];
  const columns: readonly Column[] = [
    { key: 'date', title: text.date, kind: 'date' },
    { key: 'amount', title: text.amount, kind: 'money', signed: true },
    { key: 'currency', title: text.currency, kind: 'text' },
    { key: 'what', title: text.what, kind: 'text' },
    { key: 'instrument', title: text.instrument, kind: 'text' },
    { key: 'account', title: text.account, kind: 'text' },
    { key: 'quantity', title: text.quantity, kind: 'quantity' },
    { key: 'price', title: text.price, kind: 'quantity' },
    { key: 'comment', title: text.comment, kind: 'text', wide: true },
  ];
  const rows = listRows(view.page, { list, shown, rowsOf: (one) => activityRow(view, one) });
  return { id: 'activity', caption: text.caption, columns, ...rows };
}

function activityRow(view: EntityView, booking: any): Row {
  const { page } = view;
  const filtered = (name: string, value: string | null): { href?: string } =>
    value === null ? {} : { href: withParameters(page.address, { [name]: value, cursor: null }) };
  return {
    cells: [
      { value: booking.date, href: view.href(`/activity/${booking.transaction_id}`) },
      { value: booking.amount, ...(booking.currency === null ? {} : { currency: booking.currency }) },
      { value: booking.currency },
      { value: bookingWord(booking, page.reader.language) },
      { value: booking.instrument_name, ...filtered('instrument', booking.instrument_id) },
      { value: booking.account_name ?? booking.counter_account_name, ...filtered('account', booking.account_id) },
      { value: booking.quantity },
      { value: booking.price },
      { value: booking.comment },
    ],
  };
}
