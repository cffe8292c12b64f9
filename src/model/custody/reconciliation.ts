// The lines of a reconciliation: what a custodian states beside what the ledger holds.

import { anyText, boolean, date, nullable, oneOf, quantity, type ValueOf } from '../../kit/field.ts';
import { listOf, member, objectOf } from '../../kit/structured-field.ts';
import { namedInstrumentKind } from './named-instrument.ts';
import { breakClasses } from './reconciliation-break.ts';

export const reconciliationLineShape = objectOf({
  accountId: member(nullable(anyText), 'The account that the statement is about.'),
  depositoryId: member(nullable(anyText), 'The depository that the statement is about.'),
  date: member(date, 'The day of the statement: both sides are those of its end.'),
  kind: member(oneOf(['units', 'cash']), '`cash`: a balance.'),
  instrumentId: member(nullable(anyText), 'The instrument, cash included; null where it is unknown.'),
  named: member(nullable(namedInstrumentKind), 'How the custodian names the instrument.'),
  currency: member(nullable(anyText), 'The currency of the balance or of the stated price.'),
  isStated: member(
    boolean,
    'False where only the ledger has it: the statement lists other holdings of the place, and not this one.',
  ),
  stated: member(quantity, 'Units or balance as stated.'),
  ledger: member(nullable(quantity), 'Units or balance of the ledger; null where the instrument is unknown.'),
  difference: member(quantity, '`stated` − `ledger`.'),
  statedPrice: member(nullable(quantity), 'The stated price.'),
  ledgerPrice: member(
    nullable(quantity),
    'The price of the ledger for the day of the stated price, at most 5 days older; null where there is none to compare.',
  ),
  classes: member(
    listOf(oneOf(breakClasses)),
    'What is likely behind the differences; empty where both sides agree within the tolerance.',
  ),
  firstDate: member(date, 'The first of the statements in a row that show the difference in quantity.'),
  transactionIds: member(listOf(anyText), 'The transactions that explain a difference of timing.'),
});

export type ReportedLine = ValueOf<typeof reconciliationLineShape>;
