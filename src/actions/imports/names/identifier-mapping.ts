// Rules for identifier mappings: what a word may name, whose records it may lead to, and that it means one thing only.

import type { Id } from '../../../kit/id.ts';
import { Refusal, refusalForFaults, type Fault } from '../../../kit/refusal.ts';
import { anyChange, type AnyChange, type ChangeOf } from '../../../kit/resource.ts';
import {
  identifierMapping,
  instrumentSchemes,
  mappedRecords,
  type IdentifierMapping,
  type MappedKind,
} from '../../../model/custody/identifier-mapping.ts';
import { foldNumber, foldWord } from '../../../model/custody/folded-words.ts';
import { requireAllClients } from '../../core/all-clients-access.ts';
import { lockReferences } from '../../core/reference.ts';
import { flagAllClients, flagClient } from '../../../store/queues/dirty-flags.ts';
import type { WriteRules } from '../../core/resource.ts';
import type { Work } from '../../core/work.ts';

type MappingInput = ChangeOf<typeof identifierMapping>;

function* listFaults(input: MappingInput): Generator<Fault> {
  const { kind, scheme, client, currency, mic } = input;
  const isCode = instrumentSchemes.some((one) => one === scheme);
  const isFitting = kind === 'type' ? scheme === 'word' : scheme !== 'word' && isCode === (kind === 'instrument');
  if (!isFitting) {
    const details = {
      type: 'Types of transactions are named by a word.',
      instrument: 'Instruments are named by a code or a name.',
      account: 'Accounts and depositories are named by their number.',
      depository: 'Accounts and depositories are named by their number.',
    };
    yield { code: 'invalid-attribute', detail: details[kind ?? 'account'], field: 'scheme' };
  }
  if (client == null && kind !== 'instrument' && kind !== 'type')
    yield { code: 'missing-attribute', detail: 'client_id is required: accounts belong to a client.', field: 'client' };
  if (currency != null && kind !== 'account')
    yield { code: 'invalid-attribute', detail: 'Only the number of an account has a currency.', field: 'currency' };
  if (mic != null && scheme !== 'ticker')
    yield { code: 'invalid-attribute', detail: 'Only a ticker has a market.', field: 'mic' };
}

/** It leads to the one record of its kind. */
function* listTargetFaults(kind: MappedKind | undefined, input: AnyChange): Generator<Fault> {
  yield* listTypeFaults(kind, input);
  for (const other of mappedRecords) {
    if (other === kind && input[other] === null)
      yield {
        code: 'invalid-attribute',
        detail: `${other}_id must not be null: delete the mapping instead.`,
        field: other,
      };
    if (other !== kind && input[other] != null)
      yield { code: 'invalid-attribute', detail: `A mapping of the kind ${kind} leads to no ${other}.`, field: other };
  }
}

function* listTypeFaults(kind: MappedKind | undefined, input: AnyChange): Generator<Fault> {
  const { transactionType, action } = input;
  if (kind !== 'type') {
    for (const field of ['transactionType', 'action'] as const)
      if (input[field] != null)
        yield { code: 'invalid-attribute', detail: `A mapping of the kind ${kind} leads to no type.`, field };
    return;
  }
  if (transactionType === null)
    yield {
      code: 'invalid-attribute',
      detail: 'transaction_type must not be null: delete the mapping instead.',
      field: 'transactionType',
    };
  if (action != null && transactionType !== 'corporate-action')
    yield { code: 'invalid-attribute', detail: 'Only a corporate-action has an action.', field: 'action' };
}

function requireNoFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw refusalForFaults('invalid-document', faults);
}

function foldedValue({ kind, value = '' }: MappingInput): string {
  return kind === 'instrument' || kind === 'type' ? foldWord(value) : foldNumber(value);
}

async function refuseSecond(work: Work, fields: AnyChange): Promise<void> {
  const where = Object.fromEntries(
    ['client', 'custodian', 'kind', 'scheme', 'folded_value', 'currency', 'mic'].map((name) => [name, fields[name]]),
  );
  const [first] = await work.store.table(identifierMapping).list({ where, limit: 1 });
  if (first === undefined) return;
  const code = 'identifier-mapping-exists';
  const detail = `Mapping ${first.id} says already what this value means. Change that one, or delete it.`;
  throw new Refusal(code, detail, { faults: [{ code, detail, field: 'value' }] });
}

async function createMapping(work: Work, input: MappingInput): Promise<AnyChange> {
  const { kind, client = null } = input;
  const faults = [...listFaults(input)];
  if (kind === 'type' && input.transactionType === undefined)
    faults.push({ code: 'missing-attribute', detail: 'transaction_type is required.', field: 'transactionType' });
  if (kind !== undefined && kind !== 'type' && input[kind] === undefined)
    faults.push({ code: 'missing-attribute', detail: `${kind}_id is required.`, field: kind });
  requireNoFaults(faults);
  if (client === null) requireAllClients(work);
  await lockReferences(work, identifierMapping, { client, input: anyChange(input) });
  requireNoFaults([...listTargetFaults(kind, input)]);
  const fields = {
    custodian: null,
    currency: null,
    mic: null,
    transactionType: null,
    action: null,
    ...input,
    client,
    folded_value: foldedValue(input),
  };
  await refuseSecond(work, fields);
  flagNamed(work, client);
  return { ...fields, source: 'manual', createdAt: new Date(work.now) };
}

/** Whoever changes a learned mapping corrects it. */
async function changeMapping(work: Work, present: IdentifierMapping, input: MappingInput): Promise<AnyChange> {
  await lockReferences(work, identifierMapping, { client: present.client, input: anyChange(input) });
  const { transactionType, action } = { ...present, ...input };
  // Another type than a corporate action has none.
  const ofType = present.kind === 'type' && input.action === undefined && transactionType !== 'corporate-action';
  const cleared = ofType && action !== null ? { action: null } : {};
  const typed = present.kind === 'type' ? { transactionType, action: 'action' in cleared ? null : action } : {};
  requireNoFaults([...listTargetFaults(present.kind, { ...input, ...typed })]);
  return { ...input, ...cleared, source: 'manual' };
}

/** What custodians state may now be of another instrument: it is reconciled again. */
function flagNamed({ store, now }: Work, client: Id | null): void {
  const flag = { cause: 'statement', now } as const;
  if (client === null) flagAllClients(store, flag);
  else flagClient(store, client, flag);
}

export const identifierMappingRules: WriteRules<typeof identifierMapping> = {
  resource: identifierMapping,
  refusals: ['different-client', 'identifier-mapping-exists', 'outside-reach'],
  create: createMapping,
  change: changeMapping,
  checkAccess(work, { client }) {
    if (client === null) requireAllClients(work);
  },
  afterWrite: (work, { client }) => flagNamed(work, client),
};
