// Requests that meet others at every try: they are refused with Retry-After, and the operator is told why.

import { expect, test } from 'vitest';
import { runSql } from '../../setup/database/sql.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';

const service = serviceForThisFile();

test.each([
  ['a conflict with other transactions', '40001'],
  ['a key that is always taken', '23505'],
])(
  '%s that never ends: 503 with Retry-After, nothing is changed, and the cause is logged as an error',
  async (_what, code) => {
    await runSql(
      service.database,
      `CREATE OR REPLACE FUNCTION meet() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'met another' USING ERRCODE = '${code}'; END $$;
     CREATE TRIGGER meet BEFORE INSERT ON client FOR EACH ROW EXECUTE FUNCTION meet()`,
    );
    const reply = await service.admin.post('/v1/clients', { name: 'Never' }, { 'x-request-id': `met-${code}` });
    await runSql(service.database, 'DROP TRIGGER meet ON client');
    expect([reply.status, reply.headers.get('retry-after'), reply.body.code]).toEqual([503, '2', 'records-busy']);
    expect(await runSql(service.database, `SELECT FROM client WHERE name = 'Never'`)).toEqual([]);
    const lines = service.log.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
    const [line] = lines.filter(({ requestId }) => requestId === `met-${code}`);
    expect(line).toMatchObject({ level: 50, msg: 'a transaction ran out of tries', error: { code } });
    expect((await service.admin.post('/v1/clients', { name: 'Later' })).status).toBe(201);
  },
);
