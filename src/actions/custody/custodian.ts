// What may happen to a custodian. All clients of a workspace share it, so a token bound to one client may use and name one,
// and leaves it as it is.

import { isId, type Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { AnyChange, ChangeOf } from '../../kit/resource.ts';
import { custodian } from '../../model/structure/custodian.ts';
import { createRecord, notFound, type WriteRules } from '../core/resource.ts';
import { requireAllClients } from '../core/all-clients-access.ts';
import type { Work } from '../core/work.ts';

/** A name as it is compared. */
function foldName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

async function refuseTakenName(work: Work, name: string): Promise<void> {
  if ((await findByName(work, name)) === undefined) return;
  const code = 'custodian-exists';
  const detail = 'Another custodian is called so.';
  throw new Refusal(code, detail, { faults: [{ code, detail, field: 'name' }] });
}

async function findByName(work: Work, name: string): Promise<Id | undefined> {
  return (await work.store.table(custodian).list({ where: { folded_name: foldName(name) }, limit: 1 }))[0]?.id;
}

function nameFields(work: Work, name: string): AnyChange {
  return { name, folded_name: foldName(name), createdAt: new Date(work.now) };
}

export const custodianRules: WriteRules<typeof custodian> = {
  resource: custodian,
  refusals: ['custodian-exists', 'outside-reach'],
  async create(work, input) {
    await refuseTakenName(work, input.name!);
    return nameFields(work, input.name!);
  },
  async change(work, present, { name }: ChangeOf<typeof custodian>): Promise<AnyChange> {
    if (name === undefined) return {};
    if (foldName(name) !== foldName(present.name)) await refuseTakenName(work, name);
    return { name, folded_name: foldName(name) };
  },
  checkAccess: requireAllClients,
};

/** The name alone decides: whoever is overtaken in making it begins anew and finds it. */
const implicitCreationRules: WriteRules<typeof custodian> = {
  ...custodianRules,
  create: async (work, input) => nameFields(work, input.name!),
};

/** The custodian with this id, or called so, kept from going; a name that is new, or whose bearer has just gone, makes one. */
export async function getOrCreateCustodian(work: Work, institution: string): Promise<Id> {
  const custodianId = isId(institution) ? institution : await findByName(work, institution);
  const [found] = custodianId === undefined ? [] : await work.store.table(custodian).lockReferenced([custodianId]);
  if (found !== undefined) return found.id;
  if (isId(institution)) throw notFound(custodian, { field: 'institution' });
  return (await createRecord(work, implicitCreationRules, { name: institution })).id;
}
