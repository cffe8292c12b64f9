// A family that has consented at a bank of the sandbox before it has any account here.

import { runInTransaction, serviceAuthor } from '../../../src/actions/core/work.ts';
import { startAuthFlow } from '../../../src/actions/custody/auth-flow.ts';
import { consentTo, useSandboxBank } from '../../../src/app/development/sandbox/connect-bank.ts';
import type { Id } from '../../../src/kit/id.ts';
import { tenantOf } from '../events/event-source.ts';
import type { Caller } from '../http/caller.ts';
import type { TestService } from '../node/test-service.ts';
import { makeRecord } from '../structure/structure-document.ts';

export interface BareHousehold {
  readonly client: string;
  readonly legalEntity: string;
  readonly custodian: string;
  readonly authority: string;
}

interface Bank {
  readonly origin: string;
  readonly bank?: 'sonnenberg' | 'harbor';
  readonly customer?: string;
  /** The custodian, if there is one already. */
  readonly custodian?: string;
}

let bankCount = 0;

export async function consentWithoutAccounts(
  service: Pick<TestService, 'context'>,
  caller: Caller,
  { origin, bank = 'sonnenberg', customer = 'erik', ...given }: Bank,
): Promise<BareHousehold> {
  const { context } = service;
  const tenant = await tenantOf(caller);
  const author = serviceAuthor(tenant);
  const client = await makeRecord(caller, 'clients', { name: 'Family' });
  const legalEntity = await makeRecord(caller, 'legal-entities', { client_id: client, name: 'Holding' });
  const custodian =
    given.custodian ?? (await makeRecord(caller, 'custodians', { name: `Consented bank ${++bankCount}` }));
  const flow = await runInTransaction(context, author, async (work) => {
    if (given.custodian === undefined) await useSandboxBank(work, custodian as Id, `${origin}/${bank}`);
    return startAuthFlow(work, { custodian: custodian as Id, legalEntity: legalEntity as Id });
  });
  const consentedAs = { tenant, origin, bank, customer, custodian: custodian as Id, consentDays: 90 };
  const outcome = await consentTo(context, consentedAs, flow.id);
  if (outcome.kind !== 'granted') throw new Error(outcome.detail);
  return { client, legalEntity, custodian, authority: flow.authority };
}
