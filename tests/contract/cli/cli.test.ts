// `holdfast` as a process against the real service: what it prints, what it keeps, and how it ends.

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Holdfast } from '../../../packages/sdk/src/index.ts';
import { verifyServiceSignature } from '../../../packages/sdk/src/webhook.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { cliForThisFile } from '../../setup/sdk/cli-program.ts';
import { makeSdkHousehold, sdkClient, type SdkHousehold } from '../../setup/sdk/sdk-household.ts';

const service = serviceForThisFile({ settings: { REQUEST_LOG: 'on' } });
const cli = cliForThisFile();
let holdfast: Holdfast;
let household: SdkHousehold;
let instrumentId: string;

beforeAll(async () => {
  holdfast = sdkClient(service);
  household = await makeSdkHousehold(holdfast);
  const { accountId: account_id } = household;
  const stock = await holdfast.instruments.create({ type: 'stock-instrument', name: 'Novartis', currency: 'EUR' });
  instrumentId = stock.id;
  await holdfast.transactions.create({ type: 'deposit', date: '2026-01-05', account_id, amount: '10000' });
  const bought = { quantity: '60', price: '82.10', fees: '12.5', instrument_id: stock.id };
  await holdfast.transactions.create({ type: 'buy', date: '2026-01-06', account_id, ...bought });
  for (const [date, value] of [
    ['2026-01-06', '82.1'],
    ['2026-01-20', '70'],
    ['2026-02-27', '90.05'],
  ] as const)
    await holdfast.prices.create(stock.id, { date, value });
  const { clientId, clientSecret } = service.first;
  const args = ['login', '--url', service.admin.address, '--client-id', clientId, '--secret-stdin'];
  const { code, err } = await cli.run(args, { input: `${clientSecret}\n` });
  if (code !== 0) throw new Error(`The program could not sign in: ${err}`);
});

describe('credentials', () => {
  test('are kept where only their owner can read them, by profile', async () => {
    const file = join(cli.folder, 'config', 'holdfast', 'profiles.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')))).toEqual(['default']);
    const missing = await cli.run(['list', 'clients', '--profile', 'other']);
    expect(missing.code).toBe(3);
    expect(missing.err).toContain('holdfast login --profile other');
  });

  test('that are wrong are not kept, and are sent to no other service', async () => {
    const login = [
      'login',
      '--profile',
      'wrong',
      '--url',
      service.admin.address,
      '--client-id',
      'nobody',
      '--secret-stdin',
    ];
    const refused = await cli.run(login, { input: 'wrong' });
    expect(refused.code).toBe(3);
    expect(refused.err).toContain('invalid_client');
    expect(await cli.run(['whoami', '--profile', 'wrong'])).toMatchObject({ code: 3 });
    const elsewhere = await cli.run(['whoami', '--url', 'http://127.0.0.1:9']);
    expect(elsewhere.code).toBe(2);
    expect(elsewhere.err).toContain(`is for ${service.admin.address}`);
  });

  test('from the environment come first', async () => {
    const env = { HOLDFAST_URL: service.admin.address, HOLDFAST_TOKEN: service.admin.token! };
    const { code, json } = await cli.run(['whoami', '--json', '--profile', 'none'], { env });
    expect(code).toBe(0);
    expect(json()).toMatchObject({ workspace_id: service.first.workspaceId });
  });
});

describe('records', () => {
  test('are created, shown and listed', async () => {
    const set = ['--set', 'name=Lerche', '--set', 'reference_currency=CHF'];
    const created = await cli.run(['create', 'clients', ...set, '--idempotency-key', 'lerche', '--json']);
    const again = await cli.run(['create', 'client', '--data', '-', '--idempotency-key', 'lerche', '--json'], {
      input: '{"name": "Lerche", "reference_currency": "CHF"}',
    });
    expect(again.json()).toEqual(created.json());
    const { id } = created.json();
    const shown = await cli.run(['get', 'client', id]);
    expect(shown.out).toMatch(/^reference currency +CHF$/m);
    const listed = await cli.run(['list', 'clients', '--columns', 'name,reference_currency']);
    expect(listed.out).toMatch(/^Lerche +CHF$/m);
    const first = await cli.run(['list', 'clients', '--json', '-n', '1']);
    expect(first.json()).toHaveLength(1);
    expect(first.err).toContain('There are more than these 1: --limit shows so many, --all shows all.');
    expect((await cli.run(['list', 'clients', '--all'])).err).not.toContain('There are more');
  });

  test('a refusal says what is wrong, with its code and the request id', async () => {
    const { code, out, err } = await cli.run([
      'create',
      'clients',
      '--set',
      'name=',
      '--set',
      'reference_currency=XXY',
    ]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/\/name .*\n.*\/reference_currency .*\n {2}code {5}[a-z-]+\n {2}request {2}\S+\n {2}see/);
    const { err: one } = await cli.run(['list', 'clients', '-q', 'colour=red']);
    expect(one.match(/"colour" does not exist/g)).toHaveLength(1);
    const json = await cli.run(['get', 'clients', '0123456789abcdef01234567', '--json']);
    expect(JSON.parse(json.err)).toMatchObject({ error: { code: 'client-not-found', status: 404 } });
  });

  test.each([
    [['frobnicate'], 'unknown command'],
    [['list', 'comets'], 'There is no list of comets.'],
    [['create', 'clients', '--set', 'name'], 'name=value'],
    [['webhooks', 'listen'], '--forward-to'],
    [['list', 'clients', '-n', 'many'], 'not a number'],
  ])('%j is a wrong command', async (args, message) => {
    const { code, err } = await cli.run(args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test('a service that is away is told apart', async () => {
    const env = { HOLDFAST_URL: 'http://127.0.0.1:9', HOLDFAST_TOKEN: 'none' };
    const { code, err } = await cli.run(['whoami'], { env });
    expect(code).toBe(4);
    expect(err).toContain('network-failed');
  });
});

describe('reports', () => {
  test('holdings are a table with shares as bars', async () => {
    const { code, out } = await cli.run(['holdings', '--as-of', '2026-02-27']);
    expect(code).toBe(0);
    const novartis = out.split('\n').find((line) => line.startsWith('Novartis'))!;
    // 60 × 90.05 of 10,464.50: 51.63 %, six of twelve blocks and a bit.
    expect(novartis).toMatch(/60 +5,403\.00 +4,938\.50 +464\.50 +51\.63% +█{6}/);
    expect(out).toContain('Total 10,464.50 EUR');
    expect(out).toMatch(/, as of 2026-02-27\n/);
  });

  test('part of a name is answered with the names that have it', async () => {
    const { code, err } = await cli.run(['holdings', '--entity', 'al']);
    expect(code).toBe(2);
    expect(err).toMatch(/There is no reporting entity named al\. There are: Amsel, all \([0-9a-f]{24}\)/);
  });

  test('performance has a line of the time between', async () => {
    const { out } = await cli.run(['performance', '--start', '2026-01-05', '--end', '2026-02-27']);
    const whole = out.split('\n').find((line) => line.includes('10,464.50'))!;
    expect(whole).toMatch(/[▁▂▃▄▅▆▇█]{10,30}$/);
    expect(whole).toMatch(/▁.*█$/);
    const json = (await cli.run(['performance', '--json', '--start', '2026-01-05', '--end', '2026-02-27'])).json();
    expect(json.data[0].end_market_value).toBe('10464.5');
  });

  test('a figure is explained as a tree', async () => {
    const { out } = await cli.run([
      'explain',
      'market_value',
      '--as-of',
      '2026-02-27',
      '-q',
      `instrument_id=${instrumentId}`,
    ]);
    expect(out).toMatch(/5403 EUR/);
    expect(out).toMatch(/= 60 × 90\.05/);
    expect(out).toMatch(/^ *[│ ]*[├└]─ /m);
  });

  test('a file is written, or goes to the output', async () => {
    const file = join(cli.folder, 'holdings.csv');
    expect(await cli.run(['export', 'holdings', '--out', file, '-q', 'as_of=2026-02-27'])).toMatchObject({
      code: 0,
      out: '',
    });
    const { out } = await cli.run(['export', 'holdings', '-q', 'as_of=2026-02-27']);
    expect(readFileSync(file, 'utf8')).toBe(out);
    expect(out).toContain('Novartis');
    expect(await cli.run(['export', 'comets'])).toMatchObject({ code: 2 });
  });
});

describe('an import', () => {
  const statement = (account: string): string =>
    [
      ':20:2016',
      `:25:${account}`,
      ':28C:00001/001',
      ':60F:C160101EUR0,00',
      ':61:1601040104C250000,00NTRFNONREF//S16-0001',
      ':86:Sale of the house',
      ':62F:C160104EUR250000,00',
      '-',
    ].join('\n');

  test('is checked, then booked; rows that need something are named and give a code of their own', async () => {
    const { clientId, accountId } = await makeSdkHousehold(holdfast);
    const file = join(cli.folder, 'bank.sta');
    writeFileSync(file, statement('CH9300762011623852957'));
    const unknown = await cli.run(['import', file, '--client', clientId]);
    expect(unknown.code).toBe(5);
    expect(unknown.out).toContain('needs account');
    await holdfast.accounts.update(accountId, { external_identifier: 'CH9300762011623852957' });
    const checked = await cli.run(['import', file, '--client', clientId]);
    expect(checked).toMatchObject({ code: 0, out: expect.stringContaining('Nothing is booked yet') });
    const booked = await cli.run(['import', file, '--client', clientId, '--book', '--json']);
    expect(booked.json()).toMatchObject({ state: 'booked', counts: { rows: 1, booked: 1 }, problems: [] });
    expect(await holdfast.transactions.list({ account_id: accountId }).toArray()).toHaveLength(1);
    expect(await cli.run(['import', join(cli.folder, 'missing.sta')])).toMatchObject({ code: 2 });
  });
});

describe('what happens', () => {
  const from = '2026-11-15T00:00:00Z';

  test('events and requests are followed, oldest first', async () => {
    const events = await cli.run([
      'events',
      'tail',
      '--since',
      from,
      '--max',
      '2',
      '--json',
      '--type',
      'transaction.created',
    ]);
    const rows = events.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ data }) => data.object.amount)).toEqual(['10000', '-4938.5']);
    const logs = await cli.run(['logs', 'tail', '--since', from, '--max', '1', '--status', '201']);
    expect(logs.out).toMatch(/ 201 {2}POST {4}\/v1\/\S+ {2}\d+ ms/);
  });

  test('events are forwarded to a local receiver, which verifies them with the secret that is shown', async () => {
    const received: { body: string; header: string }[] = [];
    const receiver = createServer(async (request, response) => {
      let body = '';
      for await (const piece of request) body += piece;
      received.push({ body, header: String(request.headers['service-signature']) });
      response.statusCode = 204;
      response.end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void receiver.close());
    const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
    const args = ['webhooks', 'listen', '--forward-to', target, '--since', from, '--max', '2'];
    const { code, out, err } = await cli.run([...args, '--events', 'transaction.created']);
    expect(code).toBe(0);
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => line.slice(-3)),
    ).toEqual(['204', '204']);
    const secret = /Secret: (\S+)/.exec(err)![1]!;
    for (const { body, header } of received)
      await verifyServiceSignature({ headers: { 'service-signature': header }, body, secret });
    expect(JSON.parse(received[0]!.body)).toMatchObject({
      type: 'transaction.created',
      data: { object: { amount: '10000' } },
    });
  });

  test('who waits for changes of holdings learns that a webhook must ask for them, unless one does', async () => {
    const args = ['webhooks', 'listen', '--forward-to', 'http://127.0.0.1:9/', '--since', from, '--max', '1'];
    const listen = () => cli.run([...args, '--events', 'holding.valued,transaction.created']);
    expect((await listen()).err).toContain('only while an enabled webhook asks for it');
    const webhook = await holdfast.webhooks.create({ url: 'https://receiver.example/', events: ['holding.valued'] });
    expect((await listen()).err).not.toContain('only while');
    await holdfast.webhooks.delete(webhook.id);
  });

  test('a test is sent to a webhook, and an interrupted command has ended well', async () => {
    const webhook = await holdfast.webhooks.create({
      url: 'https://receiver.example/hooks',
      events: ['transaction.created'],
    });
    const { code, out } = await cli.run(['webhooks', 'trigger', webhook.id]);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^Test [0-9a-f]{24}: pending/) });
    const interrupted = await cli.run(['events', 'tail', '--since', from, '--json'], {
      onStart: (child) => child.stdout?.once('data', () => child.kill('SIGINT')),
    });
    expect(interrupted.code).toBe(0);
  });
});

describe('beside the data', () => {
  test('the address of a page is printed', async () => {
    const { out } = await cli.run(['open', 'imports']);
    expect(out).toBe(`${service.admin.address}/console/imports\n`);
  });

  test.each(['bash', 'zsh', 'fish'])('%s can complete commands and resources', async (shell) => {
    const { code, out } = await cli.run(['completion', shell]);
    expect(code).toBe(0);
    for (const word of ['holdings', 'legal-entities', '--forward-to']) expect(out).toContain(word);
  });

  test('help names every command and the exit codes', async () => {
    const { code, out } = await cli.run(['--help']);
    expect(code).toBe(0);
    for (const word of ['login', 'import', 'explain', 'webhooks', 'Exit codes: 0 done']) expect(out).toContain(word);
    expect(out).not.toContain('\u001b');
  });
});
