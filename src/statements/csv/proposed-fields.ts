// Proposes what the columns of an unknown file say: by the names that shipped profiles know, and else by what stands in them.

import { keysOf } from '../../kit/keys.ts';
import type { CsvField } from '../../model/custody/import-profile.ts';
import { isCurrencyCode } from '../../model/currency.ts';
import { isIsin } from '../../model/instrument/security-code.ts';
import { isPlainProfile, shippedProfiles } from '../../model/custody/shipped-profiles/shipped.ts';
import { parseColumnName } from './column-name.ts';
import { foldName } from './folded-name.ts';

/** Fields that several columns may say together. */
const joinedFields: ReadonlySet<CsvField> = new Set(['comment', 'fees', 'taxes']);
/** Everyday names say more of an unknown file than those of one institution. */
const plainWeight = 3;

/** What banks and brokers call their columns whose exports nobody has described. Folded, without accents and signs. */
const moreNames: Readonly<Partial<Record<CsvField, string>>> = {
  date: 'date de transaction, affarsdag, bokforingsdag, dato, bokfort, transaction time, created on, created at, completed on, booking date, trade date time, data de negociacao, data movimento, fecha operacion, fecha de operacion, vest date, date paid, datum transakce, data operacji',
  settlementDate:
    'likviddag, valutadag, valutadato, date de reglement, date de valeur, fecha valor, data waluty, interest date, rentedatum',
  type: 'typ av transaktion, transaktionstyp, tipo operazione, tipo de operacion, tipo operacion, type d operation, type de transaction, operation, category, kategorie, categorie, type mutatie, mutatiesoort, way, tipo, typ, art, transaction kind, orderart',
  amount:
    'belopp, belob, belop, cash flow, importo euro, montant net, montant de l operation, total trade value, net cash proceeds, transaction amount, amount eur, amount usd, amount gbp, amount chf, kwota, nettobetrag, total due, importe, valor liquido',
  debit: 'money out, out, withdrawals, uttag, debet, ausgang, belastung, cargos, uscite',
  credit: 'money in, in, deposits, insattning, kredit, eingang, gutschrift, abonos, entrate',
  balance:
    'resulting balance, running balance, cash balance, saldo na operacji, kontostand, account balance, cash balance amount',
  currency:
    'transaktionsvaluta, transaction currency, currencyprimary, devise du prix, moneda, waluta, whrg, wahrung, munt, native currency, valuta mutatie',
  isin: 'isin code, code isin, isin codigo, codigo isin, security isin',
  ticker: 'symbole, symbolo, ticker symbol, stock, simbolo, asset',
  instrumentName:
    'vardepapper beskrivning, vardepapper, asset name, titre, titulo, titolo, produit, produkt, wertpapier, bezeichnung, security description, investment, fund, fund name, holdingname, holding',
  code: 'wkn, valor, valorennummer, security id',
  quantity:
    'antal, quantite, quantita, cantidad, aantal, number of shares, asset quantity, volume, liczba, quantidade, qte, stuck, anteile, share quantity, base amount, no of units',
  price:
    'cours, prezzo, precio, prix, kurs, koers, asset price, price per unit, unit cost, preco, cena, nav, kurspris, share price',
  fees: 'courtage, frais, commissioni, commissione, comision, comisiones, commission payee, total avgift, avgift, kurtage, provisjon, kosten, gebuhren, gebuhr, spesen, prowizja, fee amount, trading fee',
  taxes: 'steuer, steuern, quellensteuer, impot, imposta, impuesto, skatt, kallskatt, withholding, belasting',
  comment:
    'transaktionstext, descripcion, omschrijving, notifications, notes, note, narration, details, beskrivelse, tekst, opis, mededelingen, naam, name',
  reference:
    'verifikationsnummer, riferimento ordine, order number, transaction hash, tx id, ta nr, volgnummer, reference number',
  account: 'kontonummer, rekening, rekeningnummer, numero de compte, account number, depa, portefeuille, portfolio',
  counterAccount: 'counterparty, tegenrekening, counterparty iban, gegenkonto, contrapartida',
  exchangeRate:
    'valutakurs, taux de change, cambio, wechselkurs, devisenkurs, fx rate, fxrate, currency rate, vaxlingskurs',
};

let known: ReadonlyMap<string, CsvField> | undefined;

/** What most shipped profiles of movements read in a column of a name. */
function fieldsByName(): ReadonlyMap<string, CsvField> {
  if (known !== undefined) return known;
  const votes = new Map<string, Map<CsvField, number>>();
  for (const profile of shippedProfiles) {
    if (profile.content !== 'transactions' || profile.header !== 'named') continue;
    const weight = isPlainProfile(profile) ? plainWeight : 1;
    for (const field of keysOf(profile.columns))
      for (const column of profile.columns[field] ?? []) {
        const { name, offset, aroundCode, isAboveOnly } = parseColumnName(column);
        if (offset > 0 || aroundCode !== undefined || isAboveOnly || name.startsWith('#')) continue;
        const counts = votes.getOrInsertComputed(bare(name), () => new Map<CsvField, number>());
        counts.set(field, (counts.get(field) ?? 0) + weight);
      }
  }
  const fields = new Map<string, CsvField>();
  for (const field of keysOf(moreNames))
    for (const name of moreNames[field]?.split(',') ?? []) fields.set(name.trim(), field);
  for (const [name, counts] of votes) {
    // Of equal votes, the field that is declared first: a column that is read as two is most of all what a line needs.
    const [best] = [...counts].toSorted(([, one], [, other]) => other - one);
    if (best !== undefined) fields.set(name, best[0]);
  }
  known = fields;
  return fields;
}

/** Without accents, signs and what stands in brackets: `Montant (EUR)`, `Date d'opération`. */
function bare(name: string): string {
  const open = name.search(/[([]/);
  return foldName(open > 0 ? name.slice(0, open) : name)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** A column of nothing but codes says what they are, whatever it is called. */
function fieldOfValues(values: readonly string[]): CsvField | undefined {
  if (values.length === 0) return undefined;
  if (values.every((value) => isIsin(value.toUpperCase()))) return 'isin';
  return values.every((value) => /^[A-Z]{3}$/.test(value) && isCurrencyCode(value)) ? 'currency' : undefined;
}

export interface NamedColumn {
  readonly name: string;
  /** What stands in it, as far as it was looked at. */
  readonly values: readonly string[];
}

/** One field for each column, in their order; undefined where nothing is known. Each field is proposed once, unless columns of it add up. */
export function proposedFields(columns: readonly NamedColumn[]): readonly (CsvField | undefined)[] {
  const fields = fieldsByName();
  const taken = new Set<CsvField>();
  const proposed = columns.map(({ name, values }) => {
    const field = fields.get(bare(name)) ?? fieldOfValues(values);
    if (field === undefined || (taken.has(field) && !joinedFields.has(field))) return undefined;
    taken.add(field);
    return field;
  });
  // A single date is that of the line.
  return taken.has('date') ? proposed : proposed.map((field) => (field === 'settlementDate' ? 'date' : field));
}
