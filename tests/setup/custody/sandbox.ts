// Runs the sandbox custodian within a test, on the test's clock, and consents there as a person would.

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { SandboxCustodian } from '../../../src/app/development/sandbox/sandbox-server.ts';
import { sandboxClient } from '../../../src/app/development/sandbox/sandbox-consent.ts';
import type { Clock } from '../../../src/kit/clock.ts';
import type { Id } from '../../../src/kit/id.ts';
import type { ConnectorSettings } from '../../../src/model/custody/connector.ts';

export interface RunningSandbox {
  readonly custodian: SandboxCustodian;
  readonly origin: string;
  stop(): Promise<void>;
}

export async function startTestSandbox(clock: Clock): Promise<RunningSandbox> {
  const custodian = new SandboxCustodian({
    clock,
    tokenState: { key: '5a'.repeat(32), revoked: [] },
    saveTokenState: () => {},
  });
  custodian.server.listen(0, '127.0.0.1');
  await once(custodian.server, 'listening');
  const { port } = custodian.server.address() as AddressInfo;
  return {
    custodian,
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      custodian.server.closeAllConnections();
      custodian.server.close();
    },
  };
}

/** A sandbox for one test. */
export async function sandboxForThisTest(clock: Clock): Promise<RunningSandbox> {
  const sandbox = await startTestSandbox(clock);
  onTestFinished(() => sandbox.stop());
  return sandbox;
}

/** The settings of a custodian that lead to a bank of the sandbox. */
export function bankSettings(origin: string, bank: string): ConnectorSettings {
  return {
    custodian: '0123456789abcdef01234567' as Id,
    kind: 'oauth-pull',
    apiUrl: `${origin}/${bank}`,
    authorizationUrl: `${origin}/${bank}/authorize`,
    tokenUrl: `${origin}/${bank}/token`,
    revocationUrl: `${origin}/${bank}/revoke`,
    oauthIssuer: `${origin}/${bank}`,
    oauthClientId: sandboxClient.id,
    oauthClientSecret: sandboxClient.secret,
    oauthScope: null,
  };
}

/** Fills in the page of the bank and returns the address that the browser is sent back to. */
export async function decideAsCustomer(
  redirectUrl: string,
  { customer, decision = 'allow' }: { readonly customer: string; readonly decision?: 'allow' | 'deny' },
): Promise<URL> {
  const address = new URL(redirectUrl);
  const form = new URLSearchParams(address.searchParams);
  form.set('customer', customer);
  form.set('decision', decision);
  const { headers } = await fetch(address, { method: 'POST', body: form, redirect: 'manual' });
  return new URL(headers.get('location')!);
}
