// Two payments of one day and amount are two, one payment in two statements is one, and what nothing proves waits for a person.

import { expect, test } from 'vitest';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
const iban = 'CH9300762011623852957';

async function setUp() {
  const admin = await service.openWorkspace();
  const { client, legalEntity } = await makeHousehold(admin, 'Amsel');
  const place = { entity_id: legalEntity, currency: 'CHF', external_identifier: iban };
  const account = await makeRecord(admin, 'accounts', place);
  const profile = await makeRecord(admin, 'import-profiles', {
    name: 'Card',
    content: 'transactions',
    columns: { date: ['Date'], amount: ['Amount'], comment: ['Text'], balance: ['Balance'] },
    constants: { currency: 'CHF' },
  });
  const send = async (file: string, query = 'book=true', format = ''): Promise<any> => {
    const path = `/v1/imports?client_id=${client}&account_id=${account}${format}&${query}`;
    const { status, body } = await admin.send(path, { method: 'POST', raw: file });
    expect({ status, body }).toMatchObject({ status: 201 });
    return body;
  };
  const act = async (id: string, verb: string): Promise<any> =>
    (await admin.send(`/v1/imports/${id}/${verb}`, { method: 'POST' })).body;
  return {
    admin,
    account,
    csv: (lines: readonly string[], query?: string) => send(csvOf(lines), query, `&profile=${profile}`),
    bring: send,
    act,
    decide: (id: string, body: unknown) => admin.post(`/v1/imports/${id}/decisions`, body),
    rows: async (id: string, query = ''): Promise<any[]> =>
      (await admin.get(`/v1/imports/${id}/rows?${query}`)).body.data,
    ledger: async (): Promise<string[]> =>
      (await admin.get(`/v1/transactions?account_id=${account}&limit=100`)).body.data
        .map(({ date, amount, comment }: any) => `${date} ${amount} ${comment}`)
        .toSorted(),
  };
}

/** `02 -4.50 Coffee`: the day of January 2026, the amount and the text, and the balance after it behind `=`. */
function csvOf(lines: readonly string[]): string {
  const cells = lines.map((line) => {
    const [, month, day, amount, text, balance = ''] = /^(?:(\d\d)-)?(\d\d) (\S+) (.*?)(?: =(\S+))?$/.exec(line)!;
    return `2026-${month ?? '01'}-${day},${amount},${text},${balance}`;
  });
  return ['Date,Amount,Text,Balance', ...cells, ''].join('\n');
}

/** Of one day: the opening balance, lines of `-4,50 Coffee`, and the closing balance. */
function mt940(
  opening: string,
  lines: readonly string[],
  closing: string,
  { number = 1, from = '260201' } = {},
): string {
  const fields = lines.flatMap((line) => {
    const [, sign, amount, text] = /^(-?)(\S+) (.*)$/.exec(line)!;
    return [`:61:2602020202${sign ? 'D' : 'C'}${amount}NMSCNONREF`, `:86:${text}`];
  });
  const head = [':20:X', `:25:${iban}`, `:28C:0000${number}/001`, `:60F:C${from}CHF${opening}`];
  return [...head, ...fields, `:62F:C260202CHF${closing}`, '-', ''].join('\r\n');
}

interface CamtOptions {
  readonly kind?: 'report' | 'statement';
  readonly opening?: string;
  readonly closing?: string;
}

/** Of 2 February 2026; each entry without a reference. */
function camt(entries: readonly string[], { kind = 'statement', opening, closing }: CamtOptions): string {
  const [outer, inner] = kind === 'report' ? ['BkToCstmrAcctRpt', 'Rpt'] : ['BkToCstmrStmt', 'Stmt'];
  const balance = (code: string, amount: string | undefined): string =>
    amount === undefined
      ? ''
      : `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="CHF">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-02-02</Dt></Dt></Bal>`;
  const lines = entries.map((line) => {
    const [, sign, amount, text] = /^(-?)(\S+) (.*)$/.exec(line)!;
    return `<Ntry><Amt Ccy="CHF">${amount}</Amt><CdtDbtInd>${sign ? 'DBIT' : 'CRDT'}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-02-02</Dt></BookgDt><AddtlNtryInf>${text}</AddtlNtryInf></Ntry>`;
  });
  return `<Document><${outer}><GrpHdr><MsgId>M</MsgId><CreDtTm>2026-02-02T${kind === 'report' ? '12' : '23'}:00:00Z</CreDtTm></GrpHdr><${inner}><Id>S-1</Id><Acct><Id><IBAN>${iban}</IBAN></Id></Acct>${balance('OPBD', opening)}${balance('CLBD', closing)}${lines.join('')}</${inner}></${outer}></Document>`;
}

const countsOf = ({ counts }: any): string =>
  Object.entries(counts)
    .filter(([name, count]) => name !== 'rows' && Number(count) > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');

test('a second payment of the same day and amount in another file is booked beside the first', async () => {
  const { csv, rows, ledger } = await setUp();
  expect(countsOf(await csv(['02 -4.50 Coffee']))).toBe('1 booked');
  const second = await csv(['02 -4.50 Parking']);
  expect(countsOf(second)).toBe('1 booked');
  expect((await rows(second.id))[0]).toMatchObject({ outcome: 'booked', code: 'equal-entry-booked' });
  expect(await ledger()).toEqual(['2026-01-02 -4.5 Coffee', '2026-01-02 -4.5 Parking']);
  for (const lines of [['02 -4.50 Coffee'], ['02 -4.50 Parking'], ['02 -4.50 Parking', '02 -4.50 Coffee']])
    expect(countsOf(await csv(lines))).toBe(`${lines.length} unchanged`);
  expect(await ledger()).toHaveLength(2);
});

test('exports of overlapping months book the days of both once, with all twins, in any order', async () => {
  const january = ['03 -4.50 Coffee', '16 -9.00 Lunch', '16 -9.00 Lunch', '20 -4.50 Coffee', '20 -4.50 Parking'];
  const later = ['16 -9.00 Lunch', '16 -9.00 Lunch', '20 -4.50 Parking', '20 -4.50 Coffee', '02-10 -4.50 Coffee'];
  for (const files of [
    [january, later],
    [later, january],
    [later, january, later],
  ]) {
    const { csv, ledger } = await setUp();
    const counts: string[] = [];
    for (const file of files) counts.push(countsOf(await csv(file)));
    expect(counts).toEqual(['5 booked', '1 booked, 4 unchanged', '5 unchanged'].slice(0, files.length));
    expect(await ledger()).toHaveLength(6);
  }
});

test.each([
  ['capitals', 'Coffee Zurich 4321', 'COFFEE ZURICH 4321'],
  ['a pending word', 'Reserved: Coffee Zurich', 'Coffee Zurich'],
  ['no text', 'Coffee', ''],
])('a text that may be another wording of the same payment (%s) needs a decision', async (_what, one, other) => {
  const { csv, rows, ledger, admin, account } = await setUp();
  await csv([`02 -4.50 ${one}`]);
  const second = await csv([`02 -4.50 ${other}`]);
  expect(countsOf(second)).toBe('1 needs');
  const [{ id }] = (await admin.get(`/v1/transactions?account_id=${account}`)).body.data;
  const [row] = await rows(second.id, 'needs=decision');
  expect(row).toMatchObject({ needs: 'decision', code: 'entry-doubtful', may_equal: { type: 'transaction', id } });
  expect(row.detail).toContain(`"${one}"`);
  expect(row.became).toBeUndefined();
  expect(await ledger()).toHaveLength(1);
});

test('a payment that the file has beside the doubtful one proves that this is another', async () => {
  const { csv, ledger } = await setUp();
  await csv(['02 -4.50 Coffee at the station']);
  expect(countsOf(await csv(['02 -4.50 Coffee at the office', '02 -4.50 Coffee at the station']))).toBe(
    '1 booked, 1 unchanged',
  );
  expect(await ledger()).toHaveLength(2);
});

test('what the end of a long file says counts for its beginning', async () => {
  const { csv } = await setUp();
  await csv(['02 -4.50 Coffee at the station']);
  const others = Array.from({ length: 1_200 }, (_, index) => `03 ${index + 1}.00 Sale`);
  expect(countsOf(await csv(['02 -4.50 Coffee at the office', ...others, '02 -4.50 Coffee at the station']))).toBe(
    '1201 booked, 1 unchanged',
  );
});

test('a person says that a row is another or the same, once for ever, and undoing leaves nothing', async () => {
  const { csv, decide, act, rows, ledger } = await setUp();
  await csv(['02 -4.50 Coffee A', '03 -7.00 Taxi A', '04 -8.00 Lunch A']);
  const doubtful = await csv(['02 -4.50 Coffee B', '03 -7.00 Taxi B', '04 -8.00 Lunch B', '05 -1.00 Bread']);
  expect(countsOf(doubtful)).toBe('1 booked, 3 needs');
  const answer = await decide(doubtful.id, { rows: [{ number: 1, decision: 'another' }], others: 'same' });
  expect(answer.status).toBe(200);
  expect((await rows(doubtful.id)).map(({ decision }) => decision)).toEqual(['another', 'same', 'same', undefined]);
  expect(countsOf(await act(doubtful.id, 'book'))).toBe('2 booked, 2 unchanged');
  expect((await rows(doubtful.id)).map(({ code }) => code)).toEqual([
    'equal-entry-booked',
    'decided-same',
    'decided-same',
    undefined,
  ]);
  expect(await ledger()).toHaveLength(5);
  // Both wordings are known now.
  expect(countsOf(await csv(['02 -4.50 Coffee B', '03 -7.00 Taxi B', '04 -8.00 Lunch A']))).toBe('3 unchanged');
  expect((await act(doubtful.id, 'undo')).undone).toMatchObject({ closed: 2 });
  expect(await ledger()).toEqual(['2026-01-02 -4.5 Coffee A', '2026-01-03 -7 Taxi A', '2026-01-04 -8 Lunch A']);
  expect(countsOf(await csv(['02 -4.50 Coffee B', '03 -7.00 Taxi B', '05 -1.00 Bread']))).toBe('1 booked, 2 needs');
});

test('decisions about a checked import count when it is booked, and can be changed until then', async () => {
  const { csv, decide, act, ledger } = await setUp();
  await csv(['02 -4.50 Coffee A']);
  const checked = await csv(['02 -4.50 Coffee B'], 'book=false');
  expect([checked.state, countsOf(checked)]).toEqual(['checked', '1 needs']);
  await decide(checked.id, { others: 'same' });
  await decide(checked.id, { rows: [{ number: 1, decision: 'another' }] });
  expect(countsOf(await act(checked.id, 'book'))).toBe('1 booked');
  expect(await ledger()).toEqual(['2026-01-02 -4.5 Coffee A', '2026-01-02 -4.5 Coffee B']);
});

test('rows that need no decision, and imports that cannot be booked, take none', async () => {
  const { csv, decide, act } = await setUp();
  const plain = await csv(['02 -4.50 Coffee A', '03 -5.00 Bread']);
  const { status, body } = await decide(plain.id, { rows: [{ number: 2, decision: 'same' }] });
  expect([status, body.errors[0].code, body.errors[0].pointer]).toEqual([422, 'invalid-attribute', '/rows/0/number']);
  await act(plain.id, 'undo');
  expect((await decide(plain.id, { others: 'same' })).status).toBe(409);
  expect((await decide(plain.id, { others: 'perhaps' })).status).toBe(422);
});

test('two doubtful rows about one payment are decided apart, and only one of them books it', async () => {
  const { csv, decide, act, ledger } = await setUp();
  await csv(['02 -4.50 Coffee A']);
  const files = [await csv(['02 -4.50 Coffee B']), await csv(['02 -4.50 Coffee B'])];
  expect(files.map(countsOf)).toEqual(['1 needs', '1 needs']);
  for (const { id } of files) await decide(id, { others: 'another' });
  expect(countsOf(await act(files[0].id, 'book'))).toBe('1 booked');
  expect(countsOf(await act(files[1].id, 'book'))).toBe('1 unchanged');
  expect(await ledger()).toHaveLength(2);
});

test('balances after each line of a CSV tell the same payment in other words from another payment', async () => {
  const { csv, ledger } = await setUp();
  await csv(['02 -4.50 Coffee A =95.50']);
  expect(countsOf(await csv(['02 -4.50 Coffee B =95.50']))).toBe('1 amended');
  expect(countsOf(await csv(['02 -4.50 Coffee C =91.00']))).toBe('1 booked');
  // The same words, and the balance goes on.
  expect(countsOf(await csv(['02 -4.50 Coffee C =86.50']))).toBe('1 booked');
  expect(countsOf(await csv(['02 -4.50 Coffee C =86.50', '02 -4.50 Coffee C =91.00']))).toBe('2 unchanged');
  expect(await ledger()).toEqual(['2026-01-02 -4.5 Coffee B', '2026-01-02 -4.5 Coffee C', '2026-01-02 -4.5 Coffee C']);
});

test('two statements of one day, of which one begins where the other ends, have different payments', async () => {
  const first = mt940('100,', ['-4,50 Coffee'], '95,50');
  const second = (text: string) => mt940('95,50', [`-4,50 ${text}`], '91,', { number: 2, from: '260202' });
  for (const text of ['Coffee', 'Coffee at the station', 'Parking']) {
    for (const files of [
      [first, second(text)],
      [second(text), first],
      [first, second(text), first, second(text)],
      [first + second(text)],
    ]) {
      const { bring, ledger } = await setUp();
      for (const file of files) await bring(file);
      expect(await ledger()).toEqual(['2026-02-02 -4.5 Coffee', `2026-02-02 -4.5 ${text}`]);
    }
  }
});

test('the same payment in a camt.052, a camt.053 and an MT940, each in other words, is booked once in any order', async () => {
  const files = {
    report: camt(['-4.50 Debit card: Coffee'], { kind: 'report', opening: '100' }),
    statement: camt(['-4.50 Card 1234 Coffee Ltd', '-4.50 Card 1234 Parking'], { opening: '100', closing: '91' }),
    message: mt940('100,', ['-4,50 COFFEE LTD ZUERICH', '-4,50 PARKING'], '91,'),
  };
  const { report, statement, message } = files;
  for (const order of [
    [report, statement, message],
    [message, report, statement],
    [statement, message, report],
    [report, message, statement, report, message],
  ]) {
    const { bring, ledger } = await setUp();
    for (const file of order) expect((await bring(file)).counts).toMatchObject({ refused: 0, needs: 0 });
    expect(await ledger()).toHaveLength(2);
  }
});

test('a report without balances says again what the statement of the day says; another format without balances proves nothing', async () => {
  const { bring, csv, ledger } = await setUp();
  await bring(camt(['-4.50 Debit card: Coffee'], { kind: 'report' }));
  expect((await bring(camt(['-4.50 Coffee Ltd'], { opening: '100', closing: '95.50' }))).counts.needs).toBe(0);
  expect(await ledger()).toHaveLength(1);
  expect(countsOf(await csv(['02-02 -4.50 Kaffee']))).toBe('1 needs');
});

test('balances to which the entries do not lead prove nothing', async () => {
  const { bring, ledger } = await setUp();
  await bring(mt940('100,', ['-4,50 Coffee'], '95,50'));
  expect(countsOf(await bring(mt940('100,', ['-4,50 Coffee of the day'], '80,')))).toBe('1 needs');
  expect(await ledger()).toHaveLength(1);
});

test('a statement of a month covers its days: a CSV in other words adds nothing to them', async () => {
  const { bring, csv, ledger } = await setUp();
  const head = [':20:X', `:25:${iban}`, ':28C:00001/001', ':60F:C260131CHF100,'];
  const lines = [
    ':61:2602020202D4,50NMSCNONREF',
    ':86:Coffee',
    ':61:2602100210D9,NMSCNONREF',
    ':86:Lunch',
    ':61:2602270227D1,NMSCNONREF',
    ':86:Bread',
  ];
  await bring([...head, ...lines, ':62F:C260227CHF85,50', '-', ''].join('\r\n'));
  expect(countsOf(await csv(['02-10 -9.00 Mittagessen']))).toBe('1 amended');
  expect(await ledger()).toHaveLength(3);
});
