// The pull connector against the sandbox custodian: consent, renewal, revocation, paging, and everything that can go wrong there.

import { describe, expect, onTestFinished, test } from 'vitest';
import { bankSettings, decideAsCustomer, sandboxForThisTest } from '../../../tests/setup/custody/sandbox.ts';
import { ManualClock } from '../../../tests/setup/kit/manual-clock.ts';
import { hourMs, type Clock } from '../../kit/clock.ts';
import type { Id } from '../../kit/id.ts';
import { ConnectorFailure, type ConnectorAccess, type ConnectorSettings } from '../../model/custody/connector.ts';
import type { StatementItem } from '../../model/custody/statement.ts';
import { outages } from '../../app/development/sandbox/sandbox-server.ts';
import { CustodianHttp } from './custodian-http.ts';
import { readCustodianItem } from './custodian-items.ts';
import { OauthPullConnector } from './oauth-pull.ts';

const callbackUrl = 'http://127.0.0.1:8080/custody/callback';

function makeConnector(clock: Clock, { allowPrivate = true, timeoutMs = 60_000 } = {}): OauthPullConnector {
  const http = new CustodianHttp({ allowPrivate, timeoutMs });
  onTestFinished(() => http.close());
  return new OauthPullConnector({ http, clock });
}

async function connect(options: { allowPrivate?: boolean } = {}) {
  const clock = new ManualClock('2026-11-15T12:00:00Z');
  const { custodian, origin } = await sandboxForThisTest(clock);
  const settings = bankSettings(origin, 'sonnenberg');
  return { clock, custodian, connector: makeConnector(clock, options), settings };
}

const signal = new AbortController().signal;

async function consent(connector: OauthPullConnector, settings: ConnectorSettings, decision?: 'deny') {
  const begun = await connector.beginConsent({ settings, signal, state: 'state of the flow', callbackUrl });
  const back = await decideAsCustomer(begun.redirectUrl, { customer: 'erik', ...(decision && { decision }) });
  const parameters = Object.fromEntries(back.searchParams);
  const complete = { settings, signal, callbackUrl, pending: begun.pending, parameters };
  return { complete, completed: await connector.completeConsent(complete) };
}

test.each([
  ['of another issuer', { iss: 'https://attacker.example' }],
  ['without an issuer', { iss: undefined }],
])('consent that comes back %s is refused where the custodian announces its issuer', async (_what, changed) => {
  const { connector, settings } = await connect();
  const begun = await connector.beginConsent({ settings, signal, state: 'state of the flow', callbackUrl });
  const back = await decideAsCustomer(begun.redirectUrl, { customer: 'erik' });
  const { iss, ...others } = Object.fromEntries(back.searchParams);
  expect(iss).toBe(settings.oauthIssuer);
  const parameters: Record<string, string> = { ...others, ...(changed.iss && { iss: changed.iss }) };
  const complete = { settings, signal, callbackUrl, pending: begun.pending, parameters };
  await expect(connector.completeConsent(complete)).rejects.toThrow(ConnectorFailure);
});

test.each([
  ['without an issuer', () => undefined, 'no failure'],
  ['of an issuer at the origin of its pages', (own: string) => own, 'no failure'],
  ['of an issuer elsewhere', () => 'https://attacker.example', 'consent-refused'],
  ['of a text that is no address', () => 'attacker', 'consent-refused'],
])('consent that comes back %s where the custodian announces none: %s', async (_what, issuerOf, expected) => {
  const { connector, settings: announced } = await connect();
  const settings = { ...announced, oauthIssuer: null };
  const begun = await connector.beginConsent({ settings, signal, state: 'state of the flow', callbackUrl });
  const back = await decideAsCustomer(begun.redirectUrl, { customer: 'erik' });
  const { iss, ...others } = Object.fromEntries(back.searchParams);
  const named = issuerOf(iss!);
  const parameters: Record<string, string> = { ...others, ...(named === undefined ? {} : { iss: named }) };
  const complete = { settings, signal, callbackUrl, pending: begun.pending, parameters };
  expect(await failureKind(connector.completeConsent(complete))).toBe(expected);
});

/** What a run remembers between its calls. */
function accessWith(settings: ConnectorSettings, credentials: string): ConnectorAccess & { saved: string[] } {
  const saved: string[] = [];
  return {
    settings,
    signal,
    authority: '0123456789abcdef01234568' as Id,
    credentials,
    saved,
    async saveCredentials(renewed) {
      saved.push(renewed);
    },
    originsAtConsent: async () => [],
  };
}

async function fetchAll(connector: OauthPullConnector, access: ConnectorAccess, mark: string | null = null) {
  const items: StatementItem[] = [];
  let last = mark;
  for await (const page of connector.fetchSince(access, { mark })) {
    items.push(...page.items);
    last = page.mark;
  }
  return { items, mark: last };
}

const failureKind = (task: Promise<unknown>): Promise<string> =>
  task.then(
    () => 'no failure',
    (error: unknown) => (error instanceof ConnectorFailure ? error.kind : String(error)),
  );

describe('consent', () => {
  test('a customer consents, accounts are listed, and everything since the last mark is fetched once', async () => {
    const { clock, connector, settings } = await connect();
    const { completed } = await consent(connector, settings);
    expect(completed.expiresAt).toBe(Date.parse('2027-02-13T12:00:00Z'));
    const access = accessWith(settings, completed.credentials);
    expect(await connector.listAccounts(access)).toEqual([
      { kind: 'account', number: 'CH4508999000000002102', name: 'Current account EUR', currency: 'EUR' },
      { kind: 'depository', number: 'SB-2102-D', name: 'Custody account', currency: null },
    ]);
    const first = await fetchAll(connector, access);
    expect(new Set(first.items.map(({ item }) => item))).toEqual(
      new Set(['price', 'fx-rate', 'entry', 'balance', 'position']),
    );
    expect(first.items.map(({ place }) => place.line)).toEqual(first.items.map((_item, index) => index + 1));
    expect(first.items.at(-1)).toMatchObject({
      item: 'position',
      date: '2026-11-14',
      account: { number: 'SB-2102-D' },
    });
    expect((await fetchAll(connector, access, first.mark)).items).toEqual([]);
    clock.advance(24 * hourMs);
    const renewed = accessWith(settings, completed.credentials);
    const next = await fetchAll(connector, renewed, first.mark);
    expect(new Set(next.items.map(({ statedAt }) => statedAt))).toEqual(new Set(['2026-11-15T23:30:00Z']));
    expect(renewed.saved).toHaveLength(1);
  });

  test('a code is good once, and for the flow that asked for it', async () => {
    const { connector, settings } = await connect();
    const { complete } = await consent(connector, settings);
    expect(await failureKind(connector.completeConsent(complete))).toBe('consent-refused');
    const other = await connector.beginConsent({ settings, signal, state: 'state of another flow', callbackUrl });
    expect(await failureKind(connector.completeConsent({ ...complete, pending: other.pending }))).not.toBe(
      'no failure',
    );
  });

  test('a customer who declines is told apart from a custodian that is away', async () => {
    const { connector, settings, custodian } = await connect();
    expect(await failureKind(consent(connector, settings, 'deny'))).toBe('consent-refused');
    custodian.setOutage('sonnenberg', 'errors');
    expect(await failureKind(consent(connector, settings))).toBe('unavailable');
  });

  test('after it was revoked, access is broken', async () => {
    const { connector, settings } = await connect();
    const access = accessWith(settings, (await consent(connector, settings)).completed.credentials);
    await connector.revoke(access);
    expect(await failureKind(fetchAll(connector, access))).toBe('credentials-broken');
  });
});

describe('outages', () => {
  test.each([
    ['errors', 'unavailable'],
    ['silence', 'unavailable'],
    ['garbage', 'invalid-answer'],
    ['endless', 'invalid-answer'],
    ['redirect', 'unavailable'],
    ['expired-consent', 'credentials-broken'],
  ] as const)('%s of the custodian: %s', async (outage, kind) => {
    expect(outages).toContain(outage);
    const { clock, connector, settings, custodian } = await connect();
    const access = accessWith(settings, (await consent(connector, settings)).completed.credentials);
    custodian.setOutage('sonnenberg', outage);
    // Silence is noticed by the deadline alone.
    const asking = outage === 'silence' ? makeConnector(clock, { timeoutMs: 100 }) : connector;
    expect(await failureKind(fetchAll(asking, access))).toBe(kind);
    custodian.setOutage('sonnenberg', 'none');
    expect((await fetchAll(connector, access)).items.length).toBeGreaterThan(0);
  });

  test('outside development, private addresses are called neither for tokens nor for data', async () => {
    const { connector, settings } = await connect();
    const credentials = (await consent(connector, settings)).completed.credentials;
    const strict = await connect({ allowPrivate: false });
    expect(await failureKind(fetchAll(strict.connector, accessWith(settings, credentials)))).toBe('unavailable');
    expect(await failureKind(consent(strict.connector, settings))).not.toBe('no failure');
  });
});

test('an item that cannot be understood is a problem with its line, and harms no other', () => {
  expect(readCustodianItem({ item: 'price', date: '2026-02-30' } as never, 7)).toEqual({
    item: 'problem',
    place: { line: 7 },
    detail: 'series must be one of price, net-asset-value, interest-rate, index-factor.',
  });
  expect(readCustodianItem('x', 8)).toMatchObject({ item: 'problem', detail: 'An item must be an object.' });
});
