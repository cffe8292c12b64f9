// Turns an entry of a statement into a transaction to book: only the fields that its type has, each checked as if a person had sent it.

import {
  isExchange,
  isFundPayment,
  isIncomeOfInstrument,
  isOfAccount,
  isRedemption,
  isTransfer,
  tradesUnits,
} from '../../model/ledger/kind-traits.ts';
import { parseInstant } from '../../kit/instant.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { FieldFault } from '../../kit/field.ts';
import type { Id } from '../../kit/id.ts';
import { ownText } from '../../kit/memory/own-text.ts';
import { Refusal, refusalForFaults, type Fault } from '../../kit/refusal.ts';
import type { Attribute } from '../../kit/resource.ts';
import type { StatementEntry } from '../../model/custody/statement.ts';
import { declareTransactionVariants } from '../../model/ledger/transaction-variants.ts';
import { transactionTypeOf } from '../../model/ledger/transaction-kind.ts';
import type { TransactionInput } from '../ledger/transaction-input.ts';

/** The records that the words of an entry mean. */
export interface EntryRecords {
  readonly account: Id;
  readonly depository: Id | null;
  readonly instrument: Id | null;
  readonly targetInstrument: Id | null;
  readonly counterAccount: Id | null;
}

const { variants } = declareTransactionVariants({ resourceTypes: 'one-for-all', optional: ['source'] });

/** What the transactions of a type have, listed once: this is needed for every row. */
const fieldsOfType: ReadonlyMap<string, { attributes: [string, Attribute<any>][]; relations: string[] }> = new Map(
  [...variants].map(([type, { resource }]) => [
    type,
    {
      attributes: Object.entries<Attribute<any>>(resource.attributes).filter(([name]) => name !== 'type'),
      relations: Object.keys(resource.relations),
    },
  ]),
);

/** The fields that a statement may say something about, in the order of their names. */
export const statedFields: readonly string[] = [
  ...new Set([
    'kind',
    ...[...fieldsOfType.values()].flatMap((one) => [...one.attributes.map(([name]) => name), ...one.relations]),
  ]),
]
  .filter((name) => name !== 'externalReference')
  .toSorted();

/** Removes what no text on the wire may contain, such as control characters. */
export function cleanText(text: string | undefined, lengthMax: number): string | null {
  if (text !== undefined && text.length <= lengthMax && /^[ -~]*$/.test(text)) return text.trim() || null;
  const clean = text?.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return clean ? [...clean].slice(0, lengthMax).join('').trim() : null;
}

/** The moment that was read last: all entries of a statement say the same. */
let lastMoment: { readonly text: string; readonly moment: number | null } | undefined;

/** In milliseconds; null if it is no moment. A time without an offset counts as UTC. */
export function momentOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (lastMoment?.text !== text) lastMoment = { text: ownText(text), moment: readMoment(text) };
  return lastMoment.moment;
}

function readMoment(text: string): number | null {
  const [, date, time = 'T00:00:00', offset = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})([Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?)?([Zz]|[+-]\d{2}:\d{2})?$/.exec(text) ?? [];
  if (date === undefined) return null;
  try {
    return parseInstant(`${date}${time.replace(' ', 'T')}${offset}`);
  } catch {
    return null;
  }
}

/**
 * Income of an instrument that nobody knows is income of the account: interest is the kind that the account earns. As a flow, it
 * would look like money that somebody brought, and be missing in the return.
 */
function kindOf(entry: StatementEntry, { instrument }: EntryRecords): StatementEntry['kind'] {
  return isIncomeWithoutInstrument(entry.kind, instrument) ? 'interest' : entry.kind;
}

export function isIncomeWithoutInstrument(kind: StatementEntry['kind'], instrument: Id | null): boolean {
  return instrument === null && isIncomeOfInstrument(kind);
}

/** Whether nothing can be booked until somebody says which instrument it is about: its cash is neither income nor a flow. */
export function lacksInstrument({ kind, cancels, instrument }: StatementEntry): boolean {
  return instrument === undefined && cancels === undefined && (isFundPayment(kind) || isRedemption(kind));
}

/** What a reversal does to the cash while its original is not known: costs, income and calls stay what they are, and are no flow. */
export function kindOfLoneReversal({ kind, instrument }: StatementEntry): StatementEntry['kind'] {
  if (isOfAccount(kind) || isIncomeOfInstrument(kind)) return kind;
  return instrument !== undefined && isFundPayment(kind) ? kind : 'flow';
}

/** A statement may write the tax of income that is taken back without a sign. */
function signedTaxes({ taxes, amount }: StatementEntry, kind: StatementEntry['kind']): Decimal | undefined {
  if (taxes === undefined || !isIncomeOfInstrument(kind)) return taxes;
  return amount?.startsWith('-') === true && !taxes.startsWith('-') ? negated(taxes) : taxes;
}

/** A value date before the booking date says nothing about when the entry settled. */
function settlementDateOf({ date, settlementDate }: StatementEntry): StatementEntry['settlementDate'] | null {
  return settlementDate === undefined || settlementDate < date ? null : settlementDate;
}

/** Reverses the fields that have a sign. */
export function negated(amount: Decimal): Decimal {
  if (amount === '0') return amount;
  return (amount.startsWith('-') ? amount.slice(1) : `-${amount}`) as Decimal;
}

export function toTransactionInput(entry: StatementEntry, records: EntryRecords, reference: string): TransactionInput {
  const kind = kindOf(entry, records);
  // Units of an instrument come or go in kind: an amount beside them is their value, and no cash.
  const isInKind = entry.quantity !== undefined && records.instrument !== null;
  const isCashFlow = isTransfer(kind) && entry.amount !== undefined && !isInKind;
  const input: Record<string, unknown> = {
    date: entry.date,
    settlementDate: settlementDateOf(entry),
    executedAt: momentOf(entry.executedAt),
    amount: isTransfer(kind) && !isCashFlow ? null : entry.amount,
    currency: entry.currency,
    quantity: isCashFlow ? null : entry.quantity,
    price: entry.price,
    fees: entry.fees,
    taxes: signedTaxes(entry, kind),
    accruedInterest: entry.accruedInterest,
    exchangeRate: entry.exchangeRate,
    ...(isExchange(kind) ? { counterAmount: entry.counterAmount, counterCcyCode: entry.counterCurrency } : {}),
    ratio: entry.ratio,
    action: entry.action,
    category: cleanText(entry.category, 100),
    comment: cleanText(entry.comment, 2_000),
    source: 'custodian',
    externalReference: reference,
    account: records.account,
    depository: entry.quantity === undefined ? null : records.depository,
    instrument: isCashFlow ? null : records.instrument,
    // The other account has a statement of its own, which brings the other leg of a transfer; that of an exchange is within the entry.
    counterAccount: isExchange(kind) && records.counterAccount !== records.account ? records.counterAccount : null,
    targetInstrument: records.targetInstrument,
  };
  const { foreignPrice } = entry;
  return { ...checkedFields(kind, input), kind, ...(foreignPrice && { foreignPrice }) } as TransactionInput;
}

function checkedFields(kind: TransactionInput['kind'], input: Record<string, unknown>): Record<string, unknown> {
  const textOf = (name: string): string | null => (input[name] == null ? null : String(input[name]));
  const [quantity, amount, counterAmount] = [textOf('quantity'), textOf('amount'), textOf('counterAmount')];
  const type = transactionTypeOf({ kind, quantity, amount, counterAmount });
  const known = fieldsOfType.get(type);
  if (known === undefined) throw new Refusal('invalid-document', `Nothing is booked for entries of type ${type}.`);
  const faults: Fault[] = [];
  const fields: Record<string, unknown> = {};
  // The ledger computes what a trade paid from its units and price.
  const isComputed = (name: string): boolean =>
    name === 'amount' && tradesUnits(kind) && input['price'] != null && quantity !== null;
  for (const [name, { kind: fieldKind, required }] of known.attributes) {
    const value = input[name];
    if (value == null) {
      if (required && !isComputed(name))
        faults.push({ code: 'missing-attribute', detail: `${name} is missing.`, field: name });
      continue;
    }
    fields[name] = value;
    const unsigned = name === 'quantity' ? String(value).replace('-', '') : value;
    if (typeof unsigned !== 'string') continue;
    try {
      fieldKind.read(unsigned);
    } catch (error) {
      if (!(error instanceof FieldFault)) throw error;
      faults.push({ code: 'invalid-attribute', detail: `${name} ${error.message}.`, field: name });
    }
  }
  for (const name of known.relations) if (input[name] != null) fields[name] = input[name];
  if (faults.length > 0) throw refusalForFaults('invalid-document', faults);
  return fields;
}

/** The reasons of a refusal in one sentence or two, for people. */
export function refusalDetail({ message, faults }: Refusal): string {
  const details = [...new Set(faults.map(({ detail }) => detail))];
  return (details.length === 0 ? message : details.join(' ')).slice(0, 1_000);
}

/** The code of the first fault, or of the refusal. */
export function refusalCode({ code, faults }: Refusal): string {
  return faults[0]?.code ?? code;
}
