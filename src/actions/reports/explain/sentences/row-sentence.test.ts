// Every kind of transaction is told in a sentence of its own: what happened, to what, when, and for how much.

import { expect, test } from 'vitest';
import { historyOfText } from '../../../../../tests/setup/ledger-text/ledger-text.ts';
import { rowSentence } from './row-sentence.ts';

const ledger = `Every kind of transaction
client EUR FIFO
account A EUR
account B EUR
account G GBP
instrument X listed EUR
instrument Y listed EUR
instrument P listed GBP, unit hundredths
instrument K bond EUR, rate 5%, count 30/360-BOND, maturity 2030-12-31
instrument Z private-fund EUR
instrument F forward EUR, receives 1000 USD on 2024-03-29, pays 800 EUR on 2024-03-29
rate USD/EUR 2024-01-01 0.80
rate GBP/EUR 2024-01-01 1.20
`;

const sentences: readonly [row: string, sentence: string][] = [
  ['2024-01-03 buy A X 100 @ 10 fees 5', 'Bought 100 X on 3 Jan 2024 at 10.00 EUR, fee 5.00'],
  ['2024-01-03 buy A X 0.5 @ 1234.5678915', 'Bought 0.5 X on 3 Jan 2024 at 1,234.567892 EUR'],
  ['2024-01-03 buy A X 3 for 40', 'Bought 3 X on 3 Jan 2024: −40.00 EUR'],
  ['2024-02-29 sell A X 40 @ 12.5 fees 1.5', 'Sold 40 X on 29 Feb 2024 at 12.50 EUR, fee 1.50'],
  ['2024-03-01 buy G P 10 @ 250', 'Bought 10 P on 1 Mar 2024 at 250.00 hundredths of GBP'],
  ['2024-03-01 buy A K 1000 @ 98.5', 'Bought 1,000 K on 1 Mar 2024 at 98.50 %'],
  ['2024-03-02 redeem A K 1000 @ 100', 'Redeemed 1,000 K on 2 Mar 2024 at 100.00 %'],
  ['2024-04-01 deposit A 1000', 'Deposit on 1 Apr 2024: 1,000.00 EUR'],
  ['2024-04-02 withdraw A 0.005', 'Withdrawal on 2 Apr 2024: 0.00 EUR'],
  ['2024-04-03 withdraw A 250.5', 'Withdrawal on 3 Apr 2024: −250.50 EUR'],
  ['2024-04-04 move A 30 to B', 'Move between own accounts on 4 Apr 2024: −30.00 EUR'],
  ['2024-05-01 deposit A X 10', 'Received 10 X in kind on 1 May 2024'],
  ['2024-05-02 withdraw A X 5', 'Delivered 5 X in kind on 2 May 2024'],
  ['2024-06-01 dividend A X 25', 'Dividend of X on 1 Jun 2024: 25.00 EUR'],
  ['2024-06-02 coupon A K 50', 'Coupon of K on 2 Jun 2024: 50.00 EUR'],
  ['2024-06-03 interest A 12', 'Interest on 3 Jun 2024: 12.00 EUR'],
  ['2024-06-04 fee A 7', 'Fee on 4 Jun 2024: −7.00 EUR'],
  ['2024-07-01 exchange A 80 EUR for 100 USD', 'Currency exchange on 1 Jul 2024: −80.00 EUR'],
  ['2024-08-01 call A Z 100', 'Capital call of Z on 1 Aug 2024: −100.00 EUR'],
  ['2024-08-02 distribution A Z 60', 'Distribution of Z on 2 Aug 2024: 60.00 EUR'],
  ['2024-03-29 settle A F 12', 'Settlement of F on 29 Mar 2024: 12.00 EUR'],
  ['2024-09-01 split X 2:1', 'Split of X on 1 Sep 2024, 2 new units for 1'],
  ['2024-10-01 spin-off X into Y 1:4 share 20%', 'Spin-off of X on 1 Oct 2024, 1 new units for 4'],
  ['2024-11-01 merger X into Y 3:2', 'Merger of X on 1 Nov 2024, 3 new units for 2'],
  ['2024-11-02 symbol-change X into Y', 'Change of symbol of X on 2 Nov 2024, 1 new units for 1'],
  ['2024-12-01 return-of-capital A Y 15', 'Return of capital of Y on 1 Dec 2024: 15.00 EUR'],
];

test.each(sentences)('%s', (row, sentence) => {
  const history = historyOfText(`${ledger}\n${row}\n`);
  expect(rowSentence(history.rows.transaction(0), { history, nameInstrument: (id) => id })).toBe(sentence);
});
