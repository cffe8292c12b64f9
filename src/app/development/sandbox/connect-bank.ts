// Connects a depository to a bank of the sandbox, by the same steps that an administrator and the owner of the accounts take.

import { defined } from '../../../kit/assert.ts';
import type { Id } from '../../../kit/id.ts';
import type { Tenant } from '../../../model/access/scope.ts';
import type { AppContext } from '../../../actions/core/context.ts';
import { runInTransaction, serviceAuthor, type Work } from '../../../actions/core/work.ts';
import { startAuthFlow } from '../../../actions/custody/auth-flow.ts';
import { completeRedirect, giveConsent, type CallbackOutcome } from '../../../actions/custody/consent.ts';
import { changeCustodianSettings } from '../../../actions/custody/custodian-settings.ts';
import { sandboxClient } from './sandbox-consent.ts';

export interface BankConnection {
  readonly tenant: Tenant;
  /** Where the sandbox listens. */
  readonly origin: string;
  readonly bank: string;
  readonly customer: string;
  readonly custodian: Id;
  /** For how many days the customer consents. */
  readonly consentDays: number;
}

/** Gives the custodian the settings of a bank of the sandbox. */
export async function useSandboxBank(work: Work, custodian: Id, address: string): Promise<void> {
  await changeCustodianSettings(work, custodian, {
    connector: 'oauth-pull',
    supportedConsentTypes: ['redirect'],
    apiUrl: address,
    authorizationUrl: `${address}/authorize`,
    tokenUrl: `${address}/token`,
    revocationUrl: `${address}/revoke`,
    oauthIssuer: address,
    oauthClientId: sandboxClient.id,
    oauthClientSecret: sandboxClient.secret,
  });
}

/** Starts a flow for a depository and consents to it. */
export async function connectDepository(
  context: AppContext,
  connection: BankConnection & { readonly depository: Id },
): Promise<CallbackOutcome> {
  const { tenant, origin, bank, custodian, depository } = connection;
  const author = serviceAuthor(tenant);
  const flow = await runInTransaction(context, author, async (work) => {
    await useSandboxBank(work, custodian, `${origin}/${bank}`);
    return startAuthFlow(work, { custodian, depository });
  });
  return consentTo(context, connection, flow.id);
}

/** Goes to the bank's page, allows access as the customer, and comes back. */
export async function consentTo(context: AppContext, connection: BankConnection, flow: Id): Promise<CallbackOutcome> {
  const { tenant, customer, consentDays } = connection;
  const author = serviceAuthor(tenant);
  const { redirectUrl } = await runInTransaction(context, author, (work) => giveConsent(work, flow, 'redirect'));
  const address = new URL(defined(redirectUrl, 'consent is given on the pages of the bank'));
  const form = new URLSearchParams(address.searchParams);
  for (const [name, value] of Object.entries({ customer, decision: 'allow', consent_days: String(consentDays) }))
    form.set(name, value);
  const signal = AbortSignal.timeout(30_000);
  const response = await fetch(address, { method: 'POST', body: form, redirect: 'manual', signal });
  const back = new URL(defined(response.headers.get('location') ?? undefined, 'the bank sends the browser back'));
  return completeRedirect(context, { path: back.pathname, parameters: Object.fromEntries(back.searchParams) });
}
