// A client whose account and depository are connected to a bank of the sandbox, and a worker that runs its feeds.

import type { Id } from '../../../src/kit/id.ts';
import { connectDepository } from '../../../src/app/development/sandbox/connect-bank.ts';
import { getBank } from '../../../src/app/development/sandbox/sandbox-banks.ts';
import type { FeedOutcome } from '../../../src/actions/feeds/feed-run.ts';
import { createFeedWorker, type FeedWorkerOptions } from '../../../src/jobs/feed-worker.ts';
import type { QueueWorker } from '../../../src/jobs/leased-worker.ts';
import { openReadWork, serviceAuthor } from '../../../src/actions/core/work.ts';
import { authority } from '../../../src/model/custody/authority.ts';
import { hourMs } from '../../../src/kit/clock.ts';
import { tenantOf } from '../events/event-source.ts';
import type { Caller } from '../http/caller.ts';
import type { TestService } from '../node/test-service.ts';

export interface ConnectedHousehold {
  readonly client: string;
  readonly account: string;
  readonly depository: string;
  readonly custodian: string;
  readonly authority: string;
}

interface Connected {
  readonly caller: Caller;
  readonly origin: string;
  readonly bank?: string;
  readonly customer?: string;
}

async function create(caller: Caller, path: string, body: object): Promise<string> {
  const { status, body: created } = await caller.post(path, body);
  if (status !== 201) throw new Error(`${path}: ${JSON.stringify(created)}`);
  return created.id;
}

export async function connectHousehold(
  service: Pick<TestService, 'context'>,
  { caller, origin, bank = 'sonnenberg', customer: key = 'erik' }: Connected,
): Promise<ConnectedHousehold> {
  const { name, customers } = getBank(bank);
  const customer = customers.find((one) => one.key === key)!;
  const client = await create(caller, '/v1/clients', { name: customer.name });
  const legalEntity = await create(caller, '/v1/legal-entities', { client_id: client, name: customer.name });
  const depository = await create(caller, '/v1/depositories', {
    legal_entity_id: legalEntity,
    name: 'Custody',
    external_identifier: customer.depositoryNumber,
  });
  const accounts = [];
  for (const { number, currency } of customer.accounts) {
    const account = { entity_id: legalEntity, institution: name, name: number, currency, external_identifier: number };
    accounts.push(await create(caller, '/v1/accounts', { ...account, depository_ids: [depository] }));
  }
  const { body: custodians } = await caller.get(`/v1/custodians?name=${encodeURIComponent(name)}`);
  const custodian = custodians.data[0].id;
  const tenant = await tenantOf(caller);
  const outcome = await connectDepository(service.context, {
    tenant,
    origin,
    bank,
    customer: key,
    custodian,
    depository: depository as Id,
    consentDays: 90,
  });
  if (outcome.kind !== 'granted') throw new Error(outcome.detail);
  const { store } = openReadWork(service.context, serviceAuthor(tenant));
  const [granted] = await store.table(authority).list({ where: { client: client as Id }, limit: 1 });
  return { client, account: accounts[0]!, depository, custodian, authority: granted!.id };
}

export interface TestFeedWorker extends QueueWorker {
  /** How attempts ended, in order. */
  readonly outcomes: FeedOutcome[];
  readonly failures: unknown[];
  /** Looks at all tenants and waits until everything that was due has been tried. */
  runAll(): Promise<void>;
}

export function makeFeedWorker(
  { context }: Pick<TestService, 'context'>,
  options: Partial<FeedWorkerOptions> = {},
): TestFeedWorker {
  const outcomes: FeedOutcome[] = [];
  const failures: unknown[] = [];
  const worker = createFeedWorker({
    context,
    intervalMs: hourMs,
    observer: {
      onOutcome: (_lease, outcome) => void outcomes.push(outcome),
      onFailure: (error) => void failures.push(error),
    },
    ...options,
  });
  return Object.assign(worker, {
    outcomes,
    failures,
    async runAll() {
      await worker.sweep();
      await worker.drain();
    },
  });
}
