// Checks the fields of a transaction against each other: dates in order, units in kind, corporate actions, lots.

import { traitsOfKind } from '../../model/ledger/kind-traits.ts';
import { toFixed, type Fixed } from '../../kit/fixed.ts';
import type { Decimal } from '../../kit/decimal.ts';
import type { Fault } from '../../kit/refusal.ts';
import type { TransactionField } from '../../model/ledger/transaction-variant.ts';
import type { CorporateActionType } from '../../model/ledger/transaction-kind.ts';
import { isBondType } from '../../model/instrument/instrument.ts';
import { isForward, type TransactionContext, type TransactionInput } from './transaction-input.ts';

type Faults = readonly (Fault | false)[];
const noFaults: Faults = [];

function invalidField(field: TransactionField, detail: string): Fault {
  return { code: 'invalid-attribute', detail, field };
}

function missingField(field: TransactionField, detail: string): Fault {
  return { code: 'missing-attribute', detail, field };
}

function hasField(input: TransactionInput, field: keyof TransactionInput): boolean {
  return input[field] != null;
}

/** Lists all faults, in the order of the fields. */
export function listTransactionFaults(input: TransactionInput, context: TransactionContext): Fault[] {
  const checks = [generalFaults(input, context), kindFaults(input, context), lotFaults(input)];
  return checks.every(({ length }) => length === 0) ? [] : checks.flat().filter((fault) => fault !== false);
}

function generalFaults(input: TransactionInput, { instrument }: TransactionContext): Faults {
  const { date, settlementDate, periodStart, periodEnd, account, counterAccount, instrumentIs } = input;
  if (settlementDate == null && periodEnd == null && counterAccount == null && instrumentIs === undefined)
    return noFaults;
  const isBond = isBondType(instrument?.type ?? null);
  return [
    settlementDate != null &&
      settlementDate < date &&
      invalidField('settlementDate', `This must not be before ${date}.`),
    periodStart != null &&
      periodEnd != null &&
      periodEnd < periodStart &&
      invalidField('periodEnd', `This must not be before ${periodStart}.`),
    counterAccount != null &&
      counterAccount === account &&
      invalidField('counterAccount', 'This must be another account.'),
    instrumentIs === 'a-bond' &&
      !isBond &&
      invalidField('instrument', 'This instrument is not a bond: book it as an EquityTrade.'),
    instrumentIs === 'no-bond' &&
      isBond &&
      invalidField('instrument', 'This instrument is a bond: book it as a BondTrade.'),
  ];
}

function kindFaults(input: TransactionInput, context: TransactionContext): Faults {
  const { amount, units } = traitsOfKind(input.kind);
  switch (amount) {
    case 'transfer':
      return flowFaults(input);
    case 'payment':
      return units === 'converted' ? corporateActionFaults(input) : noFaults;
    case 'units':
      return units === 'ended' ? redemptionFaults(input) : noFaults;
    case 'exchange':
      return [
        hasField(input, 'instrument') &&
          invalidField('instrument', 'An exchange can only name an FX forward contract.'),
      ];
    case 'settlement':
      return settlementFaults(input, context);
    case 'income':
    case 'charge':
      return noFaults;
  }
}

function redemptionFaults(input: TransactionInput): Faults {
  return [!hasField(input, 'quantity') && missingField('quantity', 'The number of redeemed units is required.')];
}

const fieldsNotInSettlements: readonly TransactionField[] = [
  'quantity',
  'price',
  'fees',
  'taxes',
  'accruedInterest',
  'exchangeRate',
];

function settlementFaults(input: TransactionInput, { instrument }: TransactionContext): Faults {
  return [
    !isForward(instrument) && invalidField('instrument', 'This instrument is not an FX forward contract.'),
    !hasField(input, 'amount') && missingField('amount', 'The amount that the contract settled at is required.'),
    ...fieldsNotInSettlements.map(
      (field) =>
        hasField(input, field as keyof TransactionInput) &&
        invalidField(field, 'This cannot be sent for the settlement of a forward contract.'),
    ),
  ];
}

/** Cash, or units of an instrument, but not both. */
function flowFaults(input: TransactionInput): Faults {
  const isInKind = hasField(input, 'quantity') || hasField(input, 'instrument');
  if (!isInKind) {
    const unitFields = (['lots', 'acquired', 'counterDepository'] as const).filter((field) => hasField(input, field));
    return [
      !hasField(input, 'amount') && missingField('amount', 'An amount, or a quantity of an instrument, is required.'),
      hasField(input, 'counterAmount') &&
        !hasField(input, 'counterAccount') &&
        invalidField('counterAmount', 'The amount of the other leg can be sent only with another account.'),
      ...unitFields.map((field) => invalidField(field, 'This can be sent only for a transfer of units.')),
    ];
  }
  const isOut = input.quantity?.startsWith('-') ?? false;
  const isMoved = hasField(input, 'counterAccount') || hasField(input, 'counterDepository');
  return [
    !hasField(input, 'quantity') && missingField('quantity', 'The number of units is required.'),
    !hasField(input, 'instrument') && missingField('instrument', 'The instrument of the units is required.'),
    hasField(input, 'amount') && invalidField('amount', 'A transfer of units cannot have a cash amount.'),
    hasField(input, 'counterAmount') && invalidField('counterAmount', 'A transfer of units cannot have a cash amount.'),
    hasField(input, 'lots') && !isOut && invalidField('lots', 'Lots can be named only for units that leave.'),
    hasField(input, 'acquired') &&
      (isOut || isMoved) &&
      invalidField('acquired', 'This can be sent only for units that come in from outside the accounts kept here.'),
    hasField(input, 'counterDepository') &&
      !hasField(input, 'counterAccount') &&
      input.counterDepository === input.depository &&
      invalidField('counterDepository', 'This must be another depository.'),
  ];
}

interface ActionShape {
  readonly needs: readonly TransactionField[];
  readonly takes?: readonly TransactionField[];
  readonly units?: 'more' | 'fewer';
}

const actionShapes: Readonly<Record<CorporateActionType, ActionShape>> = {
  split: { needs: ['ratio'], units: 'more' },
  'stock-dividend': { needs: ['ratio'], units: 'more' },
  'reverse-split': { needs: ['ratio'], units: 'fewer' },
  'spin-off': { needs: ['ratio', 'targetInstrument', 'costShare'] },
  merger: { needs: ['ratio', 'targetInstrument'], takes: ['cashInLieuQuantity', 'amount', 'exchangeRate'] },
  'symbol-change': { needs: ['targetInstrument'] },
  'return-of-capital': { needs: ['amount'], takes: ['exchangeRate'] },
};

const actionFields: readonly TransactionField[] = [
  'ratio',
  'costShare',
  'cashInLieuQuantity',
  'targetInstrument',
  'amount',
  'exchangeRate',
];

function corporateActionFaults(input: TransactionInput): Faults {
  const { action, ratio, account, instrument, targetInstrument } = input;
  const { needs, takes = [], units } = actionShapes[action!];
  const isPresent = (field: TransactionField): boolean => hasField(input, field as keyof TransactionInput);
  const others = actionFields.filter((field) => !needs.includes(field) && !takes.includes(field));
  return [
    ...needs.map((field) => !isPresent(field) && missingField(field, `This is required for a ${action}.`)),
    ...others.map((field) => isPresent(field) && invalidField(field, `This cannot be sent for a ${action}.`)),
    ratio != null &&
      units !== undefined &&
      directionOf(ratio) !== units &&
      invalidField('ratio', `A ${action} leaves ${units} units than before: send the units after before those before.`),
    isPresent('cashInLieuQuantity') &&
      !isPresent('amount') &&
      action === 'merger' &&
      missingField('amount', 'The amount that was paid for the units that were not delivered is required.'),
    targetInstrument != null &&
      targetInstrument === instrument &&
      invalidField('targetInstrument', 'This must be another instrument.'),
    ...(account == null ? allHolderFaults(input) : []),
  ];
}

/** Money goes to one account, so a booking for all holders has none. */
function allHolderFaults(input: TransactionInput): Faults {
  return [
    hasField(input, 'amount') && missingField('account', 'A transaction with a cash amount must name its account.'),
    hasField(input, 'depository') &&
      invalidField('depository', 'A transaction for all holders cannot name a depository.'),
    hasField(input, 'externalReference') &&
      invalidField('externalReference', 'A transaction for all holders cannot have an external reference.'),
  ];
}

function directionOf(ratio: string): 'more' | 'fewer' | 'equal' {
  const [after, before] = ratio.split(':').map((part) => toFixed(part as Decimal)) as [Fixed, Fixed];
  return after > before ? 'more' : after < before ? 'fewer' : 'equal';
}

/** The quantities of lots add up to the whole. */
function lotFaults({ lots, acquired, quantity, date }: TransactionInput): Faults {
  if (lots == null && acquired == null) return noFaults;
  const whole = quantity == null ? '0' : quantity.replace('-', '');
  const isWhole = (parts: readonly { quantity: Decimal }[]): boolean =>
    parts.reduce((sum, part) => sum + toFixed(part.quantity), 0n) === toFixed(whole as Decimal);
  const lateIndex = acquired?.findIndex((lot) => lot.date > date) ?? -1;
  return [
    lots != null && !isWhole(lots) && invalidField('lots', `The quantities must add up to ${whole}.`),
    acquired != null && !isWhole(acquired) && invalidField('acquired', `The quantities must add up to ${whole}.`),
    lateIndex >= 0 && {
      ...invalidField('acquired', `Units cannot have been acquired after ${date}.`),
      item: lateIndex,
    },
  ];
}
