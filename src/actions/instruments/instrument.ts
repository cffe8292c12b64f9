// What may happen to an instrument: what it has where nothing was sent, which terms fit each other, and who may make and
// change what all clients share.

import type { Id } from '../../kit/id.ts';
import { refuseFaults } from '../../kit/refusal.ts';
import type { AnyChange, ChangeOf } from '../../kit/resource.ts';
import { instrument, type Instrument } from '../../model/instrument/instrument.ts';
import { defaultTerms, listMisfits, type Terms } from './instrument-terms.ts';
import { holdOwner, holdReferred } from '../core/reference.ts';
import type { WriteRules } from '../core/resource.ts';
import { refuseUnlessAllSeen } from '../core/all-clients-access.ts';
import type { Work } from '../core/work.ts';

type Asked = ChangeOf<typeof instrument>;

function refuseMisfits(terms: Terms): void {
  const faults = listMisfits(terms);
  if (faults.length > 0) throw refuseFaults('invalid-document', faults);
}

/** The client that a private instrument belongs to; null for the catalogue. */
async function holdClient(work: Work, reportingEntity: Id | null | undefined): Promise<Id | null> {
  if (reportingEntity != null) return holdOwner(work, instrument, 'reportingEntity', reportingEntity);
  refuseUnlessAllSeen(work);
  return null;
}

/** A class belongs to no client: it only has to be there. */
function holdClass(work: Work, { instrumentClass }: Asked): Promise<void> {
  return holdReferred(work, instrument, { client: null, asked: { instrumentClass } });
}

async function createInstrument(work: Work, asked: Asked): Promise<AnyChange> {
  const sent = asked as Terms;
  const fields = { ...defaultTerms(sent), ...asked } as Terms;
  refuseMisfits(fields);
  const client = await holdClient(work, asked.reportingEntity);
  await holdClass(work, asked);
  return { ...fields, client, createdAt: new Date(work.now) };
}

async function changeInstrument(work: Work, present: Instrument, asked: Asked): Promise<AnyChange> {
  refuseMisfits({ ...present, ...asked });
  await holdClass(work, asked);
  return asked as AnyChange;
}

export const instrumentRules: WriteRules<typeof instrument> = {
  resource: instrument,
  refusals: ['outside-reach'],
  create: createInstrument,
  change: changeInstrument,
  closeBelow: (work, { id, client }) => work.store.seriesNumbers.close({ id, client }, work.now),
  mayTouch(work, { client }) {
    if (client === null) refuseUnlessAllSeen(work);
  },
};
