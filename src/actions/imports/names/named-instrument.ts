// Creates instruments from what files say about them, and keeps which instrument a custodian's own code means.

import { defined } from '../../../kit/assert.ts';
import { FieldFault, type FieldKind } from '../../../kit/field.ts';
import type { Id } from '../../../kit/id.ts';
import { Refusal, refusalForFaults } from '../../../kit/refusal.ts';
import type { ChangeOf } from '../../../kit/resource.ts';
import { leastOf } from '../../../kit/memory/long-list.ts';
import {
  identifierMapping,
  instrumentSchemes,
  type IdentifierMapping,
  type InstrumentScheme,
} from '../../../model/custody/identifier-mapping.ts';
import { foldWord } from '../../../model/custody/folded-words.ts';
import type { NamedInstrument } from '../../../model/custody/statement.ts';
import { countryCode } from '../../../model/country.ts';
import { bond, zeroCouponBond } from '../../../model/instrument/bond.ts';
import { instrument as instrumentResource, type Instrument } from '../../../model/instrument/instrument.ts';
import { mutualFund } from '../../../model/instrument/mutual-fund.ts';
import { otherInstrument } from '../../../model/instrument/other.ts';
import { quotedCurrency } from '../../../model/instrument/quoted-currency.ts';
import { cusipOf, isin, isCusip, isSedol, marketCode, sedolOf } from '../../../model/instrument/security-code.ts';
import { stock } from '../../../model/instrument/stock.ts';
import type { ImportCreation } from '../../../store/imports/import-creations.ts';
import { learnWords, type LearnedWord } from '../../../store/names/identifier-mappings.ts';
import { instrumentActions } from '../../instruments/instrument-actions.ts';
import { snapshot } from '../../core/snapshot.ts';
import { audit, type Work } from '../../core/work.ts';
import { lockSecurityCodes } from '../../../store/resources/security-codes.ts';
import {
  codesOf,
  hasSecurityCode,
  isNameAlone,
  isOwnCode,
  ownTicker,
  storedName,
  strongestWord,
} from './instrument-words.ts';
import { resolveInstruments } from './resolve-instruments.ts';
import { missing, type NameScope, type Resolution } from './resolution.ts';

type InstrumentInput = ChangeOf<typeof instrumentResource>;

/** What became of a name: the instrument that was created for it or that it turned out to mean, or why it means none. */
export type CreationOutcome = Resolution | Refusal;

interface CreationOptions {
  readonly scope: NameScope;
  /** Called for each instrument that is created, before the next names are looked up. */
  readonly created: (work: { readonly named: NamedInstrument; readonly id: Id }[]) => Promise<void>;
}

/**
 * Creates instruments of the shared catalogue for names that mean none: each once, however often and in however many ways it is named.
 * Names with the surest words come first. The others are looked up again after them, since they may mean what was just created; and all of
 * them at the beginning, since another import may have created it while this one waited for the catalogue.
 */
export async function createMissingInstruments(
  work: Work,
  names: readonly NamedInstrument[],
  { scope, created }: CreationOptions,
): Promise<ReadonlyMap<NamedInstrument, CreationOutcome>> {
  const outcomes = new Map<NamedInstrument, CreationOutcome>();
  lockSecurityCodes(work.store);
  for (let open = names; open.length > 0;) {
    const found = await resolveInstruments(work, scope, open);
    const absent = open.filter((named, index) => {
      const resolution = found[index] ?? missing;
      if (resolution.outcome !== 'missing') outcomes.set(named, resolution);
      return resolution.outcome === 'missing';
    });
    const ranks = absent.map((named) => strongestWord(named)?.rank ?? Infinity);
    const surest = leastOf(ranks);
    const chosen = absent.filter((_, index) => ranks[index] === surest);
    open = absent.filter((_, index) => ranks[index] !== surest);
    const results = await createNamedInstruments(work, chosen);
    const made: { named: NamedInstrument; id: Id }[] = [];
    for (const [index, named] of chosen.entries()) {
      const id = defined(results[index], 'each name has an outcome');
      outcomes.set(named, id instanceof Refusal ? id : { outcome: 'found', id });
      if (!(id instanceof Refusal)) made.push({ named, id });
    }
    if (made.length > 0) await created(made);
  }
  // What could not be created may be what was created for another name since.
  const refused = names.filter((named) => outcomes.get(named) instanceof Refusal);
  const found = await resolveInstruments(work, scope, refused.length < names.length ? refused : []);
  for (const [index, resolution] of found.entries()) {
    const named = refused[index];
    if (named !== undefined && resolution.outcome !== 'missing') outcomes.set(named, resolution);
  }
  return outcomes;
}

/**
 * Creates an instrument for each name, once for all names with the same strongest word. A refusal in place of an id says what the file
 * does not say, or that the caller may not write what all clients share.
 */
export async function createNamedInstruments(
  work: Work,
  names: readonly NamedInstrument[],
): Promise<readonly (Id | Refusal)[]> {
  const created = new Map<string, Id | Refusal>();
  const outcomes: (Id | Refusal)[] = [];
  for (const named of names) {
    const { rank, word } = strongestWord(named) ?? { rank: Infinity, word: '' };
    const key = `${rank} ${word}`;
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
  const { type, ticker, custodianCode } = named;
  const isinCode = validIsin(named);
  const quoted = quotedCurrency(named.currency);
  const country = validOrNothing(countryCode, named.country);
  const name = storedName(named.name ?? ticker ?? isinCode ?? named.cusip ?? named.sedol ?? custodianCode);
  if (name === '') throw invalid('The file does not say what the instrument is called.', 'name');
  if (strongestWord(named) === undefined)
    throw invalid(`The file names the option only by ${name}, which is what it is on. Create the instrument.`, 'name');
  const shared = {
    name,
    ...(quoted && { ccyCode: quoted.currency }),
    ...(country && { issuerCountry: country }),
  };
  const unit = quoted?.isInHundredths === true ? ({ priceUnit: 'hundredths' } as const) : {};
  const codes = { ...(isinCode && { isin: isinCode }), ...validSedol(named, isinCode), ...otherCode(named, isinCode) };
  if (type === 'stock' || (type === undefined && ticker !== undefined))
    return {
      ...shared,
      ...unit,
      ...codes,
      type: stock.type,
      ...listing(named),
      ...(quoted && { listingCurrency: quoted.currency }),
    };
  const identified = { ...tickerAsIdentifier(named, isinCode), ...codes };
  if (type === 'fund') return { ...shared, ...unit, ...identified, type: mutualFund.type };
  if (type === 'bond') return { ...shared, ...identified, ...bondTerms(named) };
  const identifier = isinCode ?? codes.externalIdentifier ?? codes.sedol ?? identified.externalIdentifier;
  return { ...shared, ...unit, type: otherInstrument.type, ...(identifier && { externalIdentifier: identifier }) };
}

/** Instruments of types without a ticker are found again by it as their identifier. A number alone would be found by other codes too. */
function tickerAsIdentifier(named: NamedInstrument, isinCode: string | undefined): { externalIdentifier?: string } {
  const ticker = foldWord(ownTicker(named) ?? '').slice(0, 200);
  return isinCode !== undefined || /^\d*$/.test(ticker) ? {} : { externalIdentifier: ticker };
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

/** A CUSIP that is no part of the ISIN, else the custodian's own code, which may stand where a CUSIP or a SEDOL should. */
function otherCode(
  { cusip, sedol, custodianCode }: NamedInstrument,
  isinCode: string | undefined,
): { externalIdentifier?: string } {
  const code = foldWord(cusip ?? '');
  if (isCusip(code)) return isinCode === undefined || cusipOf(isinCode) !== code ? { externalIdentifier: code } : {};
  const national = foldWord(sedol ?? '');
  const own = custodianCode?.trim() || code || (isSedol(national) ? '' : national);
  return own === '' ? {} : { externalIdentifier: own.slice(0, 200) };
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

/** A word of a file and what it turned out to mean. */
export interface LearnedName {
  readonly named: NamedInstrument;
  readonly id: Id;
  /** Whether it is kept what each of its own words means: it was created for them, or found by one that may come to mean several. */
  readonly isByWord?: boolean;
}

/** The words of a name that its instrument is found by next time, without those that name it everywhere. */
function wordsToLearn({ named, id, isByWord = false }: LearnedName): readonly Omit<LearnedWord, 'id'>[] {
  const codes = codesOf(named);
  const written = { ...named, 'custodian-code': named.custodianCode, ticker: ownTicker(named) };
  const word = (scheme: InstrumentScheme): Omit<LearnedWord, 'id'>[] => {
    const [value, foldedValue] = [written[scheme]?.trim().slice(0, 200) ?? '', codes[scheme]];
    if (value === '' || foldedValue === undefined) return [];
    const mic = scheme === 'ticker' ? (codes.mic ?? null) : null;
    // A security code beside the custodian's own is why that one can be known to mean something else than before.
    const replaces = isOwnCode(codes, scheme) && hasSecurityCode(codes);
    return [{ scheme, value, foldedValue: foldWord(value), mic, instrument: id, replaces }];
  };
  if (isByWord) {
    const own = instrumentSchemes.filter((scheme) => isOwnCode(codes, scheme));
    const bare = isNameAlone(codes) ? 'name' : 'ticker';
    return [...own.flatMap(word), ...(hasSecurityCode(codes) ? [] : word(bare))];
  }
  const hasOther = [named.isin, named.cusip, named.sedol, named.ticker].some((one) => one !== undefined);
  return hasOther ? word('custodian-code') : [];
}

/** Keeps what the custodian's own words for instruments mean, so that they alone find them next time. */
export async function learnInstruments(
  work: Work,
  { client, custodian }: NameScope,
  learned: readonly LearnedName[],
): Promise<ImportCreation[]> {
  if (client === null) return [];
  const words = learned.flatMap(wordsToLearn);
  const keyOf = ({ scheme, mic, foldedValue }: Omit<LearnedWord, 'id'>): string =>
    `${scheme} ${mic ?? ''} ${foldedValue}`;
  const distinct = [...new Map(words.toReversed().map((one) => [keyOf(one), one])).values()];
  if (distinct.length === 0) return [];
  const withIds = distinct.map((one) => ({ ...one, id: work.ids.next() }));
  const mappings = await learnWords(work.store, { client, custodian, words: withIds, now: work.now });
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
