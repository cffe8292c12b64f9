// Rules for instruments: default terms, terms that contradict each other, and who may write the catalogue that all clients share.

import type { Id } from '../../kit/id.ts';
import { refusalForFaults } from '../../kit/refusal.ts';
import type { AnyChange, ChangeOf } from '../../kit/resource.ts';
import { instrument, type Instrument } from '../../model/instrument/instrument.ts';
import { builtInTypes } from '../../model/instrument/built-in.ts';
import { defaultTerms, listTermFaults, type TermsInput } from './instrument-terms.ts';
import { refuseTakenCodes } from './security-codes.ts';
import { flagLimitsNaming } from '../limits/limit-names.ts';
import { lockOwned, lockReferences } from '../core/reference.ts';
import type { WriteRules } from '../core/resource.ts';
import { requireAllClients } from '../core/all-clients-access.ts';
import type { Work } from '../core/work.ts';

type InstrumentInput = ChangeOf<typeof instrument>;

function refuseInvalidTerms(terms: TermsInput): void {
  const faults = listTermFaults(terms);
  if (faults.length > 0) throw refusalForFaults('invalid-document', faults);
}

/** Locks the owner of a private instrument and returns its client; null for the shared catalogue. */
async function lockOwnerClient(work: Work, reportingEntity: Id | null | undefined): Promise<Id | null> {
  if (reportingEntity != null) return lockOwned(work, instrument, { field: 'reportingEntity', id: reportingEntity });
  requireAllClients(work);
  return null;
}

/** Locks the class. It belongs to no client, so it only has to exist. */
function lockClass(work: Work, { instrumentClass }: InstrumentInput): Promise<void> {
  return lockReferences(work, instrument, { client: null, input: { instrumentClass } });
}

function refuseBuiltInType({ type }: TermsInput): void {
  if (!builtInTypes.some((one) => one.type === type)) return;
  const detail = 'The service provides the instruments of this type by itself: none can be created.';
  throw refusalForFaults('invalid-document', [{ code: 'invalid-attribute', detail, field: 'type' }]);
}

async function createInstrument(work: Work, input: InstrumentInput): Promise<AnyChange> {
  const terms = input as TermsInput;
  refuseBuiltInType(terms);
  const fields = { ...defaultTerms(terms), ...input } as TermsInput;
  refuseInvalidTerms(fields);
  const [client] = await Promise.all([
    lockOwnerClient(work, input.reportingEntity),
    lockClass(work, input),
    refuseTakenCodes(work, fields, input),
  ]);
  return { ...fields, client, createdAt: new Date(work.now) };
}

async function changeInstrument(work: Work, present: Instrument, input: InstrumentInput): Promise<AnyChange> {
  refuseInvalidTerms({ ...present, ...input });
  await Promise.all([lockClass(work, input), refuseTakenCodes(work, present, input)]);
  return input as AnyChange;
}

export const instrumentRules: WriteRules<typeof instrument> = {
  resource: instrument,
  refusals: ['outside-reach', 'instrument-exists'],
  create: createInstrument,
  change: changeInstrument,
  async beforeDelete(work, { id, client }) {
    await flagLimitsNaming(work, { id });
    work.store.seriesVersions.close({ id, client }, work.now);
  },
  checkAccess(work, { client }) {
    if (client === null) requireAllClients(work);
  },
};
