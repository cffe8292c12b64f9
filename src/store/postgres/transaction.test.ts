// Tests transactions: enqueued statements are committed with them or not at all, conflicts are retried, and snapshots show one moment.

import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { tenantsDatabaseForThisFile } from '../../../tests/setup/database/tenants-database.ts';
import { runSql } from '../../../tests/setup/database/sql.ts';
import { scopeOf, tenants, recordsOf, type TestTenant } from '../../../tests/setup/database/tenants.ts';
import { Database } from './database.ts';
import type { Run } from './statement-runner.ts';
import { sql } from './statement.ts';
import { Store } from '../store.ts';
import { Stores } from '../stores.ts';

const [here] = tenants as [TestTenant];

const seeded = tenantsDatabaseForThisFile({ poolSize: 2 });
const openDatabase = seeded.open;

const fail = sql('fail', 'SELECT 1/0');
const look = sql('look', 'SELECT FROM client');
const rename = sql('rename', 'UPDATE client SET name = $1 WHERE id = $2');

/** Inserts a custodian with this name. */
const insertCustodian = sql('insert-custodian', 'INSERT INTO custodian VALUES ($1, $2, $3, $3, $3, now())');

function inserting(name: string): [typeof insertCustodian, string[]] {
  return [insertCustodian, [here.workspaceId, here.environment, name]];
}

/** Lists those of the names whose custodians were committed. */
async function namesOf(...names: string[]): Promise<string[]> {
  const text = 'SELECT name FROM custodian WHERE name = ANY ($1) ORDER BY name';
  return (await runSql<{ name: string }>(seeded.database, text, [names])).map(({ name }) => name);
}

test('a statement that waits while its transaction fails is never sent', async () => {
  const opened = openDatabase({ poolSize: 1 });
  const busy = sql('busy', 'SELECT count(*) FROM generate_series(1, 200000)');
  const failed = opened.write(scopeOf(here), async (run) => {
    await run(look, []);
    const first = run(busy, []);
    await Promise.resolve(); // the first is on its way
    run(...inserting('too late')).catch(() => {});
    first.catch(() => {});
    throw new Error('given up');
  });
  await expect(failed).rejects.toThrow('given up');
  await opened.write(scopeOf(here), async (run) => void (await run(look, [])));
  expect(await namesOf('too late')).toEqual([]);
});

describe('retries', () => {
  test('two transactions that deadlock both complete', async () => {
    const connection = { connectionString: seeded.database.url, options: '-c deadlock_timeout=20ms' };
    const opened = openDatabase({ connection });
    const { root, other } = here.clients;
    let tries = 0;
    let arrived = 0;
    const bothReady = Promise.withResolvers<void>();
    const both = [
      [root, other],
      [other, root],
    ].map((order) =>
      opened.write(scopeOf(here), async (run) => {
        tries++;
        await run(rename, ['first', order[0]!]);
        if (++arrived === 2) bothReady.resolve();
        await bothReady.promise;
        await run(rename, ['second', order[1]!]);
      }),
    );
    await Promise.all(both);
    // Usually three: on a busy machine, the one that is tried again may come before the one that waits.
    expect(tries).toBeGreaterThanOrEqual(3);
  });

  test('two transactions create the same custodian: the slower one finds it', async () => {
    const opened = openDatabase();
    let tries = 0;
    const bothReady = Promise.withResolvers<void>();
    const findOrCreate = (): Promise<string> =>
      opened.write(scopeOf(here), async (run) => {
        const { count } = await run(sql('find-custodian', `SELECT FROM custodian WHERE id = 'new'`), []);
        if (++tries === 2) bothReady.resolve();
        await bothReady.promise;
        if (count > 0) return 'found';
        await run(...inserting('new'));
        return 'created';
      });
    expect((await Promise.all([findOrCreate(), findOrCreate()])).toSorted()).toEqual(['created', 'found']);
    expect(tries).toBe(3);
  });

  test('a link to a record that was just deleted: the next attempt sees the deletion', async () => {
    const opened = openDatabase();
    const entity = [here.workspaceId, here.environment, 'passing', here.clients.root];
    await runSql(seeded.database, `INSERT INTO legal_entity VALUES ($1, $2, $3, $4, 'Passing', now())`, entity);
    const seen: number[] = [];
    const linked = opened.write(scopeOf(here), async (run) => {
      const { count } = await run(sql('passing', `SELECT FROM legal_entity WHERE id = 'passing'`), []);
      seen.push(count);
      await runSql(seeded.database, `DELETE FROM legal_entity WHERE id = 'passing'`);
      const link = `INSERT INTO depository VALUES ($1, $2, 'linked', $4, $3, 'Linked', NULL, now())`;
      return count === 0 ? 'gone' : run(sql('link', link), entity);
    });
    expect(await linked).toBe('gone');
    expect(seen).toEqual([1, 0]);
  });

  const strangerId = recordsOf(here, 'other').legalEntity;
  test.each([
    ['23505', 'a duplicate key', `INSERT INTO custodian SELECT * FROM custodian`],
    ['23503', 'a key without a target', `UPDATE account SET legal_entity_id = '${strangerId}'`],
  ])('%s, %s, is tried five times and then refused, in a statement or with the commit', async (code, _what, text) => {
    let tries = 0;
    const violate = sql(code, text);
    const opened = openDatabase();
    const atOnce = opened.write(scopeOf(here), (run) => (tries++, run(violate, [])));
    const refusal = { code: 'records-busy', retryAfterSeconds: 2, cause: { code } };
    await expect(atOnce).rejects.toMatchObject(refusal);
    expect(tries).toBe(5);
    const withCommit = opened.write(scopeOf(here), async (run) => (tries++, run.enqueue(violate, [])));
    await expect(withCommit).rejects.toMatchObject(refusal);
    expect(tries).toBe(10);
  });

  test('other errors are not retried: a fault of the statement is reported at once', async () => {
    let tries = 0;
    const failed = openDatabase().write(scopeOf(here), (run) => (tries++, run(fail, [])));
    await expect(failed).rejects.toMatchObject({ code: '22012' });
    expect(tries).toBe(1);
  });

  test('what the server does not support is not retried', async () => {
    const unsupported = sql('unsupported', 'DO $$ BEGIN RAISE feature_not_supported; END $$');
    let tries = 0;
    const failed = openDatabase().write(scopeOf(here), (run) => (tries++, run(unsupported, [])));
    await expect(failed).rejects.toMatchObject({ code: '0A000' });
    expect(tries).toBe(1);
  });

  test('a statement prepared before its table changed is retried', async () => {
    const opened = openDatabase({ poolSize: 1 });
    await runSql(seeded.database, 'CREATE TABLE note AS SELECT 1 AS a; GRANT SELECT ON note TO holdfast_service');
    const all = sql('all', 'SELECT * FROM note');
    expect((await opened.read(scopeOf(here), all, [])).rows).toEqual([{ a: 1 }]);
    await runSql(seeded.database, 'ALTER TABLE note ADD b int DEFAULT 2');
    expect((await opened.read(scopeOf(here), all, [])).rows).toEqual([{ a: 1, b: 2 }]);
    await runSql(seeded.database, 'ALTER TABLE note ADD c int DEFAULT 3');
    expect((await opened.write(scopeOf(here), (run) => run(all, []))).rows).toEqual([{ a: 1, b: 2, c: 3 }]);
    await runSql(seeded.database, 'DROP TABLE note');
  });
});

test('a transaction with a failed statement is never reported as committed', async () => {
  const overlooked = openDatabase().write(scopeOf(here), async (run) => {
    await run(rename, ['lost', here.clients.root]);
    await run(fail, []).catch(() => {});
  });
  await expect(overlooked).rejects.toThrow('division by zero');
});

/** Opens a database with one connection, and counts its round trips. */
function openCounted(): { opened: Database; countBatches: () => number } {
  let batches = 0;
  class Counted extends pg.Client {
    override query(...requests: any[]): any {
      batches++;
      return super.query(...(requests as [any]));
    }
  }
  const connection = { connectionString: seeded.database.url, Client: Counted };
  return { opened: openDatabase({ connection, poolSize: 1 }), countBatches: () => batches };
}

describe('a statement that goes ahead', () => {
  const awaitLock = sql('await-lock', 'SELECT pg_advisory_xact_lock(29)');
  const goingAhead = (name: string): [typeof insertCustodian, string[]] => {
    const [statement, values] = inserting(name);
    return [{ ...statement, goesAhead: true }, values];
  };

  /** Begins a transaction whose first statement runs until the lock is given back. */
  async function whileFirstRuns(
    work: (run: Run, first: Promise<unknown>, unlock: () => Promise<unknown>) => Promise<unknown>,
    opened: Database,
  ): Promise<void> {
    const other = new pg.Client({ connectionString: seeded.database.url });
    await other.connect();
    try {
      await other.query('SELECT pg_advisory_lock(29)');
      const unlock = (): Promise<unknown> => other.query('SELECT pg_advisory_unlock(29)');
      await opened.write(scopeOf(here), async (run) => {
        await run(look, []);
        const first = run(awaitLock, []);
        await setImmediate();
        await work(run, first, unlock);
      });
    } finally {
      await other.end();
    }
  }

  test('is sent while the one before runs, alone and before what follows it', async () => {
    const { opened, countBatches } = openCounted();
    await whileFirstRuns(async (run, first, unlock) => {
      const before = countBatches();
      const second = run(...goingAhead('ahead'));
      await setImmediate();
      const third = run(...goingAhead('not ahead of two'));
      const last = run(sql('of-both', `SELECT name FROM custodian WHERE name LIKE '%ahead%' ORDER BY name`), []);
      await setImmediate();
      expect(countBatches() - before).toBe(1);
      await unlock();
      const [, { count }, , { rows }] = await Promise.all([first, second, third, last]);
      expect([count, rows]).toEqual([1, [{ name: 'ahead' }, { name: 'not ahead of two' }]]);
      expect(countBatches() - before).toBe(2);
    }, opened);
    expect(await namesOf('ahead', 'not ahead of two')).toEqual(['ahead', 'not ahead of two']);
  });

  test('fails with the one before, for the same reason, and the connection goes on', async () => {
    const { opened } = openCounted();
    const failing = whileFirstRuns(async (run, first, unlock) => {
      const second = Promise.allSettled([run({ ...fail, goesAhead: true }, [])]);
      await setImmediate();
      await unlock();
      await first;
      const third = Promise.allSettled([run(...goingAhead('in vain'))]);
      const reasons = [...(await second), ...(await third)];
      throw new Error(reasons.map((one) => (one.status === 'rejected' ? one.reason.message : 'written')).join());
    }, opened);
    await expect(failing).rejects.toThrow('division by zero,division by zero');
    await opened.write(scopeOf(here), async (run) => void (await run(...inserting('afterwards'))));
    expect(await namesOf('in vain', 'afterwards')).toEqual(['afterwards']);
  });
});

describe('an enqueued statement', () => {
  test('is sent before the next statement, in the same batch', async () => {
    const { opened, countBatches } = openCounted();
    const seen = await opened.write(scopeOf(here), async (run) => {
      run.enqueue(...inserting('a'));
      run.enqueue(sql('longer', `UPDATE custodian SET name = 'ab' WHERE id = 'a'`), []);
      const before = countBatches();
      const { rows } = await run(sql('of-a', `SELECT name FROM custodian WHERE id = 'a'`), []);
      return { rows, trips: countBatches() - before };
    });
    expect(seen).toEqual({ rows: [{ name: 'ab' }], trips: 1 });
    expect(await namesOf('a', 'ab')).toEqual(['ab']);
  });

  test('and statements issued together share a batch, in their order', async () => {
    const { opened, countBatches } = openCounted();
    const seen = await opened.write(scopeOf(here), async (run) => {
      const before = countBatches();
      const name = sql<{ name: string }>('of-l', `SELECT name FROM custodian WHERE id = 'l'`);
      run.enqueue(...inserting('l'));
      const first = run(name, []);
      run.enqueue(sql('longest', `UPDATE custodian SET name = 'll' WHERE id = 'l'`), []);
      const outcomes = await Promise.all([first, run({ ...name, plan: 'set-wise' }, []), run(look, [])]);
      return [outcomes.slice(0, 2).map(({ rows }) => rows), countBatches() - before];
    });
    expect(seen).toEqual([[[{ name: 'l' }], [{ name: 'll' }]], 1]);
  });

  test('fails the whole batch if one statement of it fails', async () => {
    const { opened } = openCounted();
    const failing = opened.write(scopeOf(here), async (run) => {
      const outcomes = await Promise.allSettled([run(look, []), run(fail, []), run(look, [])]);
      throw new Error(outcomes.map(({ status }) => status).join());
    });
    await expect(failing).rejects.toThrow('rejected,rejected,rejected');
  });

  test('is sent with the commit if nothing else is sent', async () => {
    const { opened, countBatches } = openCounted();
    await opened.ping();
    const before = countBatches();
    await opened.write(scopeOf(here), async (run) => run.enqueue(...inserting('b')));
    expect(countBatches() - before).toBe(2);
    expect(await namesOf('b')).toEqual(['b']);
  });

  const endings: [what: string, word: string, work: (run: Run) => Promise<unknown>][] = [
    ['abandoned work', 'c', () => Promise.reject(new Error('given up'))],
    ['work with a failed statement', 'd', (run) => run(fail, [])],
    ['work that failed later', 'e', async (run) => run.enqueue(fail, [])],
    ['work that failed later, in the next batch', 'f', async (run) => (run.enqueue(fail, []), run(look, []))],
  ];

  test.each(endings)('is dropped with %s and not passed on to the next transaction', async (_what, word, end) => {
    const { opened } = openCounted();
    const failing = opened.write(scopeOf(here), async (run) => {
      await run(...inserting(`${word} sent`));
      run.enqueue(...inserting(word));
      await end(run);
    });
    await expect(failing).rejects.toThrow(/given up|division by zero/);
    await opened.write(scopeOf(here), async (run) => run.enqueue(...inserting(`${word} next`)));
    expect(await namesOf(word, `${word} sent`, `${word} next`)).toEqual([`${word} next`]);
  });

  test('is enqueued again when the work is retried', async () => {
    let tries = 0;
    await openDatabase().write(scopeOf(here), async (run) => {
      run.enqueue(...inserting(`try ${++tries}`));
      if (tries === 1) throw Object.assign(new Error('a conflict'), { code: '40001' });
    });
    expect(await namesOf('try 1', 'try 2')).toEqual(['try 2']);
  });

  test('can be discarded', async () => {
    await openDatabase().write(scopeOf(here), async (run) => {
      run.enqueue(...inserting('g'));
      run.discardQueued();
      run.enqueue(...inserting('h'));
    });
    expect(await namesOf('g', 'h')).toEqual(['h']);
  });

  test('in a failed attempt is dropped with all changes of the attempt, and the transaction continues', async () => {
    const outcomes = await openDatabase().write(scopeOf(here), async (run) => {
      const store = new Store({ scope: scopeOf(here), run });
      const attempt = (word: string, end: () => Promise<unknown>): Promise<string> =>
        store.attempt(
          async () => {
            await run(...inserting(`${word} sent`));
            run.enqueue(...inserting(`${word} later`));
            await end();
            return 'done';
          },
          (error) => (error as Error).message,
        );
      run.enqueue(...inserting('before'));
      const failed = await attempt('i', () => run(fail, []));
      const givenUp = await attempt('j', async () => {
        run.enqueue(fail, []);
        throw new Error('given up');
      });
      const done = await attempt('k', async () => {});
      run.enqueue(...inserting('after'));
      return [failed, givenUp, done];
    });
    expect(outcomes).toEqual(['division by zero', 'given up', 'done']);
    const words = ['i', 'j', 'k'].flatMap((word) => [`${word} sent`, `${word} later`]);
    expect(await namesOf('before', 'after', ...words)).toEqual(['after', 'before', 'k later', 'k sent']);
  });

  test('is rejected by a read-only store', () => {
    const { run } = new Stores(openDatabase()).forReading({ scope: scopeOf(here) });
    expect(() => run.enqueue(...inserting('l'))).toThrow('A store for reading cannot enqueue statements.');
  });
});

describe('reads in a snapshot', () => {
  const { other } = here.clients;
  const name = sql<{ name: string }>('name', 'SELECT name FROM client WHERE id = $1');

  test('do not see what is committed in between', async () => {
    const opened = openDatabase();
    await opened.write(scopeOf(here), (run) => run(rename, ['then', other]));
    const seen = await opened.readSnapshot(scopeOf(here), async (run) => {
      const first = await run(name, [other]);
      await opened.write(scopeOf(here), (writing) => writing(rename, ['now', other]));
      return [first, await run(name, [other]), await opened.read(scopeOf(here), name, [other])];
    });
    expect(seen.map(({ rows }) => rows[0]!.name)).toEqual(['then', 'then', 'now']);
  });

  test.each<[string, (run: Run) => Promise<unknown>]>([
    ['at once', (run) => run(rename, ['never', other])],
    ['later', async (run) => run.enqueue(rename, ['never', other])],
  ])('cannot write, %s', async (_when, work) => {
    const opened = openDatabase();
    await expect(opened.readSnapshot(scopeOf(here), work)).rejects.toMatchObject({ cause: { code: '25006' } });
    expect((await opened.read(scopeOf(here), name, [other])).rows).not.toEqual([{ name: 'never' }]);
  });
});

test('only the statements that say so are planned without nested loops and JIT, or without sorting', async () => {
  const settings = `SELECT current_setting('enable_nestloop') AS "nestedLoops", current_setting('jit') AS jit, current_setting('enable_sort') AS sort`;
  const single = sql<Record<string, string>>('settings', settings);
  const [setWise, ordered, both] = [
    { ...sql<Record<string, string>>('set-wise', settings), plan: 'set-wise' as const },
    { ...sql<Record<string, string>>('ordered', settings), plan: 'index-order' as const },
    { ...sql<Record<string, string>>('both', settings), plan: 'set-wise-in-order' as const },
  ];
  const opened = openDatabase({ poolSize: 1 });
  const [before] = (await opened.read(scopeOf(here), single, [])).rows;
  expect(before).toMatchObject({ nestedLoops: 'on', sort: 'on' });
  expect((await opened.read(scopeOf(here), setWise, [])).rows).toEqual([
    { nestedLoops: 'off', jit: 'off', sort: 'on' },
  ]);
  expect((await opened.read(scopeOf(here), ordered, [])).rows).toEqual([{ ...before, sort: 'off' }]);
  const inOne = await opened.write(scopeOf(here), (run) =>
    Promise.all([setWise, single, ordered, both, single].map((statement) => run(statement, []))),
  );
  expect(inOne.map(({ rows: [row] }) => `${row?.['nestedLoops']} ${row?.['sort']}`)).toEqual([
    'off on',
    'on on',
    'on off',
    'off off',
    'on on',
  ]);
  expect((await opened.read(scopeOf(here), single, [])).rows).toEqual([before]);
});
