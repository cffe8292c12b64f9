// No caller can access another's records: every kind of intruder tries every documented operation on a victim's records.
// Generated from the served document, so that no route is left out.

import { beforeAll, describe, expect, test } from 'vitest';
import { hourMs } from '../../../src/kit/clock.ts';
import type { Operation } from '../../../src/surfaces/http/operation/operation.ts';
import { operations } from '../../../src/surfaces/operations.ts';
import { errorCodeOf } from '../../setup/http/answer.ts';
import { Caller } from '../../setup/http/caller.ts';
import {
  sendOperation,
  requiresRecord,
  allRights,
  FullClient,
  isSharedByAll,
  digestStoredRows,
  listStoredRows,
  replyText,
} from '../../setup/access/client-hierarchy.ts';
import { OpenApiReference } from '../../setup/http/openapi-reference.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { recordTypeInPath } from '../../setup/http/example-world.ts';
import { isSandboxOnly } from '../../setup/sandbox/sandbox-clients.ts';
import { unknownId } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let reference: OpenApiReference;
let intruders: Record<string, Caller>;
let victim: FullClient;
/** With a token that has not expired. */
let fresh: Caller;

beforeAll(async () => {
  const { admin } = service;
  const above = await FullClient.create(admin, 'Aldous');
  victim = await FullClient.create(admin, 'Valerian', above);
  const sibling = await admin.makeClient('Sibling of the victim', above.client);
  const child = await admin.makeClient('Child of the victim', victim.client);
  const stranger = await admin.makeClient('Stranger');
  const revoked = await admin.becomeApplication({ rights: allRights });
  await admin.delete(`/v1/applications/${revoked.id}`);
  const expired = await admin.becomeApplication({ rights: allRights });
  service.clock.advance(hourMs + 1);
  fresh = await Caller.withCredentials(admin.address, service.first);
  intruders = {
    'a foreign workspace': await service.openWorkspace(),
    'the other environment': await fresh.becomeApplication({ rights: allRights, environment: 'sandbox' }),
    'a foreign client': await fresh.becomeApplication({ rights: allRights, scoped_to: stranger }),
    'a sibling': await fresh.becomeApplication({ rights: allRights, scoped_to: sibling }),
    'a child': await fresh.becomeApplication({ rights: allRights, scoped_to: child }),
    'an expired token': expired,
    'a revoked token': revoked,
    'a made-up token': admin.withToken('eyJhbGciOiJub25lIn0.e30.'),
  };
  reference = await OpenApiReference.create(fresh);
});

const outsiders = ['a foreign workspace', 'the other environment'];
const strangers = [...outsiders, 'a foreign client', 'a sibling', 'a child'];
const unknown = ['an expired token', 'a revoked token', 'a made-up token'];

/** All stored rows that concern the victim, including those of other owners. */
async function listVictimRows(): Promise<string[]> {
  const identifiers = [
    ...victim.identifyingTexts(),
    victim.idOf('custodian'),
    victim.idOf('instrument-class'),
    victim.idOf('fx-rate'),
  ];
  return (await listStoredRows(service.database)).filter((row) =>
    identifiers.some((identifier) => row.includes(identifier)),
  );
}

/** Those who are not in the workspace are not shown its custodians either. */
async function identifiersHiddenFrom(intruder: string): Promise<string[]> {
  if (!outsiders.includes(intruder)) return victim.identifyingTexts();
  const { body } = await fresh.get(`/v1/custodians/${victim.idOf('custodian')}`);
  return [...victim.identifyingTexts(), body.id, JSON.stringify(body.name)];
}

/** The expected answer to an intruder: a status, or the code of a refusal. */
function expectedAnswer(operation: Operation, intruder: string): number | string {
  const { id, method, bulk } = operation;
  const isItem = requiresRecord(operation);
  if (isSandboxOnly(operation)) {
    if (intruder !== 'the other environment') return 'sandbox-only';
    return isItem ? 404 : method === 'GET' ? 200 : 201;
  }
  // What concerns the whole workspace is shown to nobody who sees a part of it.
  if (['v1.request-log.read', 'v1.usage.read'].includes(id))
    return outsiders.includes(intruder) ? 200 : 'outside-reach';
  if (id.startsWith('v1.administrator.') && !outsiders.includes(intruder)) return 'outside-reach';
  if (id === 'v1.administrator.create') return 201;
  if (!isItem && method === 'GET') return 200;
  // Callers without access to the whole workspace get the same refusal for every user.
  if (id === 'v1.user.erase') return outsiders.includes(intruder) ? 404 : 'outside-reach';
  if (!isSharedByAll(operation)) return 404;
  // Records shared by the workspace can be read but not changed. How custodians are reached is not shown.
  if (outsiders.includes(intruder)) return isItem || id.includes('instrument.') ? 404 : bulk ? 200 : 201;
  return method === 'GET' && id !== 'v1.custodian-settings.read' ? 200 : 'outside-reach';
}

describe('every operation', () => {
  test('is tested: the documented operations are those served, on records that the victim has', () => {
    const guarded = reference.operations.filter(({ needsToken }) => needsToken).map(({ id }) => id);
    expect(guarded.toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
    for (const { path } of operations.filter((operation) => operation.path.includes('{'))) {
      expect([path, victim.idOf(recordTypeInPath(path)!)]).toEqual([path, expect.stringMatching(/^[0-9a-f-]{24,36}$/)]);
    }
    expect(new Set(operations.flatMap(({ resource }) => resource?.plural ?? []))).toEqual(
      new Set([
        'calculation-rounds',
        'feeds',
        'clients',
        'legal-entities',
        'accounts',
        'depositories',
        'reporting-entities',
        'portfolios',
        'custodians',
        'auth-flows',
        'authorities',
        'files',
        'import-profiles',
        'imports',
        'instruments',
        'identifier-mappings',
        'instrument-classes',
        'instrument-classes-detailed',
        'prices',
        'net-asset-values',
        'interest-rates',
        'index-factors',
        'fx-rates',
        'transactions',
        'historical-holdings',
        'historical-account-holdings',
        'historical-fee-holdings',
        'historical-instrument-holdings',
        'limits',
        'limit-breaches',
        'reconciliation-breaks',
        'sandbox-clients',
        'users',
        'administrators',
        'invites',
        'events',
        'webhooks',
        'deliveries',
        'applications',
        'keys',
        'audit-log',
      ]),
    );
  });

  test('has a valid example body if it accepts one', () => {
    const without = reference.operations.filter(
      ({ needsToken, bodies }) => needsToken && Object.values(bodies).includes(undefined),
    );
    expect(without.map(({ id }) => id)).toEqual([]);
  });

  test.each(unknown)('answers 401 to %s', async (name) => {
    const before = await digestStoredRows(service.database);
    for (const operation of operations) {
      const reply = await sendOperation(intruders[name]!, operation, victim);
      expect([operation.id, reply.status]).toEqual([operation.id, 401]);
      expect(reply.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    }
    expect(await digestStoredRows(service.database)).toEqual(before);
  });

  test.each(strangers)("shows %s nothing of the victim's and lets it change nothing", async (name) => {
    const before = await listVictimRows();
    const identifiers = await identifiersHiddenFrom(name);
    for (const operation of operations) {
      const reply = await sendOperation(intruders[name]!, operation, victim);
      const expected = expectedAnswer(operation, name);
      const answer = typeof expected === 'number' ? reply.status : errorCodeOf(reply);
      expect([operation.id, answer]).toEqual([operation.id, expected]);
      const shown = identifiers.filter((identifier) => replyText(reply).includes(identifier));
      expect([operation.id, shown]).toEqual([operation.id, []]);
    }
    expect(await listVictimRows()).toEqual(before);
  });
});

describe('filters', () => {
  const lists = operations.filter((operation) => !requiresRecord(operation));
  const named = lists.flatMap(({ path, query }) =>
    Object.keys(query)
      .filter((name) => name.endsWith('_id') && !['subject_id', 'request_id'].includes(name))
      .map((name) => [path, name] as const),
  );

  test.each(strangers)("treat the victim's ids like unknown ones for %s", async (name) => {
    expect(named.length).toBeGreaterThan(15);
    for (const [path, parameter] of [...named, ['/v1/audit-log', 'subject_id'] as const]) {
      const id = parameter === 'subject_id' ? victim.client : victim.idForField(parameter);
      const seen = async (value: string): Promise<unknown[]> => {
        const { status, body } = await intruders[name]!.get(`${path}?${parameter}=${value}`);
        return [path, parameter, status, status >= 400 ? body.code : body];
      };
      const unknown = id.includes('-') ? crypto.randomUUID() : unknownId;
      const nothing = [path, parameter, 200, { data: [], has_more: false }];
      const found = await seen(id);
      // Custodians and classes are seen by all clients of a workspace.
      expect([nothing, await seen(unknown)]).toContainEqual(found);
      expect(JSON.stringify(found)).not.toContain(victim.client);
    }
  });
});
