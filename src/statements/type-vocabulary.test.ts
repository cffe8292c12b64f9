// What the words of banks and brokers mean, and which of them nobody decides.

import { expect, test } from 'vitest';
import { meaningOfWord } from './type-vocabulary.ts';

const summaryOf = (word: string): string => {
  const meaning = meaningOfWord(word);
  if (meaning === undefined) return 'unknown';
  const { kind, action, category, cash, isReversal } = meaning;
  return [kind, action, category, cash, isReversal && 'taken back'].filter(Boolean).join(' ');
};

test.each([
  ['INTEREST_PAYMENT', 'interest'],
  ['Zinsen', 'interest'],
  ['Bank interest', 'interest'],
  ['Gutschrift Zinsen', 'interest'],
  ['Sollzinsen', 'interest out'],
  ['Intérêts', 'interest'],
  ['Custody fee', 'fee out'],
  ['Bearbeitungsgebühr', 'fee out'],
  ['DEPOTGEBUEHREN', 'fee out'],
  ['Interest fee', 'fee out'],
  ['Fee refund', 'fee in'],
  ['Quellensteuer', 'fee withholding-tax out'],
  ['Dividend Tax', 'fee withholding-tax out'],
  ['Kapitalertragsteuer', 'fee tax out'],
  ['Capital gains tax', 'fee tax out'],
  ['Dividende', 'dividend in'],
  ['CashDividend', 'dividend in'],
  ['Dividend reinvestment', 'trade out'],
  ['Stock Dividend', 'corporate-action stock-dividend'],
  ['Coupon payment', 'coupon in'],
  ['BUY - MARKET', 'trade out'],
  ['Verkauf', 'trade in'],
  ['Cash Merger', 'corporate-action merger'],
  ['Reverse stock split', 'corporate-action reverse-split'],
  ['Return of capital', 'corporate-action return-of-capital'],
  ['Rückzahlung', 'redemption in'],
  ['Currency conversion', 'fx'],
  ['Currency conversion fee', 'fee out'],
  ['SEPA-Lastschrift', 'flow out'],
  ['GUTSCHR. UEBERWEISUNG', 'flow in'],
  ['Überweisung', 'flow'],
  ['Debit card purchase', 'flow out'],
  ['Storno Lastschrift', 'flow out taken back'],
  ['Fee reversal', 'fee out taken back'],
])('%s is %s', (word, meaning) => {
  expect(summaryOf(word)).toBe(meaning);
});

test.each([
  '',
  'Bonifikation',
  'Distribution',
  'Wertpapiere',
  'Dividend adjustment',
  'Kauf Verkauf',
  'Transfer of interest and fees',
  'Rights exercise',
  'Staking reward',
  'Buyback',
  'Überweisung an das Finanzamt Köln, Steuer für das Jahr 2024',
  'purchaser',
  'interesting',
  `buy ${'x'.repeat(200)}`,
])('%j is decided by nobody', (word) => {
  expect(summaryOf(word)).toBe('unknown');
});
