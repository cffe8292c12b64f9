// What a corporate action of a Flex query means. IB describes it in words, such as "SPLIT 4 FOR 1"; what the words do not settle is
// left for a person to classify.

import { fromFixed, toFixed } from '../../kit/fixed.ts';
import type { NamedInstrument, StatementEntry } from '../../model/custody/statement.ts';
import type { CorporateActionType } from '../../model/ledger/transaction-kind.ts';
import { isinIn } from '../isin-in-text.ts';
import { stated, type MaybeStated } from '../stated-fields.ts';
import { readDecimal } from '../stated-values.ts';
import { requiredInstrument } from './flex-instrument.ts';
import type { FlexRow } from './flex-row.ts';

const actions: ReadonlyMap<string, CorporateActionType> = new Map<string, CorporateActionType>([
  ['FS', 'split'],
  ['FORWARD SPLIT', 'split'],
  ['FI', 'split'],
  ['RS', 'reverse-split'],
  ['REVERSE SPLIT', 'reverse-split'],
  ['SD', 'stock-dividend'],
  ['SO', 'spin-off'],
  ['TC', 'merger'],
  ['IC', 'symbol-change'],
]);

/** What the type and the words of the row decide. */
type Classified = MaybeStated<Pick<StatementEntry, 'kind' | 'action' | 'ratio'>> & Instruments;

type Instruments = Partial<Pick<StatementEntry, 'instrument' | 'targetInstrument'>>;

/** Maturities and calls of bonds and bills. */
const redemptions = new Set(['BM', 'TM', 'FC', 'PC', 'BC', 'CA']);

export function flexCorporateAction(row: FlexRow): StatementEntry[] {
  const type = row.required('type');
  const words = row.text('actionDescription') ?? row.text('description') ?? '';
  const [quantity, proceeds] = [row.amount('quantity'), row.amount('proceeds', 'cashProceeds')];
  const instrument = requiredInstrument(row, 'event');
  const entry = (fields: Classified): StatementEntry[] => [
    stated<StatementEntry>({
      item: 'entry',
      place: row.place,
      account: row.account,
      statedAt: row.statement.statedAt,
      statement: row.statementName,
      status: 'booked',
      reference: row.text('transactionID') ?? joined(row.text('actionID'), row.text('conid', 'isin', 'symbol')),
      cancels: row.hasCode('Ca') ? 'same-content' : undefined,
      date: row.requiredDate('dateTime', 'reportDate'),
      settlementDate: row.date('reportDate'),
      amount: proceeds,
      currency: proceeds && row.currency(),
      quantity,
      instrument,
      comment: words || undefined,
      typeWord: type,
      ...fields,
    }),
  ];
  const isPaidOff = quantity?.startsWith('-') === true && proceeds !== undefined;
  if (redemptions.has(type) && isPaidOff) return entry({ kind: 'redemption' });
  // Shares that are taken over for cash alone are sold.
  if (type === 'TC' && isPaidOff && /\bFOR [A-Z]{3} [\d.]+ PER SHARE\b/i.test(words)) return entry({ kind: 'trade' });
  const action = actions.get(type.toUpperCase());
  const names = action === 'spin-off' ? spinOff(words, instrument) : {};
  return entry({ kind: 'corporate-action', action, ratio: ratioIn(words, action), ...names });
}

/** The row is of the new units; the words begin with what they come from: `ABC(US…) SPINOFF 1 FOR 5`. */
function spinOff(words: string, target: NamedInstrument): Instruments {
  const isin = isinIn(words.slice(0, words.search(/SPIN/i) + 1));
  return isin === undefined ? { instrument: target } : { instrument: { isin }, targetInstrument: target };
}

/** Units after to units before. A stock dividend of 1 for 20 leaves 21 for 20. */
function ratioIn(words: string, action: CorporateActionType | undefined): string | undefined {
  if (action === undefined || action === 'symbol-change') return undefined;
  const [, newUnits, oldUnits] = /(?<!\d)(\d+(?:\.\d+)?) FOR (\d+(?:\.\d+)?)\b/i.exec(words) ?? [];
  const [after, before] = [readDecimal(newUnits ?? ''), readDecimal(oldUnits ?? '')];
  if (after === undefined || before === undefined) return undefined;
  return action === 'stock-dividend'
    ? `${fromFixed(toFixed(after) + toFixed(before))}:${before}`
    : `${after}:${before}`;
}

function joined(...parts: readonly (string | undefined)[]): string | undefined {
  return parts.every((part) => part !== undefined) ? parts.join('/') : undefined;
}
