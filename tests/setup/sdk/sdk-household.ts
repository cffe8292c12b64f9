// A client of the SDK for the test service, and a household with one account to book on.

import { Holdfast } from '../../../packages/sdk/src/index.ts';
import type { TestService } from '../node/test-service.ts';

interface ClientSettings {
  readonly fetch?: typeof fetch;
  readonly retries?: number;
  /** Waits are noted here, and not waited for; the clock of the service moves on instead. */
  readonly waits?: number[];
}

/** A client with the credentials of the first workspace, on the clock of the service. */
export function sdkClient(service: TestService, { waits = [], ...settings }: ClientSettings = {}): Holdfast {
  return new Holdfast({
    url: service.admin.address,
    clientId: service.first.clientId,
    clientSecret: service.first.clientSecret,
    clock: {
      now: () => service.clock.now(),
      async sleep(delayMs) {
        waits.push(delayMs);
        service.clock.advance(delayMs);
      },
    },
    ...settings,
  });
}

export interface SdkHousehold {
  readonly clientId: string;
  readonly accountId: string;
  readonly reportingEntityId: string;
}

export async function makeSdkHousehold(holdfast: Holdfast): Promise<SdkHousehold> {
  const client = await holdfast.clients.create({ name: 'Amsel Family', reference_currency: 'EUR' });
  const owner = await holdfast.legalEntities.create({ name: 'Amsel Holding', client_id: client.id });
  const account = await holdfast.accounts.create({
    entity_id: owner.id,
    institution: 'Bank Sonnenberg',
    name: 'Custody',
    currency: 'EUR',
  });
  const whole = await holdfast.reportingEntities.create({ name: 'Amsel, all', client_id: client.id });
  await holdfast.portfolios.create({ name: 'All', reporting_entity_id: whole.id, account_ids: [account.id] });
  return { clientId: client.id, accountId: account.id, reportingEntityId: whole.id };
}
