// Finds the instruments that files name, many at once: by what a person has said, then by ISIN, CUSIP and SEDOL, by what the custodian's own
// words have meant before, by ticker with market, and last by a ticker or a name that only one instrument has.

import { defined } from '../../../kit/assert.ts';
import type { Id } from '../../../kit/id.ts';
import { instrumentSchemes, type InstrumentScheme } from '../../../model/custody/identifier-mapping.ts';
import type { NamedInstrument } from '../../../model/custody/statement.ts';
import { foldWord } from '../../../model/custody/folded-words.ts';
import { cusipOf, isCusip, isIsin, isinsWith, isSedol, sedolOf } from '../../../model/instrument/security-code.ts';
import { listMappings } from '../../../store/names/identifier-mappings.ts';
import { listInstrumentsByCode, type CodedInstrument } from '../../../store/names/named-records.ts';
import type { Work } from '../../core/work.ts';
import {
  codesOf,
  hasSecurityCode,
  isNameAlone,
  isOwnCode,
  storedName,
  wordsOf,
  type Codes,
} from './instrument-words.ts';
import { fitsListing, fitsType } from './instrument-fit.ts';
import { MappingLookup } from './mapping-lookup.ts';
import { missing, resolutionOf, type NameScope, type Resolution } from './resolution.ts';

/** Whatever an instrument with one of these codes may have as its ISIN. */
function possibleIsins({ isin, cusip, sedol }: Codes): readonly string[] {
  return [...(isin === undefined ? [] : [isin]), ...isinsWith({ ...(cusip && { cusip }), ...(sedol && { sedol }) })];
}

function possibleSedols({ isin, sedol }: Codes): readonly string[] {
  return [sedol, isin === undefined ? undefined : sedolOf(isin)].flatMap((one) => one ?? []);
}

/** External identifiers hold any code. */
function possibleIdentifiers(codes: Codes, custodianCodes: readonly string[]): readonly string[] {
  const { isin, cusip } = codes;
  const within = isin === undefined ? undefined : cusipOf(isin);
  return [
    ...possibleIsins(codes),
    ...possibleSedols(codes),
    ...[cusip, within].flatMap((one) => one ?? []),
    ...custodianCodes,
  ];
}

/** In the order of the names. */
export function resolveInstruments(
  work: Work,
  scope: NameScope,
  names: readonly NamedInstrument[],
): Promise<readonly Resolution[]> {
  return resolveScopedInstruments(
    work,
    names.map((named) => ({ scope, named })),
  );
}

interface ScopedInstrument {
  readonly scope: NameScope;
  readonly named: NamedInstrument;
}

/** Like `resolveInstruments`, for names of several clients and custodians together. */
export async function resolveScopedInstruments(
  { store }: Work,
  requests: readonly ScopedInstrument[],
): Promise<readonly Resolution[]> {
  const names = requests.map(({ named }) => named);
  const codes = names.map(codesOf);
  const words = [...new Set(codes.flatMap(wordsOf))];
  if (words.length === 0) return names.map(() => missing);
  const clients = new Set(requests.map(({ scope }) => scope.client));
  const [client = null] = clients.size === 1 ? clients : [];
  const mappings = await listMappings(store, { client, kind: 'instrument', values: words });
  const distinct = (list: (one: Codes, index: number) => readonly string[]): string[] => [
    ...new Set(codes.flatMap(list)),
  ];
  const found = await listInstrumentsByCode(store, client, {
    isins: distinct(possibleIsins),
    externalIdentifiers: distinct((one, index) => [
      ...possibleIdentifiers(one, custodianSpellings(names[index])),
      ...identifyingTicker(one),
    ]),
    sedols: distinct(possibleSedols),
    tickers: distinct(tickerSpellings),
    names: distinct((one, index) => nameSpellings(one, names[index])),
    ids: [...new Set(mappings.map(({ target }) => target))],
  });
  const lookups = new Map<string, InstrumentLookup>();
  return codes.map((one, index) => {
    const { scope } = defined(requests[index], 'there is a request for each name');
    const key = `${scope.client} ${scope.custodian}`;
    let lookup = lookups.get(key);
    if (lookup === undefined) {
      const own = found.filter(isWithin(scope));
      lookups.set(
        key,
        (lookup = new InstrumentLookup(scope, own, new MappingLookup(scope, mappings.filter(isWithin(scope))))),
      );
    }
    return lookup.resolve(one);
  });
}

/** Leaves out what belongs to other clients. */
function isWithin(scope: NameScope): (one: { readonly client: Id | null }) => boolean {
  return ({ client }) => scope.client === null || client === null || client === scope.client;
}

/** Stored as it was sent: the file's own spelling, and in capitals. */
function custodianSpellings(named: NamedInstrument | undefined): readonly string[] {
  const code = named?.custodianCode?.trim();
  return code === undefined || code === '' ? [] : [code, foldWord(code)];
}

function tickerSpellings({ ticker }: Codes): readonly string[] {
  return ticker === undefined ? [] : [ticker];
}

/** Instruments of types without a ticker keep it as their identifier. A number alone may be another custodian's own code. */
function identifyingTicker({ ticker }: Codes): readonly string[] {
  return ticker === undefined || /^\d*$/.test(ticker) ? [] : [ticker];
}

function nameSpellings(codes: Codes, named: NamedInstrument | undefined): readonly string[] {
  const name = isNameAlone(codes) ? storedName(named?.name) : '';
  return name === '' ? [] : [name];
}

class InstrumentLookup {
  readonly #isWorkspaceWide: boolean;
  readonly #found: ReadonlyMap<Id, CodedInstrument>;
  readonly #byCode = new Map<string, CodedInstrument[]>();
  readonly #mappings: MappingLookup;

  constructor({ client }: NameScope, found: readonly CodedInstrument[], mappings: MappingLookup) {
    this.#isWorkspaceWide = client === null;
    this.#found = new Map(found.map((one) => [one.id, one]));
    this.#mappings = mappings;
    for (const one of found) {
      this.#index('isin', one.isin, one);
      this.#index('sedol', one.sedol, one);
      this.#index('ticker', one.ticker, one);
      this.#index('name', foldWord(one.name), one);
      this.#index('external', one.externalIdentifier && foldWord(one.externalIdentifier), one);
    }
  }

  #index(column: string, code: string | null, one: CodedInstrument): void {
    if (code === null) return;
    const key = `${column} ${code}`;
    const others = this.#byCode.get(key);
    if (others === undefined) this.#byCode.set(key, [one]);
    else others.push(one);
  }

  #having(
    column: 'isin' | 'sedol' | 'ticker' | 'external' | 'name',
    codes: readonly string[],
  ): readonly CodedInstrument[] {
    return codes.flatMap((code) => this.#byCode.get(`${column} ${code}`) ?? []);
  }

  resolve(codes: Codes): Resolution {
    const steps: (() => readonly CodedInstrument[])[] = [
      ...instrumentSchemes.filter(isCode).map((scheme) => () => this.#mapped(codes, scheme, 'manual')),
      () => this.#consistent(codes, this.#byStrongCode(pick(codes, 'isin'))),
      () => this.#consistent(codes, this.#byStrongCode(pick(codes, 'cusip'))),
      () => this.#consistent(codes, this.#byStrongCode(pick(codes, 'sedol'))),
      ...instrumentSchemes
        .filter((scheme) => isOwnCode(codes, scheme))
        .map((scheme) => () => this.#consistent(codes, this.#mapped(codes, scheme, 'learned'))),
      () => this.#consistent(codes, this.#byTicker(codes)).filter((one) => fitsType(codes, one)),
      () => this.#consistent(codes, this.#byCustodianCode(codes)).filter((one) => fitsType(codes, one)),
      () => this.#mapped(codes, 'name', 'manual'),
    ];
    for (const step of steps) {
      const resolution = resolutionOf(this.#preferred(codes, step()));
      if (resolution.outcome !== 'missing') return resolution;
    }
    return this.#byBareWord(codes);
  }

  #mapped(codes: Codes, scheme: InstrumentScheme, source: 'manual' | 'learned'): readonly CodedInstrument[] {
    const foldedValue = codes[scheme];
    if (foldedValue === undefined) return [];
    const targets = this.#mappings.targets({ scheme, foldedValue, mic: codes.mic }, source);
    return targets.flatMap((id) => this.#found.get(id) ?? []);
  }

  #byStrongCode(codes: Codes): readonly CodedInstrument[] {
    return [
      ...this.#having('isin', possibleIsins(codes)),
      ...this.#having('sedol', possibleSedols(codes)),
      ...this.#having('external', possibleIdentifiers(codes, [])),
    ];
  }

  #byTicker({ ticker, mic }: Codes): readonly CodedInstrument[] {
    if (ticker === undefined || mic === undefined) return [];
    return this.#having('ticker', [ticker]).filter((one) => one.mic === mic);
  }

  #byCustodianCode(codes: Codes): readonly CodedInstrument[] {
    const code = codes['custodian-code'];
    return code === undefined ? [] : this.#having('external', [code]);
  }

  /** Leaves out those that have another code of a stronger kind than the file says. */
  #consistent(codes: Codes, found: readonly CodedInstrument[]): readonly CodedInstrument[] {
    return found.filter((one) => !contradicts(codes, one));
  }

  /** For the whole workspace, what is shared goes before what is private; of several, those in the file's currency and market count. */
  #preferred({ currency, mic }: Codes, found: readonly CodedInstrument[]): readonly CodedInstrument[] {
    let candidates: readonly CodedInstrument[] = [...new Map(found.map((one) => [one.id, one])).values()];
    const narrow = (isMeant: (one: CodedInstrument) => boolean): void => {
      const meant = candidates.filter(isMeant);
      if (candidates.length > 1 && meant.length > 0) candidates = meant;
    };
    if (this.#isWorkspaceWide) narrow(({ client }) => client === null);
    if (mic !== undefined) narrow((one) => one.mic === mic);
    if (currency !== undefined) narrow((one) => one.currency === currency);
    return candidates;
  }

  /**
   * By a ticker whose market is not known on both sides, or by a name where the file has no code: what it has meant before, else the only
   * instrument that it fits. Several are for a person to choose from.
   */
  #byBareWord(codes: Codes): Resolution {
    if (codes.ticker !== undefined) return hasSecurityCode(codes) ? missing : this.#byBareTicker(codes, codes.ticker);
    if (!isNameAlone(codes)) return missing;
    const learned = asWord(this.#fitting(codes, this.#mapped(codes, 'name', 'learned')));
    return learned.outcome === 'missing' ? this.#byBareName(codes) : learned;
  }

  #byBareTicker(codes: Codes, ticker: string): Resolution {
    const learned = asWord(this.#fitting(codes, this.#learnedTickers(codes)));
    if (learned.outcome !== 'missing') return learned;
    const identified = this.#having('external', identifyingTicker(codes)).filter((one) => one.ticker === null);
    const candidates = this.#fitting(codes, [...this.#having('ticker', [ticker]), ...identified]);
    const isOther = (one: CodedInstrument): boolean => hasOtherOwnCode(codes, one);
    // Contracts on one underlying may share its ticker: the custodian's own code tells them apart.
    if (codes.type === 'option' || codes.type === 'other') return asWord(candidates.filter((one) => !isOther(one)));
    return candidates.some(isOther) ? ambiguous(candidates) : asWord(candidates);
  }

  /** A client's own meaning of a ticker is not that of all clients. */
  #learnedTickers(codes: Codes): readonly CodedInstrument[] {
    if (this.#isWorkspaceWide) return [];
    return this.#mapped(codes, 'ticker', 'learned').filter((one) => !hasOtherOwnCode(codes, one));
  }

  /** Instruments that have a code are named by it in most files: their name alone may be that of another class of the same issuer. */
  #byBareName(codes: Codes): Resolution {
    const candidates = this.#fitting(codes, this.#having('name', codes.name === undefined ? [] : [codes.name]));
    const isCoded = ({ isin, sedol, ticker, externalIdentifier }: CodedInstrument): boolean =>
      [isin, sedol, ticker, externalIdentifier].some((code) => code !== null);
    return candidates.some(isCoded) ? ambiguous(candidates) : asWord(candidates);
  }

  /** Leaves out those that the market, the currency or the type that the file says contradicts. */
  #fitting(codes: Codes, found: readonly CodedInstrument[]): readonly CodedInstrument[] {
    const fitting = this.#consistent(codes, found).filter((one) => fitsListing(codes, one) && fitsType(codes, one));
    return this.#preferred(codes, fitting);
  }
}

/** Found by a word that may come to mean several instruments. */
function asWord(candidates: readonly CodedInstrument[]): Resolution {
  const resolution = resolutionOf(candidates);
  return resolution.outcome === 'found' ? { ...resolution, isByWord: true } : resolution;
}

function ambiguous(candidates: readonly CodedInstrument[]): Resolution {
  return { outcome: 'ambiguous', candidates: candidates.map(({ id }) => id) };
}

/** Whether both have a code of a custodian's own, and it is not the same. */
function hasOtherOwnCode(codes: Codes, { externalIdentifier }: CodedInstrument): boolean {
  const own = instrumentSchemes.filter((scheme) => isOwnCode(codes, scheme)).map((scheme) => codes[scheme]);
  if (own.length === 0 || externalIdentifier === null) return false;
  const code = foldWord(externalIdentifier);
  return !isIsin(code) && !isCusip(code) && !isSedol(code) && code !== codes.ticker && !own.includes(code);
}

/** A name alone decides only where no code does. */
function isCode(scheme: InstrumentScheme): boolean {
  return scheme !== 'name';
}

function pick(codes: Codes, scheme: 'isin' | 'cusip' | 'sedol'): Codes {
  const code = codes[scheme];
  return code === undefined ? {} : { [scheme]: code };
}

function contradicts(codes: Codes, one: CodedInstrument): boolean {
  const external = one.externalIdentifier === null ? '' : foldWord(one.externalIdentifier);
  const isin = one.isin ?? (isIsin(external) ? external : undefined);
  const cusip = (isin && cusipOf(isin)) ?? (isCusip(external) ? external : undefined);
  const sedol = one.sedol ?? (isin && sedolOf(isin)) ?? (isSedol(external) ? external : undefined);
  const differs = (named: string | undefined, own: string | undefined): boolean =>
    named !== undefined && own !== undefined && named !== own;
  // Of two ISINs that differ nothing else matters; a security may have several CUSIPs and SEDOLs, one for each market.
  if (codes.isin !== undefined && isin !== undefined) return codes.isin !== isin;
  if (codes.cusip !== undefined && cusip !== undefined) return codes.cusip !== cusip;
  return differs(codes.sedol, sedol);
}
