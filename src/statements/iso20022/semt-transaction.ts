// What one movement (`Tx`) of semt.017 means: units that came in or went out, against payment or free, or their reversal.

import { isIncomeOfInstrument } from '../../model/ledger/kind-traits.ts';
import type { Decimal } from '../../kit/decimal.ts';
import type { NamedInstrument, StatementEntry, StatementPosition } from '../../model/custody/statement.ts';
import { corporateActionEvents, type EventMeaning } from '../corporate-action-events.ts';
import { FieldFault } from '../field-fault.ts';
import { stated } from '../stated-fields.ts';
import { referenceIn, type UsedReferences } from '../used-references.ts';
import { negated } from '../stated-values.ts';
import type { XmlElement } from '../xml/xml-element.ts';
import { currencyOf, dateOf, instrumentOf, isTrue, magnitudeOf, quantityOf, required } from './iso-values.ts';
import type { SemtHeading } from './semt-heading.ts';
import { signedQuantity } from './semt-holding.ts';

export interface TransactionContext {
  readonly heading: SemtHeading;
  readonly instrument: XmlElement | undefined;
  readonly references: UsedReferences;
}

export function semtTransaction(element: XmlElement, context: TransactionContext): StatementEntry {
  const { account, statedAt, statementId } = context.heading;
  const details = required(element, 'TxDtls');
  const traded = details.child('TradDt');
  const settlementDate = dateOf(details.child('FctvSttlmDt') ?? statedDate(details.child('SttlmDt')));
  const date = dateOf(statedDate(traded)) ?? settlementDate;
  if (date === undefined)
    throw new FieldFault({ line: details.line, field: 'FctvSttlmDt' }, 'It has neither FctvSttlmDt nor TradDt.');
  const accrued = details.find('AcrdIntrstAmt', 'Amt') ?? details.find('PstngAmt', 'AcrdIntrst');
  return stated<StatementEntry>({
    item: 'entry',
    place: { line: element.line, field: 'Tx' },
    account,
    statedAt,
    statement: [account?.number, statementId].filter(Boolean).join('/') || undefined,
    status: 'booked',
    ...movementOf(details),
    ...identityOf(element, details, context.references),
    date,
    settlementDate,
    instrument: statedInstrument(details.child('FinInstrmId') ?? context.instrument, element),
    accruedInterest: accrued && magnitudeOf(accrued),
    comment: details.textAt('TxAddtlDtls'),
  });
}

/** The units of an instrument after the movements of the period. */
export function semtClosingHolding(
  element: XmlElement,
  heading: SemtHeading,
  instrument: XmlElement | undefined,
): StatementPosition {
  return stated<StatementPosition>({
    item: 'position',
    place: { line: element.line, field: 'ClsgBal' },
    account: heading.account,
    statedAt: heading.statedAt,
    date: heading.day,
    instrument: statedInstrument(instrument, element),
    quantity: signedQuantity(element),
  });
}

type Movement = EventMeaning & {
  readonly quantity: Decimal | undefined;
  readonly amount: Decimal | undefined;
  readonly currency: string | undefined;
  readonly typeWord: string;
};

function movementOf(details: XmlElement): Movement {
  const type = details.child('SttlmTxOrCorpActnEvtTp');
  const event = codeOf(type?.child('CorpActnEvtTp'));
  const movement = required(details, 'SctiesMvmntTp');
  if (movement.text !== 'RECE' && movement.text !== 'DELI') {
    throw new FieldFault(
      { line: movement.line, field: 'SctiesMvmntTp' },
      'It is neither RECE (received) nor DELI (delivered).',
    );
  }
  const isIn = movement.text === 'RECE';
  const units = quantityOf(required(details, 'PstngQty'));
  const payment = details.textAt('Pmt');
  const paid = payment === 'FREE' ? undefined : details.child('PstngAmt');
  const known = corporateActionEvents.get(event ?? '');
  const isIncome = known !== undefined && isIncomeOfInstrument(known.kind);
  // Units against payment: cash goes the other way. Income comes as cash alone.
  const money = paid && cashOf(paid, isIncome === isIn ? 'in' : 'out');
  const meaning = known ?? { kind: money && units ? 'trade' : 'flow' };
  return {
    ...meaning,
    quantity: units === undefined || isIncome ? undefined : isIn ? units : negated(units),
    amount: money?.amount,
    currency: money?.currency,
    typeWord: [codeOf(details.child('TxActvty')), event ?? codeOf(type?.child('SctiesTxTp')), movement.text, payment]
      .filter(Boolean)
      .join('/'),
  };
}

/** `usual` counts if the amount states no direction. */
function cashOf(posting: XmlElement, usual: 'in' | 'out'): { amount: Decimal; currency: string } {
  const element = posting.child('Amt') ?? posting;
  const [value, direction] = [magnitudeOf(element), posting.textAt('CdtDbtInd') ?? posting.textAt('CdtDbt')];
  if (direction !== undefined && direction !== 'CRDT' && direction !== 'DBIT') {
    throw new FieldFault(
      { line: posting.line, field: 'PstngAmt/CdtDbtInd' },
      `"${direction.slice(0, 40)}" is neither CRDT nor DBIT.`,
    );
  }
  const isOut = direction === undefined ? usual === 'out' : direction === 'DBIT';
  return { amount: isOut ? negated(value) : value, currency: currencyOf(element) };
}

/** A reversal repeats the reference of what it takes back. */
function identityOf(
  element: XmlElement,
  details: XmlElement,
  references: UsedReferences,
): Pick<StatementEntry, 'reference' | 'cancels'> {
  const own = ['AcctSvcrTxId', 'AcctOwnrTxId', 'MktInfrstrctrTxId', 'PrcrTxId', 'CmonId']
    .map((name) => referenceIn(element.textAt(name)))
    .find((reference) => reference !== undefined);
  if (isTrue(details.child('RvslInd'))) return { cancels: own === undefined ? 'same-content' : { reference: own } };
  return own === undefined ? {} : { reference: references.distinct(own) };
}

function statedInstrument(id: XmlElement | undefined, element: XmlElement): NamedInstrument {
  const instrument = instrumentOf(id);
  if (instrument !== undefined) return instrument;
  throw new FieldFault({ line: element.line, field: 'FinInstrmId' }, 'The instrument is missing or has no identifier.');
}

/** Some dates are words, such as OPEN or UNKN. */
function statedDate(element: XmlElement | undefined): XmlElement | undefined {
  return element?.child('DtCd') === undefined && element?.find('Dt', 'DtCd') === undefined ? element : undefined;
}

function codeOf(element: XmlElement | undefined): string | undefined {
  return element?.textAt('Cd') ?? element?.textAt('Prtry', 'Id') ?? element?.textAt('Prtry');
}
