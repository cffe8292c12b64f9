// Tells by its header that a file lists something else than a profile reads: movements read as positions would book nothing and contradict the
// ledger, and trades read as payments would lose their units.

import type { CsvColumns } from './csv-header.ts';
import { foldName } from './folded-name.ts';

/** What the columns of a list of movements are called, whatever is between their words. */
const movementNames: ReadonlySet<string> = new Set(
  `type, action, side, transaction, transaction type, trade type, order type, activity, activity type, operation, operation type, event, event type, buy sell,
   b s, direction, typ, art, vorgang, transaktion, transaktionstyp, transaktionsart, geschaeftsart, umsatzart, umsatztyp, auftragsart, buchungstext, bewegungstyp,
   aktion, sens, type d operation, type de transaction, tipo, tipo operazione, tipo operacion, operazione, operacion, soort, soort transactie,
   amount, net amount, gross amount, total amount, cash amount, settlement amount, trade amount, proceeds, net proceeds, betrag, nettobetrag, bruttobetrag, umsatz, gutschrift,
   lastschrift, soll, haben, debit, credit, montant, montant net, importo, importe, bedrag,
   trade date, trade time, tradedate, transaction date, transaction time, execution date, execution time, executed at, order date, settlement date, settle date, settlement, handelsdatum,
   handelstag, ausfuehrungsdatum, ausfuehrungszeit, buchungsdatum, buchungstag, valuta, valutadatum, wertstellung, date operation, date d operation, data operazione, data valuta, fecha operacion,
   trade id, transaction id, order id, order number, auftrag, auftragsnummer, ordernummer, transaktionsnummer`
    .split(',')
    .map((name) => name.replace(/\s+/g, ' ').trim()),
);

/** Words for costs, alone or with others: `Fees & Comm`, `Withholding Tax`, `Gebühren EUR`. */
const costWords: ReadonlySet<string> = new Set(
  `fee fees commission commissions comm brokerage charge charges tax taxes withholding gebuehr gebuehren provision spesen courtage entgelt steuer
   steuern quellensteuer frais taxe impot commissione commissioni spese imposta comision comisiones gastos kosten transactiekosten belasting`.split(
    /\s+/,
  ),
);
/** `Tax lot` and `tax cost` are of positions. */
const positionWords: ReadonlySet<string> = new Set([
  'lot',
  'lots',
  'cost',
  'basis',
  'status',
  'rate',
  'country',
  'gain',
  'loss',
]);

/** A list of prices or rates counts no units. */
const unitNames: ReadonlySet<string> = new Set(
  'quantity,qty,units,shares,no. of shares,number of shares,nominal,bestand,stück,anzahl,quantité,quantità,cantidad,aantal'.split(
    ',',
  ),
);

function tokensOf(name: string): string[] {
  const folded = foldName(name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .normalize('NFD')
    .replace(/\p{M}/gu, '');
  return folded.split(/[^\p{L}\p{N}]+/u).filter((token) => token !== '');
}

/** A longer name is no name of these. */
const nameLengthMax = 60;

function isMovementName(name: string): boolean {
  if (name.length > nameLengthMax) return false;
  const tokens = tokensOf(name);
  // A currency behind the name: `Amount (USD)`.
  const bare = tokens.length > 1 && /^[a-z]{3}$/.test(tokens.at(-1) ?? '') ? tokens.slice(0, -1).join(' ') : '';
  if (movementNames.has(tokens.join(' ')) || movementNames.has(bare)) return true;
  return tokens.some((token) => costWords.has(token)) && !tokens.some((token) => positionWords.has(token));
}

/**
 * Whether a profile leaves columns unread that say that the file is another list: positions or prices with movements, or payments with the units
 * of trades. Read so, trades would be payments, or would contradict the ledger.
 */
export function isOfAnotherList(columns: CsvColumns): boolean {
  const { names } = columns.header;
  const unread = columns.unread().map((index) => names[index] ?? '');
  const { content } = columns.profile;
  const countsUnits = content === 'positions' || content === 'transactions';
  const readsUnits = countsUnits && columns.indexesOf('quantity').length > 0;
  if (!readsUnits && unread.some((name) => unitNames.has(foldName(name)))) return true;
  return content !== 'transactions' && unread.some(isMovementName);
}
