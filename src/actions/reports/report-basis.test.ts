// Report inputs of a client on a real database: they contain what was booked on any node, stay cached while nothing changes, and
// show an earlier moment on request.

import { findBuiltInInstrument } from '../../model/instrument/built-in.ts';
import { moneyInstrumentId, unidentifiedInstrument } from '../../model/instrument/built-in-id.ts';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fromFixed } from '../../kit/fixed.ts';
import type { Id } from '../../kit/id.ts';
import { allClients } from '../../model/access/scope.ts';
import { holdings } from '../../engine/history/holdings.ts';
import type { Caller } from '../../../tests/setup/http/caller.ts';
import {
  book,
  bookedId,
  makeLedgerHousehold,
  type LedgerHousehold,
} from '../../../tests/setup/ledger/ledger-household.ts';
import { serviceForThisFile, startTestService, type TestService } from '../../../tests/setup/node/test-service.ts';
import { makeRecord } from '../../../tests/setup/structure/structure-document.ts';
import { openReadWork, type Work } from '../core/work.ts';
import { loadReportBasis, computeReport, heldTypeOf, type ReportBasis } from './report-basis.ts';
import { latestDay } from './latest-day.ts';
import type { VersionedInstrument } from './inputs/market-data-cache.ts';
import { Database } from '../../store/postgres/database.ts';

const service = serviceForThisFile();
let admin: Caller;
let household: LedgerHousehold;
let entity: string;

function workOnNode(node: TestService): Work {
  const scope = {
    workspaceId: service.first.workspaceId as Id,
    environment: 'production' as const,
    visibleClients: allClients,
    credentialId: null,
  };
  return openReadWork(node.context, { scope, subject: null, rights: new Set(['read']), requestId: null });
}

function basisOn(node: TestService, knownAt?: number): Promise<ReportBasis> {
  return loadReportBasis(workOnNode(node), entity, { knownAt });
}

/** Lists the holdings, cash first: instrument, units, value. */
function holdingLines(basis: ReportBasis): string[] {
  const { history, places, instruments } = basis;
  const lines = holdings(history, { day: latestDay(basis), covers: places.covers }).map(
    ({ instrument, quantity, marketValue }) => {
      const name = (instruments.get(instrument)?.instrument ?? findBuiltInInstrument(instrument))?.name;
      return `${name}: ${fromFixed(quantity)} worth ${fromFixed(marketValue)}`;
    },
  );
  return lines.toSorted((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1));
}

function buy(fields: object): Promise<string> {
  const frame = { type: 'buy', account_id: household.account, instrument_id: household.stock, date: '2026-01-05' };
  return book(admin, 'v1', { ...frame, ...fields }).then(bookedId);
}

const moments: { at: number; held: string[] }[] = [];

/** Expects the same holdings from both nodes, and later as known at this moment. */
async function expectHeld(other: TestService, held: string[]): Promise<void> {
  expect(holdingLines(await basisOn(service))).toEqual(held);
  expect(holdingLines(await basisOn(other))).toEqual(held);
  moments.push({ at: service.clock.now(), held });
  service.clock.advance(1_000);
}

beforeAll(async () => {
  admin = service.admin;
  household = await makeLedgerHousehold(admin);
  await admin.patch(`/v1/clients/${household.client}`, { reference_currency: 'CHF' });
  entity = await makeRecord(admin, 'reporting-entities', { client_id: household.client, name: 'All' });
  await makeRecord(admin, 'portfolios', {
    reporting_entity_id: entity,
    account_ids: [household.account, household.euros],
  });
});

describe('report inputs', () => {
  test('contain what was booked on any node, and what was known at each moment', async () => {
    const other = await startTestService({ database: service.database, clock: service.clock });
    onTestFinished(() => other.stop());
    await expectHeld(other, []);
    await book(admin, 'v1', { type: 'deposit', account_id: household.account, date: '2026-01-02', amount: '10000' });
    await expectHeld(other, ['Cash CHF: 10000 worth 10000']);
    const first = await buy({ quantity: '10', price: '90', amount: '-900' });
    await expectHeld(other, ['Cash CHF: 9100 worth 9100', 'Novartis AG: 10 worth 900']);
    await admin.post(`/v1/instruments/${household.stock}/prices`, { date: '2026-01-06', value: '95.5' });
    await expectHeld(other, ['Cash CHF: 9100 worth 9100', 'Novartis AG: 10 worth 955']);
    await admin.patch(`/v1/transactions/${first}`, { quantity: '20', amount: '-1800' });
    await expectHeld(other, ['Cash CHF: 8200 worth 8200', 'Novartis AG: 20 worth 1910']);
    await admin.post('/v1/fx-rates', { base: 'EUR', quote: 'CHF', date: '2026-01-01', rate: '0.94' });
    await book(admin, 'v1', { type: 'deposit', account_id: household.euros, date: '2026-01-07', amount: '100' });
    await expectHeld(other, ['Cash CHF: 8200 worth 8200', 'Cash EUR: 100 worth 94', 'Novartis AG: 20 worth 1910']);
    await admin.post('/v1/fx-rates', { base: 'EUR', quote: 'CHF', date: '2026-01-01', rate: '0.95' });
    await expectHeld(other, ['Cash CHF: 8200 worth 8200', 'Cash EUR: 100 worth 95', 'Novartis AG: 20 worth 1910']);
    await admin.patch(`/v1/accounts/${household.euros}`, { exclude_from_reporting: true });
    await expectHeld(other, ['Cash CHF: 8200 worth 8200', 'Novartis AG: 20 worth 1910']);
    await admin.delete(`/v1/transactions/${first}`);
    await expectHeld(other, ['Cash CHF: 10000 worth 10000']);
    await admin.post('/v1/historical-holdings', {
      kind: 'account',
      account_id: household.account,
      date: '2026-01-08',
      market_value: '12000',
    });
    await expectHeld(other, ['Cash CHF: 12000 worth 12000']);
    for (const { at, held } of moments) expect(holdingLines(await basisOn(other, at))).toEqual(held);
  });

  test('stay the same object until something changes', async () => {
    const [one, two] = [await basisOn(service), await basisOn(service)];
    expect(two.history).toBe(one.history);
    expect(two.ledgerVersion).toBe(one.ledgerVersion);
    await buy({ quantity: '1', price: '90', amount: '-90', date: '2026-01-09' });
    const three = await basisOn(service);
    expect(three.history).not.toBe(one.history);
    expect(three.ledgerVersion).not.toBe(one.ledgerVersion);
  });

  test('are checked in one batch while nothing has changed', async () => {
    await basisOn(service);
    const snapshotReads = vi.spyOn(Database.prototype, 'readSnapshot');
    const plainReads = vi.spyOn(Database.prototype, 'read');
    onTestFinished(() => void vi.restoreAllMocks());
    const { ledgerVersion } = await basisOn(service);
    expect([snapshotReads.mock.calls.length, plainReads.mock.calls.length]).toEqual([0, 1]);
    await buy({ quantity: '1', price: '90', amount: '-90', date: '2026-01-09' });
    expect((await basisOn(service)).ledgerVersion).not.toBe(ledgerVersion);
    expect(snapshotReads.mock.calls.length).toBe(1);
  });

  test('are the same, whether updated or rebuilt', async () => {
    const changes: (() => Promise<unknown>)[] = [
      () => buy({ quantity: '1', price: '90', amount: '-90', date: '2026-01-09' }),
      () => buy({ instrument_id: household.bond, quantity: '1000', price: '99', amount: '-990' }),
      () => admin.post(`/v1/instruments/${household.stock}/prices`, { date: '2026-01-10', value: '97' }),
      () => admin.patch(`/v1/instruments/${household.stock}`, { name: 'Novartis' }),
      () => admin.post('/v1/fx-rates', { base: 'EUR', quote: 'CHF', date: '2026-01-02', rate: '0.96' }),
      () => admin.patch(`/v1/accounts/${household.euros}`, { exclude_from_reporting: false }),
      () => makeRecord(admin, 'accounts', { entity_id: household.legalEntity, currency: 'CHF', name: 'Third' }),
      () =>
        admin.post('/v1/historical-holdings', {
          kind: 'account',
          account_id: household.savings,
          date: '2026-01-08',
          market_value: '7',
        }),
    ];
    for (const change of changes) {
      await change();
      service.clock.advance(1_000);
      const changed = await basisOn(service);
      const other = await startTestService({ database: service.database, clock: service.clock });
      const rebuilt = await basisOn(other).finally(() => other.stop());
      expect([changed.ledgerVersion, holdingLines(changed)]).toEqual([rebuilt.ledgerVersion, holdingLines(rebuilt)]);
    }
  });

  test('that change during a report cause a second attempt, and errors of the first are ignored', async () => {
    const computedFrom: ReportBasis[] = [];
    const made = computeReport(workOnNode(service), entity, {}, (basis) => {
      computedFrom.push(basis);
      if (computedFrom.length === 1) throw new Error('outdated inputs');
      return holdingLines(basis);
    });
    await expect(made).rejects.toThrow('outdated inputs');
    expect(computedFrom.length).toBe(1);
    await buy({ quantity: '1', price: '90', amount: '-90', date: '2026-01-09' });
    computedFrom.length = 0;
    const again = await computeReport(workOnNode(service), entity, {}, (basis) => {
      computedFrom.push(basis);
      if (computedFrom.length === 1) throw new Error('outdated inputs');
      return basis;
    });
    expect(computedFrom.length).toBe(2);
    expect(again.ledgerVersion).not.toBe(computedFrom[0]!.ledgerVersion);
  });

  test('name the transactions that opened lots', async () => {
    const id = await buy({ instrument_id: household.target, quantity: '3', price: '10', amount: '-30' });
    const basis = await basisOn(service);
    const { history, places, findTransactionIds } = basis;
    const day = latestDay(basis);
    const held = holdings(history, { day, covers: places.covers }).find(
      ({ instrument }) => instrument === household.target,
    )!;
    const [lot] = history.lots(held.position, day).lots;
    expect(findTransactionIds([lot!.row]).get(lot!.row)).toBe(id);
  });
});

test.each([
  ['own', 'stock-instrument'],
  [moneyInstrumentId({ kind: 'cash', currency: 'CHF' }), 'cash-instrument'],
  [moneyInstrumentId({ kind: 'fees-owed', currency: 'CHF' }), 'fees-owed-instrument'],
  [unidentifiedInstrument, 'unidentified-instrument'],
  // A clock that was set back lets a trade be known before its instrument.
  ['not known yet', 'unidentified-instrument'],
])('what is held as %s has the type %s', (id, type) => {
  const own = { instrument: { type: 'stock-instrument' } } as VersionedInstrument;
  expect(heldTypeOf(id, { instruments: new Map([['own', own]]) })).toBe(type);
});
