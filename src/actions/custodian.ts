// What may happen to a custodian. All clients of a workspace share it, so a token bound to one client may use and name one,
// and leaves it as it is.

import { isId, type Id } from '../kit/id.ts';
import { Refusal } from '../kit/refusal.ts';
import type { AnyChange, ChangeOf } from '../kit/resource.ts';
import { custodian } from '../model/custodian.ts';
import { createThing, notFound, type WriteRules } from './resource.ts';
import type { Work } from './work.ts';

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

export const custodianRules: WriteRules<typeof custodian> = {
  resource: custodian,
  refusals: ['custodian-exists', 'outside-reach'],
  async create(work, asked) {
    await refuseTaken(work, asked.name!);
    return { name: asked.name, folded_name: folded(asked.name!), createdAt: new Date(work.now) };
  },
  async change(work, present, { name }: ChangeOf<typeof custodian>): Promise<AnyChange> {
    if (name === undefined) return {};
    if (folded(name) !== folded(present.name)) await refuseTaken(work, name);
    return { name, folded_name: folded(name) };
  },
  mayTouch({ store }) {
    if (store.reach.sight.kind === 'all') return;
    throw new Refusal('outside-reach', 'A token bound to one client cannot change what all clients share.');
  },
};

/** The custodian with this id, or called so; a name that is new makes one. Whoever is overtaken in that begins anew. */
export async function getInstitution(work: Work, institution: string): Promise<Id> {
  if (isId(institution)) {
    const [held] = await work.store.table(custodian).hold([institution]);
    if (held === undefined) throw notFound(custodian, { field: 'institution' });
    return held.id;
  }
  return (await findCalled(work, institution)) ?? (await createThing(work, custodianRules, { name: institution })).id;
}
