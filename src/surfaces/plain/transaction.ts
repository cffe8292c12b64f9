// Transactions on Plain: booked and deleted, in Plain's own types. Trades have sides, bonds clean and dirty prices, and income is
// gross, withheld and net.

import { isRedemption, traitsOfKind } from '../../model/ledger/kind-traits.ts';
import { defined } from '../../kit/assert.ts';
import { zeroDecimal, type Decimal } from '../../kit/decimal.ts';
import { divide, fixedText, magnitude, multiplyDivide, oneFixed, toFixed } from '../../kit/fixed.ts';
import type { Json } from '../../kit/json.ts';
import { Refusal, refusalForFaults, type Fault } from '../../kit/refusal.ts';
import type { Resource } from '../../kit/resource.ts';
import { isBondType } from '../../model/instrument/instrument.ts';
import { isFundReversal } from '../../model/ledger/transaction-variants.ts';
import type { TransactionVariant } from '../../model/ledger/transaction-variant.ts';
import { confirmCaller } from '../../actions/access/authentication.ts';
import type { TransactionInput } from '../../actions/ledger/transaction-input.ts';
import { bookTransaction, transactionRefusals, type BookedTransaction } from '../../actions/ledger/transaction.ts';
import type { Work } from '../../actions/core/work.ts';
import type { LedgerRow } from '../../store/ledger/ledger-reader.ts';
import {
  snakeCaseBodySchema,
  snakeCaseExample,
  snakeCasePointer,
  snakeCaseSchema,
  readSnakeCase,
  renderSnakeCase,
} from '../snake-case/snake-case-object.ts';
import { transactionTypeEntrySchema, listTransactionTypes } from '../snake-case/transaction-types.ts';
import { defineOperation } from '../http/operation/operation.ts';
import { transactionDeletionPath } from '../http/operation/transaction-deletion.ts';
import { plainTransactionTypeOf, plainTransactionVariants, type PlainTransactionType } from './transaction-variants.ts';
import { plain } from './wire.ts';

const { variants: forms, resource } = plainTransactionVariants;

type PlainForm = TransactionVariant<PlainTransactionType>;

interface PlainInput {
  readonly form: PlainForm;
  readonly input: TransactionInput;
}

/** The fields of a body: a side takes the place of the sign of the quantity. */
interface PlainFields extends Omit<TransactionInput, 'kind'> {
  readonly type: PlainTransactionType;
  readonly side?: 'buy' | 'sell';
  /** The clean price of a bond as `price`. */
  readonly quotedPrice?: Decimal | null;
}

export function fromPlainTransaction(body: Json | undefined): PlainInput {
  const { type, side, quantity, quotedPrice, ...fields } = readSnakeCase(resource, body, {
    wire: plain,
    purpose: 'create',
  }) as unknown as PlainFields;
  const form = defined(forms.get(type), 'the type was read from the declared ones');
  const isReversed = fields.amount != null && isFundReversal(form.kind, fields.amount);
  const traits = traitsOfKind(form.kind);
  const isOutgoing = side === 'sell' || isRedemption(form.kind) || (traits.fund === 'distribution') !== isReversed;
  const units = quantity == null ? null : ((isOutgoing ? `-${quantity}` : quantity) as Decimal);
  const isTrade = traits.units === 'traded';
  return {
    form,
    input: {
      ...fields,
      ...(quotedPrice == null ? {} : { price: samePrice(quotedPrice, fields.price) }),
      kind: form.kind,
      quantity: units,
      ...(isTrade ? { instrumentIs: type === 'BondTrade' ? 'a-bond' : 'no-bond' } : {}),
    },
  };
}

/** Refuses two prices of one trade. */
function samePrice(quoted: Decimal, clean: Decimal | null | undefined): Decimal {
  if (clean == null || toFixed(clean) === toFixed(quoted)) return quoted;
  const detail = `\`price\` is the clean price of a bond, and \`clean_price\` is another: expected ${clean}, got ${quoted}. Send one of them.`;
  throw refusalForFaults('invalid-document', [{ code: 'invalid-attribute', pointer: '/price', detail }]);
}

function toPlainTransaction(row: LedgerRow): Record<string, unknown> {
  const type = plainTransactionTypeOf(row.kind, row['instrument.type']);
  const { resource: own, kind } = defined(forms.get(type), 'every kind has a type');
  const quantity =
    traitsOfKind(kind).units === 'delivered'
      ? row.quantity
      : ((row.quantity?.replace('-', '') ?? null) as Decimal | null);
  return renderSnakeCase(own, { ...row, ...derivedFields(row), type, quantity }, plain);
}

/** The fields that only Plain shows, computed from the stored ones. */
function derivedFields(row: LedgerRow): Record<string, unknown> {
  const { kind, quantity, amount, taxes } = row;
  const { amount: basis, units } = traitsOfKind(kind);
  switch (basis) {
    case 'units':
      if (units !== 'traded') return bondPrices(row);
      return {
        side: defined(quantity, 'a trade has a quantity').startsWith('-') ? 'sell' : 'buy',
        ...bondPrices(row),
      };
    case 'income':
      return {
        gross: fixedText(toFixed(defined(amount, 'income has an amount')) + toFixed(taxes ?? zeroDecimal)),
      };
    case 'exchange':
    case 'settlement':
      return { impliedCross: impliedCross(row) };
    case 'charge':
    case 'transfer':
    case 'payment':
      return {};
  }
}

function bondPrices(row: LedgerRow): Record<string, unknown> {
  return { quotedPrice: row.price, dirtyPrice: dirtyPrice(row) };
}

/** Clean + accrued × 100 ÷ nominal. */
function dirtyPrice({ price, accruedInterest, quantity, ...row }: LedgerRow): string | null {
  if (price === null || !isBondType(row['instrument.type'])) return null;
  if (accruedInterest === null) return price;
  const accrued = multiplyDivide(
    toFixed(accruedInterest),
    100n * oneFixed,
    magnitude(toFixed(defined(quantity, 'a bond trade has a quantity'))),
  );
  return fixedText(toFixed(price) + accrued);
}

function impliedCross({ amount, counterAmount }: LedgerRow): string | null {
  if (amount === null || counterAmount === null || amount === '0') return null;
  return fixedText(divide(magnitude(toFixed(counterAmount)), magnitude(toFixed(amount))));
}

/** Books the transaction. Faults point to the name that a field has in the type of the transaction. */
async function bookPlain(work: Work, { form, input }: PlainInput): Promise<BookedTransaction> {
  try {
    return await bookTransaction(work, input);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const faults = error.faults.map((fault) => withPointer(form.resource, fault));
    throw new Refusal(error.code, error.message, { faults, cause: error });
  }
}

function withPointer(own: Resource, { field, item, ...fault }: Fault): Fault {
  return field === undefined ? fault : { ...fault, pointer: snakeCasePointer(own, field, item) };
}

const operationBase = { wire: plain, group: 'transactions' } as const;

const createPath = defineOperation<PlainInput>({
  ...operationBase,
  resource,
  id: 'plain.transaction.create',
  method: 'POST',
  path: '/v2/transactions',
  summary: 'Book a transaction by hand',
  description:
    'Book what no custodian supplies: an event that also arrives by feed would be booked twice. `type` decides which other fields there are; `GET /v2/transaction-types` has a JSON Schema of each. Amounts are positive into the account and negative out of it.',
  right: 'write',
  mode: 'write',
  query: {},
  body: {
    schema: snakeCaseBodySchema(resource, plain, 'create'),
    example: snakeCaseExample(resource, plain, 'create'),
  },
  responses: {
    200: {
      description: 'The transaction that has this external reference already, amended where something else was sent.',
      schema: snakeCaseSchema(resource, plain),
    },
    201: {
      description: 'The new transaction.',
      schema: snakeCaseSchema(resource, plain),
      headers: { Location: 'Its address, where it can be deleted.' },
    },
  },
  refusals: [...transactionRefusals, 'transaction-not-found'],
  read: ({ body }) => fromPlainTransaction(body),
  async handle({ work }, parsed) {
    const { row, outcome } = await bookPlain(work, parsed);
    const body = toPlainTransaction(row);
    if (outcome !== 'booked') return { status: 200, body };
    return { status: 201, headers: { location: `${work.context.addresses.baseUrl}/v2/transactions/${row.id}` }, body };
  },
});

const deletePath = transactionDeletionPath({ wire: plain, resource, path: '/v2/transactions' });

const typeEntries = listTransactionTypes(plainTransactionVariants, plain);

const typesPath = defineOperation<void>({
  ...operationBase,
  id: 'plain.transaction-type.list',
  method: 'GET',
  path: '/v2/transaction-types',
  summary: 'List types of transactions',
  description:
    'Find out which fields a type needs: every type with a JSON Schema (2020-12) of the body that books one.',
  right: 'read',
  mode: 'read',
  query: {},
  responses: {
    200: {
      description: 'The types.',
      schema: {
        type: 'object',
        required: ['data'],
        properties: { data: { type: 'array', items: transactionTypeEntrySchema } },
        additionalProperties: false,
      },
    },
  },
  refusals: [],
  read: () => undefined,
  async handle({ work }) {
    await confirmCaller(work);
    return { status: 200, body: { data: typeEntries } };
  },
});

export const plainTransactionPaths = [createPath, deletePath, typesPath];
