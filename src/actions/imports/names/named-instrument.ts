// Creates instruments from what files say about them, and keeps which instrument a custodian's own code means.

import { defined } from '../../../kit/assert.ts';
import { FieldFault, type FieldKind } from '../../../kit/field.ts';
import type { Id } from '../../../kit/id.ts';
import { Refusal, refusalForFaults } from '../../../kit/refusal.ts';
import type { ChangeOf } from '../../../kit/resource.ts';
import { identifierMapping, type IdentifierMapping } from '../../../model/custody/identifier-mapping.ts';
import { foldWord } from '../../../model/custody/folded-words.ts';
import type { NamedInstrument } from '../../../model/custody/statement.ts';
import { countryCode } from '../../../model/country.ts';
import { currencyCode } from '../../../model/currency.ts';
import { bond, zeroCouponBond } from '../../../model/instrument/bond.ts';
import { instrument as instrumentResource, type Instrument } from '../../../model/instrument/instrument.ts';
import { mutualFund } from '../../../model/instrument/mutual-fund.ts';
import { otherInstrument } from '../../../model/instrument/other.ts';
import { cusipOf, isin, isCusip, isSedol, marketCode, sedolOf } from '../../../model/instrument/security-code.ts';
import { stock } from '../../../model/instrument/stock.ts';
import type { ImportCreation } from '../../../store/imports/import-creations.ts';
import { learnCodes } from '../../../store/names/identifier-mappings.ts';
import { instrumentActions } from '../../instruments/instrument-actions.ts';
import { snapshot } from '../../core/snapshot.ts';
import { audit, type Work } from '../../core/work.ts';
import type { NameScope } from './resolution.ts';

type InstrumentInput = ChangeOf<typeof instrumentResource>;

/**
 * Creates instruments of the shared catalogue, each once however often it is named. A refusal in place of an id says what the file
 * does not say, or that the caller may not write what all clients share.
 */
export async function createNamedInstruments(
  work: Work,
  names: readonly NamedInstrument[],
): Promise<readonly (Id | Refusal)[]> {
  const created = new Map<string, Id | Refusal>();
  const outcomes: (Id | Refusal)[] = [];
  for (const named of names) {
    const key = strongestCode(named);
    const outcome = created.get(key) ?? (await createOne(work, named));
    created.set(key, outcome);
    outcomes.push(outcome);
  }
  return outcomes;
}

/** What would be created from what a file says; a refusal says what it does not say. */
export function instrumentToCreate(named: NamedInstrument): InstrumentInput | Refusal {
  try {
    return toInput(named);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** Names with the same strongest code mean one instrument. */
function strongestCode({ isin: isinCode, cusip, sedol, ticker, mic, custodianCode, name }: NamedInstrument): string {
  const tickerOnMarket = ticker === undefined ? undefined : `${ticker} ${mic ?? ''}`;
  const code = [isinCode, cusip, sedol, tickerOnMarket, custodianCode, name].findIndex((one) => one !== undefined);
  return `${code} ${foldWord([isinCode, cusip, sedol, tickerOnMarket, custodianCode, name][code] ?? '')}`;
}

async function createOne(work: Work, named: NamedInstrument): Promise<Id | Refusal> {
  try {
    return (await instrumentActions.create(work, toInput(named))).id;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function invalid(detail: string, field: keyof InstrumentInput): Refusal {
  return refusalForFaults('invalid-document', [{ code: 'invalid-attribute', detail, field }]);
}

/** What a file says in a wrong form is left out, except the code that the instrument is known by. */
function validOrNothing<T>(kind: FieldKind<T>, word: string | undefined): T | undefined {
  if (word === undefined) return undefined;
  try {
    return kind.read(foldWord(word));
  } catch (error) {
    if (error instanceof FieldFault) return undefined;
    throw error;
  }
}

function toInput(named: NamedInstrument): InstrumentInput {
  const { type, name, ticker, custodianCode } = named;
  const isinCode = validIsin(named);
  const currency = validOrNothing(currencyCode, named.currency);
  const country = validOrNothing(countryCode, named.country);
  const shared = {
    name: (name ?? ticker ?? isinCode ?? named.cusip ?? named.sedol ?? custodianCode ?? '').trim().slice(0, 200),
    ...(currency && { ccyCode: currency }),
    ...(country && { issuerCountry: country }),
  };
  if (shared.name === '') throw invalid('The file does not say what the instrument is called.', 'name');
  const codes = { ...(isinCode && { isin: isinCode }), ...validSedol(named, isinCode), ...otherCode(named, isinCode) };
  if (type === 'stock' || (type === undefined && ticker !== undefined))
    return {
      ...shared,
      ...codes,
      type: stock.type,
      ...listing(named),
      ...(currency && { listingCurrency: currency }),
    };
  if (type === 'fund') return { ...shared, ...codes, type: mutualFund.type };
  if (type === 'bond') return { ...shared, ...codes, ...bondTerms(named) };
  const identifier = isinCode ?? codes.externalIdentifier ?? codes.sedol;
  return { ...shared, type: otherInstrument.type, ...(identifier && { externalIdentifier: identifier }) };
}

function validIsin({ isin: word }: NamedInstrument): string | undefined {
  if (word === undefined) return undefined;
  const code = foldWord(word);
  try {
    return isin.read(code);
  } catch (error) {
    if (error instanceof FieldFault) throw invalid(`isin ${error.message}: the file says ${code}.`, 'isin');
    throw error;
  }
}

/** A SEDOL that is part of the ISIN needs no field of its own. */
function validSedol({ sedol }: NamedInstrument, isinCode: string | undefined): { sedol?: string } {
  const code = sedol === undefined ? '' : foldWord(sedol);
  return isSedol(code) && (isinCode === undefined || sedolOf(isinCode) !== code) ? { sedol: code } : {};
}

/** A CUSIP that is no part of the ISIN, else the custodian's own code. */
function otherCode(
  { cusip, custodianCode }: NamedInstrument,
  isinCode: string | undefined,
): { externalIdentifier?: string } {
  const code = cusip === undefined ? '' : foldWord(cusip);
  if (isCusip(code) && (isinCode === undefined || cusipOf(isinCode) !== code)) return { externalIdentifier: code };
  const own = custodianCode?.trim().slice(0, 200);
  return own ? { externalIdentifier: own } : {};
}

function listing({ ticker, mic }: NamedInstrument): InstrumentInput {
  const market = validOrNothing(marketCode, mic);
  const symbol = ticker === undefined ? '' : foldWord(ticker).slice(0, 32);
  return { ...(symbol && { ticker: symbol }), ...(market && { exchange: market }) };
}

/** A bond whose terms are not known would be given wrong interest: a person has to create it. */
function bondTerms({ maturity, couponRate }: Pick<NamedInstrument, 'maturity' | 'couponRate'>): InstrumentInput {
  if (maturity === undefined)
    throw invalid('The file does not say when the bond matures. Create the instrument with its terms.', 'maturity');
  if (couponRate === undefined)
    throw invalid('The file does not say the coupon of the bond. Create the instrument with its terms.', 'coupon');
  if (Number(couponRate) === 0) return { type: zeroCouponBond.type, maturity };
  return { type: bond.type, maturity, coupon: couponRate };
}

/** Keeps the custodian's own codes of instruments that were found or created, so that the code alone finds them next time. */
export async function learnInstruments(
  work: Work,
  { client, custodian }: NameScope,
  learned: readonly { readonly named: NamedInstrument; readonly id: Id }[],
): Promise<ImportCreation[]> {
  if (client === null) return [];
  const codes = learned.flatMap(({ named, id }) => {
    const value = named.custodianCode?.trim().slice(0, 200) ?? '';
    const hasOther = [named.isin, named.cusip, named.sedol, named.ticker].some((one) => one !== undefined);
    return value === '' || !hasOther ? [] : [{ value, foldedValue: foldWord(value), instrument: id }];
  });
  const distinct = [...new Map(codes.map((one) => [one.foldedValue, one])).values()];
  if (distinct.length === 0) return [];
  const withIds = distinct.map((one) => ({ ...one, id: work.ids.next() }));
  const mappings = await learnCodes(work.store, { client, custodian, codes: withIds, now: work.now });
  if (mappings.length === 0) return [];
  const records = await work.store.table(identifierMapping).lockReferencedRecords(mappings.map(({ id }) => id));
  const recordOf = new Map(records.map((record) => [record.id, record]));
  return mappings.map(({ id, before, after }) => {
    const record = defined(recordOf.get(id), 'a mapping that was just learned is there');
    auditMapping(work, { ...(before && { before: { ...record, instrument: before } }), after: record });
    const content: LearnedContent = { before, after };
    return { type: 'identifier-mapping', id, content: JSON.stringify(content) };
  });
}

/** What a learned mapping led to before the import, and what it leads to since. */
export interface LearnedContent {
  readonly before: Id | null;
  readonly after: Id;
}

export function auditMapping(
  work: Work,
  { before, after }: { readonly before?: IdentifierMapping; readonly after: IdentifierMapping },
): void {
  audit(work, {
    act: before === undefined ? 'create' : 'change',
    type: identifierMapping.type,
    id: after.id,
    clientId: after.client,
    before: before ? snapshot(identifierMapping, before) : null,
    after: snapshot(identifierMapping, after),
  });
}

/** Everything that an instrument says, to see whether somebody has changed it since. */
export function instrumentContent(record: Instrument): string {
  return JSON.stringify(snapshot(instrumentResource, record));
}

export async function recordCreatedInstruments(work: Work, ids: readonly Id[]): Promise<ImportCreation[]> {
  if (ids.length === 0) return [];
  const records = await work.store.table(instrumentResource).lockReferencedRecords(ids);
  return records.map((record) => ({ type: 'instrument', id: record.id, content: instrumentContent(record) }));
}
