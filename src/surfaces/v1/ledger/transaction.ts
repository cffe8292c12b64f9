// Converts transactions between v1's snake_case and the ledger. An amendment is the present transaction with the sent fields
// replaced.

import { assert, defined } from '../../../kit/assert.ts';
import { isJsonObject, writeJson, parseJson, type Json } from '../../../kit/json.ts';
import { refusalForFaults, type Fault } from '../../../kit/refusal.ts';
import { snakeCaseNameOf, type Attribute, type Relation } from '../../../kit/resource.ts';
import { ledgerQuantity, unsignedQuantity } from '../../../model/ledger/transaction-variants.ts';
import type { TransactionType } from '../../../model/ledger/transaction-kind.ts';
import type { TransactionInput } from '../../../actions/ledger/transaction-input.ts';
import type { LedgerRow } from '../../../store/ledger/ledger-reader.ts';
import { readSnakeCase, renderSnakeCase } from '../../snake-case/snake-case-object.ts';
import type { FaultDetail } from '../../http/operation/declared-fields.ts';
import { v1 } from '../wire.ts';
import { v1TransactionVariants } from './transaction-variants.ts';

const { variants, resource } = v1TransactionVariants;

/** Members that name records in other ways than by ids, and the fields that they give. */
interface MemberNames {
  readonly otherMembers?: readonly string[] | undefined;
  readonly givenElsewhere?: readonly string[] | undefined;
}

type JsonMembers = { [member: string]: Json };

/** `at` is the position of the row in the body, as a JSON pointer. */
export function fromV1Transaction(
  body: Json | undefined,
  at = '',
  faultDetail: FaultDetail = 'described',
  names: MemberNames = {},
): TransactionInput {
  const { otherMembers, givenElsewhere } = names;
  const options = { wire: v1, purpose: 'create', at, faultDetail, otherMembers, givenElsewhere } as const;
  const input = readSnakeCase(resource, body, options) as Omit<TransactionInput, 'kind'> & { type: TransactionType };
  const { type, quantity } = input;
  // It was made for this: a copy of each of very many rows would take longer than reading them.
  return Object.assign(input, {
    kind: getVariant(type).kind,
    quantity: quantity == null ? null : ledgerQuantity(type, { quantity, amount: input.amount }),
  });
}

export function toV1Transaction(row: LedgerRow): Record<string, unknown> {
  return renderSnakeCase(resource, { ...row, quantity: unsignedQuantity(row.quantity) }, v1);
}

/** Checks an amendment as far as that is possible without the present transaction. */
export function readV1Amendment(body: Json | undefined, id: string): JsonMembers {
  readSnakeCase(resource, body, { wire: v1, purpose: 'change', id });
  return isJsonObject(body) ? body : {};
}

/** Merges an amendment into the present transaction. A null removes the field. */
export function fromV1Amendment(present: LedgerRow, changes: JsonMembers): TransactionInput {
  const before = parseJson(writeJson(toV1Transaction(present)));
  assert(isJsonObject(before), 'a transaction is rendered as an object');
  const type = changes['type'] ?? before['type'];
  assert(typeof type === 'string', 'the type was checked when it was read');
  const { attributes, relations } = getVariant(type).resource;
  const faults: Fault[] = [];
  const whole: JsonMembers = { type };
  for (const [name, field] of Object.entries<Attribute<any> | Relation>({ ...attributes, ...relations })) {
    const snakeName = snakeCaseNameOf(name, field);
    const value = snakeName in changes ? (changes[snakeName] ?? null) : (before[snakeName] ?? null);
    if (field.writable !== 'never') {
      if (value !== null) whole[snakeName] = value;
    } else if (writeJson(value) !== writeJson(before[snakeName] ?? null)) {
      faults.push({ code: 'immutable-attribute', detail: 'This field cannot be changed after creation.', field: name });
    }
  }
  const others = Object.entries(changes).filter(
    ([member, value]) => member !== 'id' && !(member in whole) && value !== null,
  );
  for (const [member, value] of others) if (!isReadOnly(member)) whole[member] = value;
  if (faults.length > 0) throw refusalForFaults('invalid-document', faults);
  return fromV1Transaction(whole);
}

function getVariant(type: string) {
  return defined(variants.get(type), 'every transaction type is declared');
}

function isReadOnly(member: string): boolean {
  return member === 'created_at' || member === 'client_id';
}
