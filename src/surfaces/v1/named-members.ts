// The members of bulk rows that name accounts and instruments by numbers and codes, in place of ids or beside them.

import { FieldFault, requestStyle, text, type FieldKind, type JsonSchema } from '../../kit/field.ts';
import { isJsonObject, type Json } from '../../kit/json.ts';
import { foldWord } from '../../model/custody/folded-words.ts';
import type { NamedAccount, NamedInstrument } from '../../model/custody/statement.ts';
import { currencyCode } from '../../model/currency.ts';
import { isCusip, isin, marketCode, sedol } from '../../model/instrument/security-code.ts';
import { Faults, type FaultDetail } from '../http/operation/declared-fields.ts';
import { objectSchema } from '../http/operation/object-schema.ts';
import { v1 } from './wire.ts';

interface NameMember {
  readonly kind: FieldKind<string>;
  readonly description: string;
}

/** Reads a code in lower case and with spaces too. */
function folded(kind: FieldKind<string>): FieldKind<string> {
  return { ...kind, read: (value) => kind.read(typeof value === 'string' ? foldWord(value) : value) };
}

const cusip: FieldKind<string> = {
  read(value) {
    if (typeof value === 'string' && isCusip(value)) return value;
    throw new FieldFault('must be a CUSIP of nine characters with a right check digit, such as 037833100');
  },
  write: (value) => value,
  schema: () => ({ type: 'string', examples: ['037833100'] }),
};

const instead = 'in place of `instrument_id`; where both are sent, they must agree.';

/** They name the instrument. */
export const instrumentMembers = {
  isin: { kind: folded(isin), description: `The ISIN of the instrument, ${instead}` },
  cusip: { kind: folded(cusip), description: `Its CUSIP, ${instead}` },
  sedol: { kind: folded(sedol), description: `Its SEDOL, ${instead}` },
  ticker: {
    kind: folded(text({ lengthMax: 32 })),
    description: `Its ticker on the market \`mic\`, or alone if only one instrument has it, ${instead}`,
  },
  mic: { kind: folded(marketCode), description: 'The market of `ticker`, as an ISO 10383 code.' },
  custodian_code: {
    kind: text({ lengthMax: 200 }),
    description: `The custodian's own identifier of the instrument, as identifier mappings know it, ${instead}`,
  },
} as const satisfies Record<string, NameMember>;

const number = text({ lengthMax: 200 });

/** They name the accounts and the depository of a transaction. */
export const accountMembers = {
  account_number: {
    kind: number,
    description:
      'The number of the account, in place of `account_id`: an IBAN in any spacing, or whatever its `external_identifier` or an identifier mapping says. Where both are sent, they must agree.',
  },
  account_currency: {
    kind: folded(currencyCode),
    description:
      'The currency of the account, where several accounts have one number. Without it, the currency of the row chooses among those of one client.',
  },
  counter_account_number: { kind: number, description: 'The number of the counter account, like `account_number`.' },
  depository_number: { kind: number, description: 'The number of the depository, in place of `depository_id`.' },
} as const satisfies Record<string, NameMember>;

type MemberName = keyof typeof instrumentMembers | keyof typeof accountMembers;
type NameMembers = Partial<Record<MemberName, NameMember>>;

const allMembers: ReadonlySet<string> = new Set([...Object.keys(instrumentMembers), ...Object.keys(accountMembers)]);

/** Whether a row has any of these members. */
export function hasNameMembers(row: Json): boolean {
  return isJsonObject(row) && Object.keys(row).some((name) => allMembers.has(name));
}

/** What a row says in these members; a null says nothing. */
function readMembers(
  members: NameMembers,
  row: Json,
  at: string,
  faultDetail: FaultDetail,
): Partial<Record<MemberName, string>> {
  if (!isJsonObject(row) || !Object.keys(row).some((name) => name in members)) return {};
  const faults = new Faults(faultDetail);
  const read: Partial<Record<MemberName, string>> = {};
  for (const [name, member] of Object.entries(members)) {
    const value = row[name];
    if (value === undefined || value === null || member === undefined) continue;
    const word = faults.tryRead(`${at}/${name}`, name, () => member.kind.read(value));
    if (word !== undefined) Object.assign(read, { [name]: word });
  }
  faults.throwIfAny();
  return read;
}

/** The instrument that a row names by codes; undefined where it names none. */
export function readNamedInstrument(row: Json, at: string, faultDetail: FaultDetail): NamedInstrument | undefined {
  const { custodian_code: custodianCode, ...codes } = readMembers(instrumentMembers, row, at, faultDetail);
  const named = { ...codes, ...(custodianCode === undefined ? {} : { custodianCode }) };
  return Object.keys(named).length === 0 ? undefined : named;
}

interface NamedAccounts {
  readonly account?: NamedAccount;
  readonly counterAccount?: NamedAccount;
  readonly depository?: NamedAccount;
}

/** The accounts that a row names by numbers. */
export function readNamedAccounts(row: Json, at: string, faultDetail: FaultDetail): NamedAccounts {
  const read = readMembers(accountMembers, row, at, faultDetail);
  const currency = read.account_currency;
  const named = (word: string | undefined, more: object = {}): NamedAccount | undefined =>
    word === undefined ? undefined : { number: word, ...more };
  const account = named(read.account_number, currency === undefined ? {} : { currency });
  const counterAccount = named(read.counter_account_number);
  const depository = named(read.depository_number);
  return { ...(account && { account }), ...(counterAccount && { counterAccount }), ...(depository && { depository }) };
}

/** The schema of a row with these members: none of the ids that they stand for is required. */
export function withNameMembers(schema: JsonSchema, members: NameMembers, ids: readonly string[]): JsonSchema {
  const { properties, required } = objectSchema(schema);
  const style = requestStyle(v1.style);
  const named = Object.entries(members).map(([name, member]) => [
    name,
    { ...member?.kind.schema(style), description: member?.description },
  ]);
  return {
    ...schema,
    required: required.filter((name) => !ids.includes(name)),
    properties: { ...properties, ...Object.fromEntries(named) },
  };
}
