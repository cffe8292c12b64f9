// What the words of banks and brokers for kinds of transactions mean, in six languages: used by every reader after the words of its own
// profile or format. A word is listed only if it means the same everywhere. A text that says two things is not decided: a person is asked.

import { greatestOf } from '../kit/memory/long-list.ts';
import { ownText } from '../kit/memory/own-text.ts';
import type { CorporateActionType, TransactionKind } from '../model/ledger/transaction-kind.ts';
import type { Direction } from './signed-values.ts';

export interface WordMeaning {
  readonly kind: TransactionKind;
  readonly action?: CorporateActionType;
  readonly category?: string;
  /** Which way the cash goes, if the word says it. */
  readonly cash?: Direction;
  /** Which way the units go, if the word says it. */
  readonly units?: Direction;
  /** Takes back what was booked before: only the sign of its amount says which way it goes. */
  readonly isReversal?: true;
}

type Group =
  | 'buy'
  | 'sell'
  | 'redemption'
  | 'dividend'
  | 'coupon'
  | 'interest'
  | 'interestPaid'
  | 'fee'
  | 'feeRefund'
  | 'tax'
  | 'withholding'
  | 'taxRefund'
  | 'exchange'
  | 'capitalCall'
  | 'split'
  | 'reverseSplit'
  | 'stockDividend'
  | 'spinOff'
  | 'merger'
  | 'returnOfCapital'
  | 'symbolChange'
  | 'moneyIn'
  | 'moneyOut'
  | 'payment'
  | 'undecided';

const meanings: Readonly<Record<Exclude<Group, 'undecided'>, WordMeaning>> = {
  buy: { kind: 'trade', cash: 'out', units: 'in' },
  sell: { kind: 'trade', cash: 'in', units: 'out' },
  redemption: { kind: 'redemption', cash: 'in', units: 'out' },
  dividend: { kind: 'dividend', cash: 'in' },
  coupon: { kind: 'coupon', cash: 'in' },
  interest: { kind: 'interest' },
  interestPaid: { kind: 'interest', cash: 'out' },
  fee: { kind: 'fee', cash: 'out' },
  feeRefund: { kind: 'fee', cash: 'in' },
  tax: { kind: 'fee', category: 'tax', cash: 'out' },
  withholding: { kind: 'fee', category: 'withholding-tax', cash: 'out' },
  taxRefund: { kind: 'fee', category: 'tax', cash: 'in' },
  exchange: { kind: 'fx' },
  capitalCall: { kind: 'capital-call', cash: 'out' },
  split: { kind: 'corporate-action', action: 'split' },
  reverseSplit: { kind: 'corporate-action', action: 'reverse-split' },
  stockDividend: { kind: 'corporate-action', action: 'stock-dividend' },
  spinOff: { kind: 'corporate-action', action: 'spin-off' },
  merger: { kind: 'corporate-action', action: 'merger' },
  returnOfCapital: { kind: 'corporate-action', action: 'return-of-capital' },
  symbolChange: { kind: 'corporate-action', action: 'symbol-change' },
  moneyIn: { kind: 'flow', cash: 'in', units: 'in' },
  moneyOut: { kind: 'flow', cash: 'out', units: 'out' },
  payment: { kind: 'flow' },
};

/** Groups that only say that money moved: any other word in the same text says more. */
const plainMovements: ReadonlySet<Group> = new Set(['moneyIn', 'moneyOut', 'payment']);

/** Phrases separated by commas, folded: lower case, ä as ae, without accents. A phrase counts before the shorter ones within it. */
const phrases: Readonly<Record<Group, string>> = {
  buy: `buy, bought, purchase, purchased, buys, subscription, subscribe, savings plan, reinvestment, reinvest, reinvested, drip,
    dividend reinvestment, reinvest dividend, dividend reinvest, reinvested dividend, dividend reinvested, reinvestment of dividend,
    reinvest shares, kauf, kaeufe, wertpapierkauf, aktienkauf, fondskauf, etf kauf, zukauf, nachkauf, erwerb, zeichnung, sparplan,
    sparplanausfuehrung, sparplankauf, wiederanlage, ertragswiederanlage, wiederanlage dividende, achat, achats, souscription, acquisto, acquisti,
    sottoscrizione, koop, aankoop, gekocht, compra, compras`,
  sell: `sell, sold, sale, sells, verkauf, verkaeufe, wertpapierverkauf, aktienverkauf, fondsverkauf, teilverkauf, vente, ventes, vendita,
    vendite, verkoop, verkocht, venta, ventas`,
  redemption: `redemption, redeemed, maturity, matured, full redemption, partial redemption, bond maturity, rueckzahlung, einloesung, tilgung,
    faelligkeit, endfaelligkeit, remboursement, rimborso, lossing, aflossing, amortizacion`,
  dividend: `dividend, dividends, div, cash dividend, dividend income, dividend payment, capital gain, capital gains, capital gain distribution,
    capital gains distribution, cap gain, cap gains, payment in lieu, payment in lieu of dividend, in lieu of dividend, dividende, dividenden,
    dividendengutschrift, dividendenzahlung, dividendenertrag, bardividende, ausschuettung, ausschuettungen, fondsausschuettung,
    gewinnausschuettung, ertragsausschuettung, ertragsgutschrift, ertraegnisgutschrift, dividendes, dividendo, dividendi, dividendos`,
  coupon: `coupon, coupons, coupon payment, bond interest, bond coupon, interest on bonds, kupon, kupons, kuponzahlung, couponzahlung, zinskupon,
    zinscoupon, anleihezinsen, paiement de coupon, cedola, cedole, cupon, cupones, couponrente`,
  interest: `interest, interests, interest payment, interest income, credit interest, bank interest, interest on cash, interest received,
    zins, zinsen, zinsgutschrift, zinszahlung, zinsertrag, zinsertraege, habenzins, habenzinsen, guthabenzinsen, zinsabschluss, interet, interets,
    interets crediteurs, interesse, interessi, interessi attivi, creditrente, rentebetaling, rente vergoeding, interes, intereses`,
  interestPaid: `debit interest, margin interest, loan interest, overdraft interest, interest expense, interest charge, interest charges,
    interest charged, sollzins, sollzinsen, kreditzinsen, dispozinsen, ueberziehungszinsen, negativzinsen, zinsbelastung, zinsaufwand,
    lombardzinsen, interets debiteurs, interessi passivi, interessi debitori, debetrente, debit rente`,
  fee: `fee, fees, charge, charges, commission, commissions, brokerage, service charge, service fee, custody fee, custody charge, custody fees,
    custody charges, safekeeping, safe custody, account maintenance, subscription fee, fx fee, forex fee, exchange fee, currency conversion fee,
    conversion fee, redemption fee, dividend fee, interest fee, transfer fee, purchase fee, sale fee, gebuehr, gebuehren, entgelt, entgelte, spesen,
    provision, provisionen, courtage, kontofuehrung, depotfuehrung, entgeltabschluss, fremdspesen, bankspesen, frais, droits de garde,
    frais de garde, commissione, commissioni, spese, canone, kosten, transactiekosten, bankkosten, beurskosten, aansluitingskosten,
    servicekosten, comision, comisiones, gastos`,
  feeRefund: `fee refund, fee rebate, fees refund, fee reimbursement, commission rebate, commission refund, refund fee, refund fees,
    gebuehrenerstattung, gebuehrenrueckerstattung, entgelterstattung, spesenerstattung, gebuehrengutschrift, retrozession`,
  tax: `tax, taxes, stamp duty, stamp tax, ptm levy, levy, transaction tax, financial transaction tax, ftt, vat, sales tax, capital gains tax,
    capital gain tax, steuer, steuern, vorabpauschale, solidaritaetszuschlag, stempelabgabe, umsatzabgabe, impot, impots, taxe,
    prelevements sociaux, prelevement social, prelevement forfaitaire, imposta, imposte, imposta di bollo, tassa, tasse, bollo, belasting,
    beurstaks, impuesto, impuestos`,
  withholding: `withholding, withholding tax, dividend tax, dividends tax, tax on dividend, tax on dividends, dividend withholding,
    dividend withholding tax, interest withholding tax, interest tax, tax on interest, withholding tax dividend, foreign tax, foreign tax paid, nra withholding,
    nra tax, non resident tax, quellensteuer, verrechnungssteuer, dividendensteuer, steuer dividende, retenue a la source, precompte, precompte mobilier,
    ritenuta, ritenute, dividendbelasting, bronbelasting, retencion, retenciones`,
  taxRefund: `tax refund, tax reclaim, tax rebate, refund tax, refund of tax, withholding tax refund, withholding tax reclaim, steuererstattung,
    steuerrueckerstattung, steuerrueckzahlung, steuergutschrift, quellensteuer rueckerstattung, verrechnungssteuer rueckerstattung`,
  exchange: `fx, forex, foreign exchange, currency exchange, exchange of currency, exchange of currencies, currency conversion, fx trade, fx spot,
    forex trade, devisen, devisenhandel, devisenkauf, devisenverkauf, devisengeschaeft, waehrungstausch, waehrungsumtausch, waehrungswechsel,
    waehrungsumrechnung, operation de change, conversion de devises, cambio valuta, valuta creditering, valuta debitering, valutawissel,
    cambio de divisa`,
  capitalCall: `capital call, capital calls, kapitalabruf, appel de fonds, richiamo di capitale`,
  split: `split, stock split, share split, forward split, aktiensplit, aktiensplitt, fractionnement, frazionamento, aandelensplitsing`,
  reverseSplit: `reverse split, reverse stock split, reverse share split, share consolidation, stock consolidation, aktienzusammenlegung,
    regroupement d actions, raggruppamento azioni`,
  stockDividend: `stock dividend, scrip dividend, share dividend, dividend in kind, dividend in shares, bonus issue, bonus shares, stockdividende,
    aktiendividende, gratisaktien, stockdividend, sachdividende`,
  spinOff: `spin off, spinoff, demerger, abspaltung, scission, scissione, afsplitsing`,
  merger: `merger, cash merger, stock merger, cash and stock merger, takeover, acquisition, fusion, verschmelzung, uebernahme, fusione, fusie`,
  returnOfCapital: `return of capital, capital repayment, capital return, kapitalrueckzahlung, nennwertrueckzahlung, remboursement de capital,
    rimborso di capitale, kapitaalteruggave`,
  symbolChange: `symbol change, ticker change, isin change, name change, isin wechsel, namensaenderung`,
  moneyIn: `deposit, deposits, cash deposit, direct deposit, cash in, money in, top up, topup, contribution, contributions, pay in, payin, inpayment,
    incoming, funds received, wire received, transfer in, transfer from, transferred from, transfer inbound, inbound, salary, wire in, einzahlung, einzahlungen,
    bareinzahlung, gutschrift, gutschriften, gutschr, ueberweisungsgutschrift, dauerauftragsgutschrift, geldeingang, zahlungseingang, eingang,
    einlage, einlieferung, depoteingang, scheckeinreichung, gehalt, lohn, gehaltseingang, lohn gehalt, versement, virement recu, alimentation, versamento, accredito,
    bonifico in entrata, bonifico ricevuto, storting, ingreso, transferencia recibida`,
  moneyOut: `withdrawal, withdrawals, withdraw, withdrawn, cash withdrawal, cash out, money out, outgoing, funds paid, wire sent, transfer out,
    transfer to, transferred to, transfer outbound, outbound, wire out, card payment, card purchase, card transaction, debit card purchase, pos purchase,
    online purchase, purchase pos, direct debit, standing order, bill payment, atm, cheque, check paid, auszahlung, auszahlungen, barauszahlung, bargeldauszahlung,
    bargeldabhebung, abhebung, geldautomat, lastschrift, lastschriften, lastschrifteinzug, folgelastschrift, erstlastschrift, einmallastschrift,
    basislastschrift, firmenlastschrift, belastung, kartenzahlung, kartenverfuegung, kreditkartenabrechnung, kreditkartenzahlung, kartenkauf, einkauf, einkauf karte,
    dienstleistungen einkauf, einkauf dienstleistungen, debitkarte, girocard, dauerauftrag, dauerauftragsbelastung, zahlungsausgang, ausgang, entnahme,
    auslieferung, depotausgang, scheckeinloesung, einzug, sonstiger einzug, retrait, virement emis, prelevement, paiement carte, paiement par carte,
    achat carte, achat cb, carte bancaire, prelievo, prelevamento, addebito, bonifico in uscita, bonifico inviato, opname, terugstorting, incasso,
    betaalautomaat, geldautomaat, retirada, reintegro, transferencia emitida, domiciliacion`,
  payment: `credit, debit, ach debit, ach credit, transfer, transfers, wire, wire transfer, bank transfer, internal transfer, ach, ach transfer, sepa, sepa transfer, payment, payments,
    faster payment, book transfer, journal, giro, cash, ueberweisung, ueberweisungen, onlineueberweisung, einzelueberweisung, sammelueberweisung,
    terminueberweisung, echtzeitueberweisung, dauerauftrag terminueberweisung, ueberweisungsauftrag, umbuchung, umbuchungen, uebertrag, kontouebertrag,
    zahlung, zahlungen, verguetung, retoure, retouren, ruecklastschrift, rueckueberweisung, rueckbuchung, virement, virements, paiement, bonifico,
    giroconto, pagamento, overboeking, overschrijving, betaling, transferencia, pago`,
  undecided: `dividend adjustment, rights, right, option, options, exercise, assignment, expiry, expiration, tender, warrant, exchange offer, bezugsrecht, bezugsrechte,
    umtausch, rueckkauf, buyback, buy back, sell rights, staking, reward, bonus`,
};

/** Ends of German compounds that say what the whole is: `Bearbeitungsgebühr`. */
const compoundEnds: readonly (readonly [string, Group])[] = [
  ['gebuehr', 'fee'],
  ['gebuehren', 'fee'],
  ['entgelt', 'fee'],
  ['entgelte', 'fee'],
  ['provision', 'fee'],
  ['courtage', 'fee'],
  ['steuer', 'tax'],
  ['steuern', 'tax'],
  ['dividende', 'dividend'],
  ['ausschuettung', 'dividend'],
  ['ueberweisung', 'payment'],
  ['lastschrift', 'moneyOut'],
  ['einzahlung', 'moneyIn'],
  ['auszahlung', 'moneyOut'],
];

/** Words that take back what was booked before. */
const reversals: ReadonlySet<string> = new Set(
  (
    'storno stornierung cancel cancelled canceled cancellation reversal reversed correction korrektur berichtigung adjustment adj ' +
    'annulation annullamento rettifica correctie anulacion'
  ).split(' '),
);

const groupOfPhrase: ReadonlyMap<string, Group> = new Map(
  (Object.entries(phrases) as [Group, string][]).flatMap(([group, list]) =>
    list.split(',').map((phrase) => [phrase.replace(/\s+/g, ' ').trim(), group] as const),
  ),
);

/** How many tokens the longest phrase has. */
const phraseTokensMax = greatestOf([...groupOfPhrase.keys()].map((phrase) => phrase.split(' ').length));

/** A longer text is no word for a kind of transaction. */
export const wordLengthMax = 200;
/** A text of more tokens is a sentence: `Lastschrift` in it says that money moved, but `Steuer` does not make it a tax. */
const tokensOfWordMax = 6;

/** `INTEREST_PAYMENT`, `DividendReinvestment` and `Gebühr (Depot)` as tokens. */
function tokensOf(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/\p{M}/gu, '');
  return plain.split(/[^\p{L}\p{N}]+/u).filter((token) => token !== '');
}

interface FoundPhrase {
  readonly group: Group;
  readonly start: number;
  readonly end: number;
}

function* phrasesIn(tokens: readonly string[]): Generator<FoundPhrase> {
  for (const start of tokens.keys()) {
    for (let length = 1; length <= phraseTokensMax && start + length <= tokens.length; length++) {
      const phrase = tokens.slice(start, start + length).join(' ');
      const group = groupOfPhrase.get(phrase) ?? (length === 1 ? groupOfCompound(phrase) : undefined);
      if (group !== undefined) yield { group, start, end: start + length };
    }
  }
}

function groupOfCompound(token: string): Group | undefined {
  return compoundEnds.find(([end]) => token.length > end.length && token.endsWith(end))?.[1];
}

/** Files have few words and many rows. */
const lookedUp = new Map<string, WordMeaning | undefined>();
const lookedUpMax = 2_000;

/** Undefined if no rule knows the text, or if it says several things. */
export function meaningOfWord(text: string): WordMeaning | undefined {
  if (text.length > wordLengthMax) return undefined;
  if (lookedUp.has(text)) return lookedUp.get(text);
  const meaning = findMeaning(text);
  if (lookedUp.size >= lookedUpMax) lookedUp.clear();
  lookedUp.set(ownText(text), meaning);
  return meaning;
}

function findMeaning(text: string): WordMeaning | undefined {
  const tokens = tokensOf(text);
  const found = [...phrasesIn(tokens)];
  const longest = found.filter(
    (one) => !found.some((other) => other !== one && other.start <= one.start && other.end >= one.end),
  );
  const group = groupOf([...new Set(longest.map(({ group: name }) => name))]);
  if (group === undefined || group === 'undecided') return undefined;
  if (tokens.length > tokensOfWordMax && !plainMovements.has(group)) return undefined;
  const meaning = meanings[group];
  return tokens.some((token) => reversals.has(token)) ? { ...meaning, isReversal: true } : meaning;
}

function groupOf(groups: readonly Group[]): Group | undefined {
  const telling = groups.filter((group) => !plainMovements.has(group));
  if (telling.length > 0) return telling.length === 1 ? telling[0] : undefined;
  const directed = groups.filter((group) => group !== 'payment');
  if (directed.length > 1) return 'payment';
  return directed[0] ?? groups[0];
}
