// That tenants take turns, and that nobody waits twice.

import { expect, test } from 'vitest';
import type { Id } from '../kit/id.ts';
import type { Tenant } from '../actions/tenant-hints.ts';
import { RoundQueue } from './round-queue.ts';

const tenantOf = (workspace: string, environment: Tenant['environment'] = 'production'): Tenant => ({
  workspaceId: workspace as Id,
  environment,
});

function takeAll(queue: RoundQueue): string[] {
  const taken: string[] = [];
  for (let next = queue.take(); next !== undefined; next = queue.take()) {
    taken.push(`${next.tenant.workspaceId} ${next.tenant.environment} ${next.client}`);
  }
  return taken;
}

function queueOf(...waiting: readonly (readonly [tenant: Tenant, client: string])[]): RoundQueue {
  const queue = new RoundQueue();
  for (const [tenant, client] of waiting) queue.put({ tenant, client: client as Id });
  return queue;
}

test('a tenant with very many clients keeps no other waiting', () => {
  const many = [1, 2, 3, 4].map((number) => [tenantOf('large'), `client ${number}`] as const);
  const queue = queueOf(...many, [tenantOf('small'), 'client 1'], [tenantOf('large', 'sandbox'), 'client 1']);
  expect(takeAll(queue)).toEqual([
    'large production client 1',
    'small production client 1',
    'large sandbox client 1',
    'large production client 2',
    'large production client 3',
    'large production client 4',
  ]);
});

test('one who comes while others take turns comes after them', () => {
  const queue = queueOf([tenantOf('a'), '1'], [tenantOf('a'), '2'], [tenantOf('b'), '1'], [tenantOf('b'), '2']);
  expect(queue.take()).toEqual({ tenant: tenantOf('a'), client: '1' });
  queue.put({ tenant: tenantOf('c'), client: '1' as Id });
  expect(takeAll(queue)).toEqual(['b production 1', 'a production 2', 'c production 1', 'b production 2']);
});

test('nobody waits twice, and nobody is left once all is cleared', () => {
  const twice = [
    [tenantOf('a'), '1'],
    [tenantOf('a'), '1'],
  ] as const;
  expect(takeAll(queueOf(...twice))).toEqual(['a production 1']);
  const queue = queueOf(...twice);
  queue.clear();
  expect(queue.take()).toBeUndefined();
});
