// What may happen to an instrument: what it has where nothing was sent, which terms fit each other, and who may make and
// change what all clients share.

import type { Id } from '../../kit/id.ts';
import { refusalForFaults } from '../../kit/refusal.ts';
import type { AnyChange, ChangeOf } from '../../kit/resource.ts';
import { instrument, type Instrument } from '../../model/instrument/instrument.ts';
import { defaultTerms, listTermFaults, type TermsInput } from './instrument-terms.ts';
import { lockOwner, lockReferences } from '../core/reference.ts';
import type { WriteRules } from '../core/resource.ts';
import { requireAllClients } from '../core/all-clients-access.ts';
import type { Work } from '../core/work.ts';

type InstrumentInput = ChangeOf<typeof instrument>;

function refuseInvalidTerms(terms: TermsInput): void {
  const faults = listTermFaults(terms);
  if (faults.length > 0) throw refusalForFaults('invalid-document', faults);
}

/** The client that a private instrument belongs to; null for the catalogue. */
async function lockOwnerClient(work: Work, reportingEntity: Id | null | undefined): Promise<Id | null> {
  if (reportingEntity != null) return lockOwner(work, instrument, 'reportingEntity', reportingEntity);
  requireAllClients(work);
  return null;
}

/** A class belongs to no client: it only has to be there. */
function holdClass(work: Work, { instrumentClass }: InstrumentInput): Promise<void> {
  return lockReferences(work, instrument, { client: null, input: { instrumentClass } });
}

async function createInstrument(work: Work, input: InstrumentInput): Promise<AnyChange> {
  const terms = input as TermsInput;
  const fields = { ...defaultTerms(terms), ...input } as TermsInput;
  refuseInvalidTerms(fields);
  const client = await lockOwnerClient(work, input.reportingEntity);
  await holdClass(work, input);
  return { ...fields, client, createdAt: new Date(work.now) };
}

async function changeInstrument(work: Work, present: Instrument, input: InstrumentInput): Promise<AnyChange> {
  refuseInvalidTerms({ ...present, ...input });
  await holdClass(work, input);
  return input as AnyChange;
}

export const instrumentRules: WriteRules<typeof instrument> = {
  resource: instrument,
  refusals: ['outside-reach'],
  create: createInstrument,
  change: changeInstrument,
  beforeDelete: (work, { id, client }) => work.store.seriesVersions.close({ id, client }, work.now),
  checkAccess(work, { client }) {
    if (client === null) requireAllClients(work);
  },
};
