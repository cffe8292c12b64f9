// The rules of custodians. All clients of a workspace share them, so a token bound to one client may use one, but not create or
// change it.

import { defined } from '../../kit/assert.ts';
import { isId, type Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { AnyChange, ChangeOf } from '../../kit/resource.ts';
import { defaultConsentTypes } from '../../model/custody/consent-type.ts';
import { custodian, type Custodian } from '../../model/structure/custodian.ts';
import { createRecord, notFound, type WriteRules } from '../core/resource.ts';
import { requireAllClients } from '../core/all-clients-access.ts';
import type { Work } from '../core/work.ts';

/** Names are compared without regard to case and compatibility forms. */
function foldName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

async function refuseTakenName(work: Work, name: string): Promise<void> {
  if ((await findByName(work, name)) === undefined) return;
  const code = 'custodian-exists';
  const detail = 'Another custodian already has this name.';
  throw new Refusal(code, detail, { faults: [{ code, detail, field: 'name' }] });
}

async function findByName(work: Work, name: string): Promise<Id | undefined> {
  return (await work.store.table(custodian).list({ where: { folded_name: foldName(name) }, limit: 1 }))[0]?.id;
}

function requireName({ name }: ChangeOf<typeof custodian>): string {
  return defined(name, 'a new custodian has a name');
}

function newFields(work: Work, name: string): AnyChange {
  const consent = { supportedConsentTypes: defaultConsentTypes, expectedFiles: [] };
  return { name, folded_name: foldName(name), ...consent, createdAt: new Date(work.now) };
}

export const custodianRules: WriteRules<typeof custodian> = {
  resource: custodian,
  refusals: ['custodian-exists', 'outside-reach'],
  async create(work, input) {
    requireAllClients(work);
    const name = requireName(input);
    await refuseTakenName(work, name);
    return newFields(work, name);
  },
  async change(work, present, { name }: ChangeOf<typeof custodian>): Promise<AnyChange> {
    if (name === undefined) return {};
    if (foldName(name) !== foldName(present.name)) await refuseTakenName(work, name);
    return { name, folded_name: foldName(name) };
  },
  checkAccess: requireAllClients,
};

/** Skips the check of the name: if another transaction creates the same custodian first, this one is retried and finds it. */
const implicitCreationRules: WriteRules<typeof custodian> = {
  ...custodianRules,
  create: async (work, input) => newFields(work, requireName(input)),
};

/** A custodian is for all clients of the workspace, also if an account of one client is the first that names it. */
function requireCreator({ store }: Work, institution: string): void {
  if (store.scope.visibleClients.kind === 'all') return;
  const code = 'outside-reach';
  const detail = `There is no custodian called ${JSON.stringify(institution)}, and a token bound to one client cannot create one: all clients share them. Ask an administrator of the workspace to add it.`;
  throw new Refusal(code, detail, { faults: [{ code, detail, field: 'institution' }] });
}

/** Finds a custodian by id or name and locks it. Creates one for a name that is new, or whose custodian was just deleted or renamed. */
export async function getOrCreateCustodian(work: Work, institution: string): Promise<Custodian> {
  const table = work.store.table(custodian);
  const [found] = await (isId(institution)
    ? table.lockReferencedRecords([institution])
    : table.lockMatchingRecords({ folded_name: foldName(institution) }));
  if (found !== undefined) return found;
  if (isId(institution)) throw notFound(custodian, { field: 'institution' });
  requireCreator(work, institution);
  return createRecord(work, implicitCreationRules, { name: institution });
}
