// What a block `TRAN` of MT536 means: units that came in or went out, against payment or free, or their reversal.

import { isIncomeOfInstrument } from '../../model/ledger/kind-traits.ts';
import type { Decimal } from '../../kit/decimal.ts';
import type { NamedAccount, NamedInstrument, StatementEntry } from '../../model/custody/statement.ts';
import { negated } from '../stated-values.ts';
import { corporateActionEvents, type EventMeaning } from '../corporate-action-events.ts';
import { referenceIn } from '../used-references.ts';
import { stated } from '../stated-fields.ts';
import { instrumentIn } from './financial-instrument.ts';
import { amountIn, dateIn, findFirst, findQualified, priceIn, quantityIn, type SwiftBlock } from './qualified-field.ts';
import type { SecuritiesHeading } from './securities-heading.ts';
import { fieldFault } from './swift-values.ts';

/** `FIN` is the block around it, which names the instrument. */
export function transactionIn(tran: SwiftBlock, fin: SwiftBlock, heading: SecuritiesHeading): StatementEntry {
  const details = tran.blocks.find(({ name }) => name === 'TRANSDET');
  if (details === undefined)
    throw fieldFault({ line: tran.line, tag: '16R' }, 'The transaction has no details: block TRANSDET is missing.');
  const movement = movementIn(details);
  const settled = findFirst(details, '98', ['ESET', 'SETT']);
  const traded = findQualified(details, '98', 'TRAD');
  if (settled === undefined && traded === undefined)
    throw fieldFault({ line: details.line, tag: '98A' }, 'The transaction has no date: 98A::ESET is missing.');
  const settlementDate = settled && dateIn(settled);
  const price = findFirst(details, '90', ['DEAL', 'EXEC']);
  const accrued = findQualified(details, '19A', 'ACRU');
  const cash = cashAccountIn(details) ?? heading.cash;
  return stated<StatementEntry>({
    item: 'entry',
    place: { line: tran.line, field: 'TRAN' },
    account: cash ?? heading.safekeeping,
    depository: cash && heading.safekeeping,
    statedAt: heading.statedAt,
    statement: [heading.safekeeping?.number, heading.day].filter(Boolean).join('/') || undefined,
    status: 'booked',
    ...movement,
    ...identityOf(tran, details, heading),
    date: traded ? dateIn(traded) : settlementDate!,
    settlementDate,
    instrument: instrumentOf(fin),
    price: price && priceIn(price).price,
    accruedInterest: accrued && amountIn(accrued).amount,
    comment: findQualified(details, '70', 'TRDE')?.value.replace(/\s+/g, ' ').trim() || undefined,
  });
}

const instruments = new WeakMap<SwiftBlock, NamedInstrument>();

/** Read once for all transactions in the block. */
function instrumentOf(fin: SwiftBlock): NamedInstrument {
  const known = instruments.get(fin);
  if (known !== undefined) return known;
  const instrument = instrumentIn(fin);
  instruments.set(fin, instrument);
  return instrument;
}

interface Movement extends EventMeaning {
  readonly quantity: Decimal | undefined;
  readonly amount: Decimal | undefined;
  readonly currency: string | undefined;
  readonly typeWord: string;
}

function movementIn(details: SwiftBlock): Movement {
  const direction = findQualified(details, '22', 'REDE')?.value.trim();
  const payment = findQualified(details, '22', 'PAYM')?.value.trim();
  const event = findQualified(details, '22', 'CAEV')?.value.trim();
  const type = findFirst(details, '22', ['SETR', 'TRAN'])?.value.trim();
  const units = findQualified(details, '36', 'PSTA');
  const paid = findQualified(details, '19A', 'PSTA');
  if (units === undefined && paid === undefined)
    throw fieldFault({ line: details.line, tag: '36B' }, 'The transaction has neither a quantity nor an amount.');
  if (direction !== 'RECE' && direction !== 'DELI') {
    const detail = 'The transaction does not say whether it received or delivered: 22H::REDE//RECE or DELI.';
    throw fieldFault({ line: details.line, tag: '22H' }, detail);
  }
  const isIn = direction === 'RECE';
  const quantity = units && quantityIn(units);
  const money = paid === undefined || payment === 'FREE' ? undefined : amountIn(paid);
  const meaning = (event === undefined ? undefined : corporateActionEvents.get(event)) ?? {
    kind: money && quantity ? 'trade' : 'flow',
  };
  const isIncome = isIncomeOfInstrument(meaning.kind);
  // Units against payment: cash goes the other way. Income comes as cash alone.
  const isCashIn = isIncome || quantity === undefined ? isIn : !isIn;
  return {
    ...meaning,
    quantity: quantity === undefined || isIncome ? undefined : isIn ? quantity : negated(quantity),
    amount: money === undefined ? undefined : isCashIn ? money.amount : negated(money.amount),
    currency: money?.currency,
    typeWord: [event, type, direction, payment].filter(Boolean).join('/'),
  };
}

/** The reference of a transaction, and of the one that it takes back. */
function identityOf(
  tran: SwiftBlock,
  details: SwiftBlock,
  { isCancelled, references }: SecuritiesHeading,
): Pick<StatementEntry, 'reference' | 'cancels'> {
  const own = referenceAmong(tran, ['ASRF', 'RELA', 'TRRF', 'MITI', 'PCTI', 'CORP', 'COMM']);
  const previous = referenceAmong(tran, ['PREV']);
  const isReversal = isCancelled || findQualified(details, '25D', 'MOVE')?.value.trim() === 'REVE';
  if (!isReversal) return own === undefined ? {} : { reference: references.distinct(own) };
  const cancelled = previous ?? own;
  return {
    cancels: cancelled === undefined ? 'same-content' : { reference: cancelled },
    ...(own === undefined || own === cancelled ? {} : { reference: own }),
  };
}

function referenceAmong(tran: SwiftBlock, qualifiers: readonly string[]): string | undefined {
  const links = tran.blocks.filter(({ name }) => name === 'LINK');
  for (const qualifier of qualifiers) {
    for (const link of links) {
      const reference = referenceIn(findQualified(link, '20C', qualifier)?.value);
      if (reference !== undefined) return reference;
    }
  }
  return undefined;
}

function cashAccountIn(details: SwiftBlock): NamedAccount | undefined {
  for (const block of [details, ...details.blocks]) {
    const number = findQualified(block, '97', 'CASH')?.value.trim();
    if (number) return { number };
  }
  return undefined;
}
