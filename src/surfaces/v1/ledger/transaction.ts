// Transactions in v1's words: the thirteen types in snake_case, and an amendment as the transaction with what was sent in place of what
// it had. Knows no path.

import { writeJson, parseJson, type Json } from '../../../kit/json.ts';
import { refuseFaults, type Fault } from '../../../kit/refusal.ts';
import { flatNameOf, type AnyRecord, type Attribute, type Relation } from '../../../kit/resource.ts';
import { ledgerQuantity, typedQuantity, typedVocabularies } from '../../../model/ledger/transaction-variants.ts';
import type { TransactionType } from '../../../model/ledger/transaction-kind.ts';
import type { AskedTransaction } from '../../../actions/ledger/transaction-input.ts';
import type { LedgerRow } from '../../../store/ledger/ledger-reader.ts';
import { readFlat, renderFlat } from '../../snake-case/snake-case-object.ts';
import { isObject } from '../../http/operation/declared-fields.ts';
import { v1 } from '../wire.ts';

const { forms, resource } = typedVocabularies.v1;

type Members = { [member: string]: Json };

/** `at` is where it stands in the body. */
export function fromV1Transaction(body: Json | undefined, at = ''): AskedTransaction {
  const asked = readFlat(resource, body, { wire: 'v1', purpose: 'create', at });
  const { type, quantity, ...fields } = asked as Omit<AskedTransaction, 'kind'> & { type: TransactionType };
  const { kind } = forms.get(type)!;
  return { ...fields, kind, quantity: quantity == null ? null : ledgerQuantity(type, quantity) };
}

export function toV1Transaction(row: LedgerRow): Record<string, unknown> {
  return renderFlat(resource, { ...row, quantity: typedQuantity(row.quantity) } as AnyRecord, v1);
}

/** Reads an amendment as far as it can be read without knowing what is amended. */
export function readV1Amendment(body: Json | undefined, id: string): Members {
  readFlat(resource, body, { wire: 'v1', purpose: 'change', id });
  return isObject(body) ? body : {};
}

/** The transaction as it is asked to be: what was sent, else what it has. Null takes a field away. */
export function fromV1Amendment(present: LedgerRow, sent: Members): AskedTransaction {
  const before = parseJson(writeJson(toV1Transaction(present))) as Members;
  const type = sent['type'] ?? before['type'];
  const { attributes, relations } = forms.get(type as string)!.resource;
  const faults: Fault[] = [];
  const whole: Members = { type: type! };
  for (const [name, field] of Object.entries<Attribute<any> | Relation>({ ...attributes, ...relations })) {
    const flat = flatNameOf(name, field);
    const value = flat in sent ? sent[flat]! : (before[flat] ?? null);
    if (field.writable !== 'never') {
      if (value !== null) whole[flat] = value;
    } else if (writeJson(value) !== writeJson(before[flat] ?? null)) {
      faults.push({ code: 'immutable-attribute', detail: 'This cannot be changed.', field: name });
    }
  }
  const others = Object.keys(sent).filter((member) => member !== 'id' && !(member in whole) && sent[member] !== null);
  for (const member of others) if (!isAnswered(member)) whole[member] = sent[member]!;
  if (faults.length > 0) throw refuseFaults('invalid-document', faults);
  return fromV1Transaction(whole);
}

function isAnswered(member: string): boolean {
  return member === 'created_at' || member === 'client_id';
}
