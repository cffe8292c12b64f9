// Announcing the holdings of a large reporting entity, whose changes take several statements.

import { expect, test } from 'vitest';
import { tenantOf } from '../../../tests/setup/events/event-source.ts';
import { makeRoundHousehold } from '../../../tests/setup/limits/round-household.ts';
import { runSql } from '../../../tests/setup/database/sql.ts';
import { serviceForThisFile } from '../../../tests/setup/node/test-service.ts';
import type { Id } from '../../kit/id.ts';
import type { TakenRound } from '../../store/queues/round-queue.ts';
import { openReadWork, runInTransaction, serviceAuthor } from '../core/work.ts';
import { emitHoldingChanges } from './round-events.ts';
import type { HoldingChange } from './round-outcome.ts';

const service = serviceForThisFile();
/** More than are written at once, and more than are read at once. */
const count = 5_001;

test('thousands of holdings are announced in order and all kept, then all forgotten when they are sold', async () => {
  const admin = await service.openWorkspace();
  const { client, reportingEntity } = await makeRoundHousehold(admin);
  const author = serviceAuthor(await tenantOf(admin));
  const entity = reportingEntity as Id;
  const round: TakenRound = { id: client as Id, client: client as Id, attempts: 1, causes: [] };
  const changes = (isHeld: boolean): HoldingChange[] =>
    Array.from({ length: count }, (_none, number) => ({
      reportingEntity: entity,
      instrument: `instrument ${number}`,
      quantity: isHeld ? `${number}.000000000000000001` : '0',
      marketValue: isHeld ? '123456789012345678901234567890' : '0',
      isHeld,
      object: { number },
      previous: {},
    }));
  const announce = (isHeld: boolean): Promise<void> =>
    runInTransaction(service.context, author, (work) => emitHoldingChanges(work, round, changes(isHeld)));
  const listKept = () =>
    openReadWork(service.context, author).store.announcedHoldings.listFigures({
      client: client as Id,
      reportingEntity: entity,
    });

  await announce(true);
  const kept = await listKept();
  expect(kept.size).toBe(count);
  expect(kept.get('instrument 7')).toEqual({
    quantity: '7.000000000000000001',
    marketValue: '123456789012345678901234567890',
  });
  await announce(false);
  expect((await listKept()).size).toBe(0);
  const written = await runSql<{ number: number }>(
    service.database,
    `SELECT (data->'object'->>'number')::int AS number FROM event WHERE client_id = $1 AND type = 'holding.valued' ORDER BY id`,
    [client],
  );
  const once = Array.from({ length: count }, (_none, number) => number);
  expect(written.map(({ number }) => number)).toEqual([...once, ...once]);
});
