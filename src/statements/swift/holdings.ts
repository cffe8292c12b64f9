// What a block `FIN` says is held: a position of MT535, or the closing balance of an instrument in MT536.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { StatementPosition } from '../../model/custody/statement.ts';
import { stated } from '../stated-fields.ts';
import { instrumentIn } from './financial-instrument.ts';
import { amountIn, dateIn, findFirst, findQualified, priceIn, quantityIn, type SwiftBlock } from './qualified-field.ts';
import type { SecuritiesHeading } from './securities-heading.ts';
import { fieldFault } from './swift-values.ts';

/** The balance of everything held: of holdings, or at the end of a period. */
const balanceQualifiers = ['AGGR', 'FICL', 'INCL'];

/** Undefined where the block is there for its transactions only. */
export function positionIn(block: SwiftBlock, heading: SecuritiesHeading): StatementPosition | undefined {
  const balance = findFirst(block, '93', balanceQualifiers);
  if (balance === undefined) {
    if (heading.hasTransactions) return undefined;
    throw fieldFault({ line: block.line, tag: '93B' }, 'The position has no aggregate balance: 93B::AGGR is missing.');
  }
  const price = findFirst(block, '90', ['MRKT', 'INDC']);
  const priceDate = findQualified(block, '98', 'PRIC');
  const value = findFirst(block, '19A', ['HOLD', 'HOLP', 'HOLS']);
  const cost = findFirst(block, '19A', ['BOOK', 'COST']);
  const instrument = instrumentIn(block);
  const priced = price && priceIn(price);
  const valued = value && amountIn(value);
  return stated<StatementPosition>({
    item: 'position',
    place: { line: block.line, field: 'FIN' },
    account: heading.safekeeping,
    statedAt: heading.statedAt,
    date: dayOf(heading, block),
    instrument,
    quantity: quantityIn(balance),
    price: priced?.price,
    priceDate: priceDate && dateIn(priceDate),
    currency: priced?.currency ?? instrument.currency,
    value: valued?.amount,
    valueCurrency: valued?.currency,
    cost: cost && amountIn(cost).amount,
  });
}

function dayOf({ day }: SecuritiesHeading, block: SwiftBlock): CalendarDate {
  if (day !== undefined) return day;
  throw fieldFault({ line: block.line, tag: '98A' }, 'The statement does not say its day: 98A::STAT or 69A::STAT.');
}
