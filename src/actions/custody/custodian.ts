// What may happen to a custodian. All clients of a workspace share it, so a token bound to one client may use and name one,
// and leaves it as it is.

import { isId, type Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { AnyChange, ChangeOf } from '../../kit/resource.ts';
import { custodian } from '../../model/structure/custodian.ts';
import { createThing, notFound, type WriteRules } from '../core/resource.ts';
import { refuseUnlessAllSeen } from '../core/all-clients-access.ts';
import type { Work } from '../core/work.ts';

/** A name as it is compared. */
function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

async function refuseTaken(work: Work, name: string): Promise<void> {
  if ((await findCalled(work, name)) === undefined) return;
  const code = 'custodian-exists';
  const detail = 'Another custodian is called so.';
  throw new Refusal(code, detail, { faults: [{ code, detail, field: 'name' }] });
}

async function findCalled(work: Work, name: string): Promise<Id | undefined> {
  return (await work.store.table(custodian).list({ where: { folded_name: folded(name) }, limit: 1 }))[0]?.id;
}

function called(work: Work, name: string): AnyChange {
  return { name, folded_name: folded(name), createdAt: new Date(work.now) };
}

export const custodianRules: WriteRules<typeof custodian> = {
  resource: custodian,
  refusals: ['custodian-exists', 'outside-reach'],
  async create(work, asked) {
    await refuseTaken(work, asked.name!);
    return called(work, asked.name!);
  },
  async change(work, present, { name }: ChangeOf<typeof custodian>): Promise<AnyChange> {
    if (name === undefined) return {};
    if (folded(name) !== folded(present.name)) await refuseTaken(work, name);
    return { name, folded_name: folded(name) };
  },
  mayTouch: refuseUnlessAllSeen,
};

/** The name alone decides: whoever is overtaken in making it begins anew and finds it. */
const makingRules: WriteRules<typeof custodian> = {
  ...custodianRules,
  create: async (work, asked) => called(work, asked.name!),
};

/** The custodian with this id, or called so, kept from going; a name that is new, or whose bearer has just gone, makes one. */
export async function getInstitution(work: Work, institution: string): Promise<Id> {
  const wanted = isId(institution) ? institution : await findCalled(work, institution);
  const [held] = wanted === undefined ? [] : await work.store.table(custodian).hold([wanted]);
  if (held !== undefined) return held.id;
  if (isId(institution)) throw notFound(custodian, { field: 'institution' });
  return (await createThing(work, makingRules, { name: institution })).id;
}
