// Tests what a person has access to, with a second one of everything that belongs to somebody else.

import { expect, test } from 'vitest';
import { bareWorkspace, type BareRow, type RowValues } from '../../../tests/setup/database/bare-rows.ts';
import { serviceForThisFile } from '../../../tests/setup/node/test-service.ts';
import type { Id } from '../../kit/id.ts';
import type { PersonAccess } from '../../model/access/person-access.ts';

const service = serviceForThisFile();

const joined = { joined_at: '2026-11-15T12:00:00Z' };
const person = (id: string): BareRow => ['person', { id, contact_email: `${id}@x.example`, address_key: id }];
const client = (id: string): BareRow => [
  'client',
  { id, parent_id: 'root', path: ['root', id], reference_currency: 'EUR', accounting_method: 'FIFO' },
];
const member = (clientId: string, values: RowValues = {}): BareRow => [
  'membership',
  { client_id: clientId, person_id: 'one', role: 'viewer', first_name: '', last_name: '', ...joined, ...values },
];
const grant = (clientId: string, entity: string, values: RowValues = {}): BareRow => [
  'read_grant',
  { client_id: clientId, person_id: 'one', reporting_entity_id: entity, ...values },
];
const administrator = (id: string, values: RowValues = {}): BareRow => [
  'workspace_administrator',
  { person_id: id, first_name: 'Ada', last_name: id, ...joined, ...values },
];

async function accessWith(rows: readonly BareRow[]): Promise<PersonAccess | undefined> {
  const { scope } = await bareWorkspace(service, [client('a'), client('b'), person('one'), person('two'), ...rows]);
  const { workspaceId, environment } = scope;
  return service.context.stores.preAuth.findPersonAccess({ workspaceId, environment, personId: 'one' as Id });
}

test('a person reads what was granted with each membership that is active', async () => {
  const access = await accessWith([
    member('b', { role: 'advisor', last_name: 'Late', created_at: '2026-11-15T12:00:01Z' }),
    member('a', { first_name: 'Eve', created_at: '2026-11-15T12:00:02Z' }),
    member('a', { person_id: 'two', first_name: 'Of another', created_at: '2026-11-14T12:00:00Z' }),
    grant('a', 'e2'),
    grant('a', 'e1'),
    grant('b', 'e3'),
    grant('a', 'of another', { person_id: 'two' }),
    grant('c', 'of a client without membership'),
    administrator('two'),
  ]);
  expect(access).toMatchObject({
    email: 'one@x.example',
    name: 'Late',
    isWorkspaceAdministrator: false,
    memberships: [
      { clientId: 'a', role: 'viewer', clientPath: ['root', 'a'] },
      { clientId: 'b', role: 'advisor', clientPath: ['root', 'b'] },
    ],
    grants: [
      { reportingEntityId: 'e1', clientId: 'a', role: 'viewer' },
      { reportingEntityId: 'e2', clientId: 'a', role: 'viewer' },
      { reportingEntityId: 'e3', clientId: 'b', role: 'advisor' },
    ],
  });
});

test.each<[what: string, values: RowValues]>([
  ['was not accepted yet', { joined_at: null }],
  ['is disabled', { disabled_at: '2026-11-15T12:00:00Z' }],
])('a membership that %s gives nothing beside one that is active', async (_what, values) => {
  const inactive = member('a', { first_name: 'No', created_at: '2026-11-14T12:00:00Z', ...values });
  const access = await accessWith([inactive, grant('a', 'e1'), member('b', { first_name: 'Yes' }), grant('b', 'e2')]);
  expect(access?.name).toBe('Yes');
  expect(access?.memberships.map(({ clientId }) => clientId)).toEqual(['b']);
  expect(access?.grants.map(({ reportingEntityId }) => reportingEntityId)).toEqual(['e2']);
});

test.each<[what: string, rows: readonly BareRow[], name: string | undefined]>([
  ['administers the workspace', [administrator('one')], 'Ada one'],
  ['has not used the link yet', [administrator('one', { joined_at: null })], undefined],
  ['is another than the administrator', [administrator('two')], undefined],
  ['is a member under another name, too', [administrator('one'), member('a', { first_name: 'Eve' })], 'Eve'],
  ['is a member without a name', [administrator('one'), member('a')], ''],
])('a person who %s', async (_what, rows, name) => {
  expect((await accessWith(rows))?.name).toBe(name);
});
