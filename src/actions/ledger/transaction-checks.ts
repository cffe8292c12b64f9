// What must hold between the fields of a transaction, whatever wire it came over: dates in order, units in kind, corporate actions,
// lots. Knows neither its money nor the store.

import { toFixed, type Fixed } from '../../kit/fixed.ts';
import type { Decimal } from '../../kit/decimal.ts';
import type { Fault } from '../../kit/refusal.ts';
import type { TransactionField } from '../../model/ledger/transaction-variant.ts';
import type { CorporateActionWord } from '../../model/ledger/transaction-kind.ts';
import { isBondType } from '../../model/ledger/plain-transaction-variants.ts';
import { isForward, type AskedContext, type AskedTransaction } from './transaction-input.ts';

type Faults = readonly (Fault | false)[];

function wrong(field: TransactionField, detail: string): Fault {
  return { code: 'invalid-attribute', detail, field };
}

function missing(field: TransactionField, detail: string): Fault {
  return { code: 'missing-attribute', detail, field };
}

function has(asked: AskedTransaction, field: keyof AskedTransaction): boolean {
  return asked[field] != null;
}

/** Everything that is wrong with it, in the order of its fields. */
export function listFaults(asked: AskedTransaction, context: AskedContext): Fault[] {
  const checks = [...ofAll(asked, context), ...ofKind(asked, context), ...ofLots(asked)];
  return checks.filter((fault) => fault !== false);
}

function ofAll(asked: AskedTransaction, { instrument }: AskedContext): Faults {
  const { date, settlementDate, periodStart, periodEnd, account, counterAccount, instrumentIs } = asked;
  const isBond = isBondType(instrument?.type ?? null);
  return [
    settlementDate != null && settlementDate < date && wrong('settlementDate', `This must not be before ${date}.`),
    periodStart != null &&
      periodEnd != null &&
      periodEnd < periodStart &&
      wrong('periodEnd', `This must not be before ${periodStart}.`),
    counterAccount != null && counterAccount === account && wrong('counterAccount', 'This must be another account.'),
    instrumentIs === 'a-bond' && !isBond && wrong('instrument', 'This is no bond: book it as an EquityTrade.'),
    instrumentIs === 'no-bond' && isBond && wrong('instrument', 'This is a bond: book it as a BondTrade.'),
  ];
}

function ofKind(asked: AskedTransaction, context: AskedContext): Faults {
  switch (asked.kind) {
    case 'flow':
      return ofFlow(asked);
    case 'corporate-action':
      return ofCorporateAction(asked);
    case 'redemption':
      return [!has(asked, 'quantity') && missing('quantity', 'The units that are redeemed are required.')];
    case 'fx':
      return [has(asked, 'instrument') && wrong('instrument', 'Only an FX forward contract belongs to an exchange.')];
    case 'forward-settlement':
      return ofSettlement(asked, context);
    default:
      return [];
  }
}

const notOfSettlements: readonly TransactionField[] = [
  'quantity',
  'price',
  'fees',
  'taxes',
  'accruedInterest',
  'exchangeRate',
];

function ofSettlement(asked: AskedTransaction, { instrument }: AskedContext): Faults {
  return [
    !isForward(instrument) && wrong('instrument', 'This is no FX forward contract.'),
    !has(asked, 'amount') && missing('amount', 'What the contract settled at is required.'),
    ...notOfSettlements.map(
      (field) =>
        has(asked, field as keyof AskedTransaction) && wrong(field, 'A forward contract settles without this.'),
    ),
  ];
}

/** Cash, or units of an instrument, and not both. */
function ofFlow(asked: AskedTransaction): Faults {
  const isInKind = has(asked, 'quantity') || has(asked, 'instrument');
  if (!isInKind) {
    const ofUnits = (['lots', 'acquired', 'counterDepository'] as const).filter((field) => has(asked, field));
    return [
      !has(asked, 'amount') && missing('amount', 'An amount, or a quantity of an instrument, is required.'),
      has(asked, 'counterAmount') &&
        !has(asked, 'counterAccount') &&
        wrong('counterAmount', 'Without another account there is no other leg.'),
      ...ofUnits.map((field) => wrong(field, 'This belongs to units in kind.')),
    ];
  }
  const isOut = asked.quantity?.startsWith('-') ?? false;
  const isMoved = has(asked, 'counterAccount') || has(asked, 'counterDepository');
  return [
    !has(asked, 'quantity') && missing('quantity', 'The units in kind are required.'),
    !has(asked, 'instrument') && missing('instrument', 'The instrument of the units is required.'),
    has(asked, 'amount') && wrong('amount', 'Units in kind come without cash.'),
    has(asked, 'counterAmount') && wrong('counterAmount', 'Units in kind come without cash.'),
    has(asked, 'lots') && !isOut && wrong('lots', 'Units that come in give up no lots.'),
    has(asked, 'acquired') && (isOut || isMoved) && wrong('acquired', 'This belongs to units from outside.'),
    has(asked, 'counterDepository') &&
      !has(asked, 'counterAccount') &&
      asked.counterDepository === asked.depository &&
      wrong('counterDepository', 'This must be another place.'),
  ];
}

interface ActionShape {
  readonly needs: readonly TransactionField[];
  readonly takes?: readonly TransactionField[];
  readonly units?: 'more' | 'fewer';
}

const actionShapes: Readonly<Record<CorporateActionWord, ActionShape>> = {
  split: { needs: ['ratio'], units: 'more' },
  'stock-dividend': { needs: ['ratio'], units: 'more' },
  'reverse-split': { needs: ['ratio'], units: 'fewer' },
  'spin-off': { needs: ['ratio', 'targetInstrument', 'costShare'] },
  merger: { needs: ['ratio', 'targetInstrument'], takes: ['cashInLieuQuantity', 'amount', 'exchangeRate'] },
  'symbol-change': { needs: ['targetInstrument'] },
  'return-of-capital': { needs: ['amount'], takes: ['exchangeRate'] },
};

const ofActions: readonly TransactionField[] = [
  'ratio',
  'costShare',
  'cashInLieuQuantity',
  'targetInstrument',
  'amount',
  'exchangeRate',
];

function ofCorporateAction(asked: AskedTransaction): Faults {
  const { action, ratio, account, instrument, targetInstrument } = asked;
  const { needs, takes = [], units } = actionShapes[action!];
  const isHere = (field: TransactionField): boolean => has(asked, field as keyof AskedTransaction);
  const others = ofActions.filter((field) => !needs.includes(field) && !takes.includes(field));
  return [
    ...needs.map((field) => !isHere(field) && missing(field, `This is required for a ${action}.`)),
    ...others.map((field) => isHere(field) && wrong(field, `A ${action} has none.`)),
    ratio != null &&
      units !== undefined &&
      directionOf(ratio) !== units &&
      wrong('ratio', `A ${action} leaves ${units} units than before: send the units after before those before.`),
    isHere('cashInLieuQuantity') !== isHere('amount') &&
      action === 'merger' &&
      missing(
        isHere('amount') ? 'cashInLieuQuantity' : 'amount',
        'Units paid out and what was paid for them come together.',
      ),
    targetInstrument != null &&
      targetInstrument === instrument &&
      wrong('targetInstrument', 'This must be another instrument.'),
    ...(account == null ? ofAllHolders(asked) : []),
  ];
}

/** Money comes to one account, so what is booked for all holders brings none. */
function ofAllHolders(asked: AskedTransaction): Faults {
  return [
    has(asked, 'amount') && missing('account', 'What brings cash is booked for one account.'),
    has(asked, 'depository') && wrong('depository', 'What is booked for all holders names no depository.'),
    has(asked, 'externalReference') &&
      wrong('externalReference', 'What is booked for all holders has no reference of an account.'),
  ];
}

function directionOf(ratio: string): 'more' | 'fewer' | 'equal' {
  const [after, before] = ratio.split(':').map((part) => toFixed(part as Decimal)) as [Fixed, Fixed];
  return after > before ? 'more' : after < before ? 'fewer' : 'equal';
}

/** Quantities add up to the whole. */
function ofLots({ lots, acquired, quantity, date }: AskedTransaction): Faults {
  const whole = quantity == null ? '0' : quantity.replace('-', '');
  const isWhole = (parts: readonly { quantity: Decimal }[]): boolean =>
    parts.reduce((sum, part) => sum + toFixed(part.quantity), 0n) === toFixed(whole as Decimal);
  const lateAt = acquired?.findIndex((lot) => lot.date > date) ?? -1;
  return [
    lots != null && !isWhole(lots) && wrong('lots', `The quantities must add up to ${whole}.`),
    acquired != null && !isWhole(acquired) && wrong('acquired', `The quantities must add up to ${whole}.`),
    lateAt >= 0 && { ...wrong('acquired', `Units cannot have been acquired after ${date}.`), item: lateAt },
  ];
}
