// Assistants, as the official client of the Model Context Protocol sees the service: over HTTP, and through the program for standard
// input and output.

import { hash } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { minuteMs } from '../../../src/kit/clock.ts';
import { Caller } from '../../setup/http/caller.ts';
import { serviceForThisFile, serviceForThisTest } from '../../setup/node/test-service.ts';
import { makeReportHousehold, type ReportHousehold } from '../../setup/reports/report-household.ts';
import { unknownId } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile({ settings: { TIME_ZONE: 'Europe/Zurich', MCP_WRITES: 'on' } });
let household: ReportHousehold;
let reader: Caller;

beforeAll(async () => {
  household = await makeReportHousehold(service.admin);
  reader = await service.admin.becomeApplication({ rights: ['read'], scoped_to: household.client });
});

async function connect({ address, token }: Caller): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit }) as never);
  onTestFinished(() => client.close());
  return client;
}

interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  readonly body: any;
}

async function use(client: Client, name: string, args: Record<string, unknown>): Promise<ToolAnswer> {
  const { content, isError } = (await client.callTool({ name, arguments: args })) as any;
  return { isError: isError === true, text: content[0].text, body: JSON.parse(content[0].text) };
}

const readTools = [
  'find',
  'holdings',
  'performance',
  'explain',
  'limits',
  'limit_status',
  'data_quality',
  'transactions',
];

describe('a token that may read', () => {
  test('is offered the tools that read, each with the parameters of its operation', async () => {
    const client = await connect(reader);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(readTools);
    const holdings = tools.find(({ name }) => name === 'holdings')!;
    expect(holdings.inputSchema.required).toEqual(['reporting_entity_id']);
    expect(Object.keys(holdings.inputSchema.properties!)).toContain('as_of');
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    expect(client.getServerVersion()).toMatchObject({ name: 'holdfast' });
  });

  test('finds a reporting entity by a part of its name, and gets its holdings as v1 answers them, to the digit', async () => {
    const client = await connect(reader);
    const found = await use(client, 'find', { kind: 'reporting_entity', name: 'aLL' });
    expect(found.body.answer).toEqual({
      found: [{ id: household.all, name: 'All', client_id: household.client }],
      is_complete: true,
    });
    const query = { reporting_entity_id: household.all, as_of: '2026-02-05' };
    const { text, body } = await use(client, 'holdings', query);
    const own = await reader.get(`/v1/holdings?${new URLSearchParams(query).toString()}`);
    expect(text).toContain(own.text);
    expect(text).toContain('721.23456789012345678');
    expect(body.call).toBe(`GET /v1/holdings?${new URLSearchParams(query).toString()}`);
  });

  test('follows the address of an answer to the explanation of its figures', async () => {
    const client = await connect(reader);
    const { body } = await use(client, 'holdings', { reporting_entity_id: household.all, as_of: '2026-02-05' });
    const explained = await reader.get(body.explanation.replace(/^https?:\/\/[^/]+/, ''));
    expect(explained.status).toBe(200);
    expect(explained.text).toContain('Novartis');
  });

  test.each([
    ['performance', { start: '2026-01-05', end: '2026-02-05' }],
    ['explain', { figure: 'market_value', as_of: '2026-02-05' }],
    ['data_quality', { as_of: '2026-02-05' }],
  ])('%s answers, and its explanation is there', async (name, more) => {
    const client = await connect(reader);
    const { isError, body } = await use(client, name, { reporting_entity_id: household.all, ...more });
    expect(isError).toBe(false);
    expect((await reader.get(body.explanation.replace(/^https?:\/\/[^/]+/, ''))).status).toBe(200);
  });

  test('reads the limits, the state of one, and the transactions', async () => {
    const client = await connect(reader);
    const limit = await service.admin.post('/v1/limits', {
      client_id: household.client,
      reporting_entity_id: household.all,
      name: 'Shares',
      kind: 'proportional',
      max_pct: '0.5',
      filter: { kind: 'condition', field: 'instrument.type', operator: 'in', value: ['stock-instrument'] },
    });
    expect(limit.status).toBe(201);
    expect((await use(client, 'limits', {})).body.answer.data).toHaveLength(1);
    const status = await use(client, 'limit_status', { id: limit.body.id });
    expect(status.isError).toBe(false);
    const { body } = await use(client, 'transactions', { account_id: household.account, limit: 2 });
    expect(body.answer.data).toHaveLength(2);
  });

  test("a stranger's record does not exist, and the refusal says so as v1 does", async () => {
    const stranger = await connect(await service.openWorkspace());
    const { isError, body } = await use(stranger, 'holdings', { reporting_entity_id: household.all });
    expect(isError).toBe(true);
    expect(body).toMatchObject({ status: 404, code: 'reporting-entity-not-found' });
    expect((await use(stranger, 'find', { kind: 'client' })).body.answer.found).toEqual([]);
  });

  test('an argument that a tool does not have, one that is missing, and a tool that is not there are refused', async () => {
    const client = await connect(reader);
    await expect(use(client, 'holdings', { reporting_entity_id: unknownId, sql: 'x' })).rejects.toThrow(
      'no argument "sql"',
    );
    await expect(use(client, 'holdings', {})).rejects.toThrow('needs the argument reporting_entity_id');
    await expect(use(client, 'book_transaction', { transaction: {} })).rejects.toThrow('no tool "book_transaction"');
    const { isError, body } = await use(client, 'limit_status', { id: '../../v1/clients' });
    expect([isError, body.status]).toEqual([true, 404]);
  });
});

describe('a token that may write', () => {
  const deposit = () => ({ type: 'deposit', account_id: household.account, date: '2026-02-10', amount: '12.34' });

  function countBookings(): Promise<number> {
    return service.admin
      .get(`/v1/transactions?account_id=${household.account}&from=2026-02-10&to=2026-02-10`)
      .then(({ body }) => body.data.length);
  }

  test('books in two steps: the check books nothing, the confirmation books once however often it is sent', async () => {
    const client = await connect(service.admin);
    const checked = await use(client, 'book_transaction', { transaction: deposit() });
    expect(checked.body.answer).toMatchObject({
      booked: false,
      confirmation: expect.stringMatching(/^\d+-[0-9a-f]{32}$/),
    });
    expect(await countBookings()).toBe(0);
    const { confirmation } = checked.body.answer;
    const booked = await use(client, 'book_transaction', { transaction: deposit(), confirmation });
    expect(booked.body.answer).toMatchObject({ type: 'deposit', amount: '12.34' });
    expect(booked.body.explanation).toContain(booked.body.answer.id);
    await use(client, 'book_transaction', { transaction: deposit(), confirmation });
    expect(await countBookings()).toBe(1);
  });

  test('a confirmation of another transaction or of another caller books nothing', async () => {
    const client = await connect(service.admin);
    const { confirmation } = (await use(client, 'book_transaction', { transaction: deposit() })).body.answer;
    const transaction = { ...deposit(), amount: '99' };
    await expect(use(client, 'book_transaction', { transaction, confirmation })).rejects.toThrow('not of this call');
    const other = await connect(await service.admin.becomeApplication({ rights: ['read', 'write'] }));
    await expect(use(other, 'book_transaction', { transaction: deposit(), confirmation })).rejects.toThrow(
      'not of this',
    );
  });

  test('a confirmation that somebody computed, cut or prolonged books nothing', async () => {
    const client = await connect(service.admin);
    const { confirmation } = (await use(client, 'book_transaction', { transaction: deposit() })).body.answer;
    const [until, mac] = confirmation.split('-');
    const { workspace_id, environment, credential_id, sub } = (await service.admin.get('/v1/me')).body;
    const unkeyed = [workspace_id, environment, credential_id, sub, JSON.stringify(deposit())].join('\n');
    const invented = [
      hash('sha256', unkeyed, 'hex').slice(0, 32),
      `${until}-${hash('sha256', unkeyed, 'hex').slice(0, 32)}`,
      `${Number(until) + 1}-${mac}`,
      confirmation.slice(0, -1),
      '',
    ];
    const before = await countBookings();
    for (const wrong of invented)
      await expect(use(client, 'book_transaction', { transaction: deposit(), confirmation: wrong })).rejects.toThrow(
        'not of this call',
      );
    expect(await countBookings()).toBe(before);
  });

  test('a confirmation is good for ten minutes, and a booking that is checked again after that is booked once', async () => {
    const client = await connect(service.admin);
    const transaction = { ...deposit(), amount: '77' };
    const book = (confirmation?: string) => use(client, 'book_transaction', { transaction, confirmation });
    const { confirmation } = (await book()).body.answer;
    service.clock.advance(10 * minuteMs - 1);
    const booked = await book(confirmation);
    service.clock.advance(1);
    await expect(book(confirmation)).rejects.toThrow('has expired');
    const again = await book((await book()).body.answer.confirmation);
    expect(again.body.answer.id).toBe(booked.body.answer.id);
  });

  test('a booking that v1 would refuse is refused by the check, without a confirmation', async () => {
    const client = await connect(service.admin);
    const { isError, text, body } = await use(client, 'book_transaction', {
      transaction: { ...deposit(), account_id: unknownId },
    });
    expect(isError).toBe(true);
    expect(body.answer?.confirmation).toBeUndefined();
    expect(text).toContain('account_id');
  });

  test('is not offered the tool where the operator has not allowed it', async () => {
    const cautious = await serviceForThisTest();
    const client = await connect(cautious.admin);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(readTools);
    await expect(use(client, 'book_transaction', { transaction: deposit() })).rejects.toThrow('no tool');
  });
});

describe('the protocol', () => {
  async function send(caller: Caller, raw: string, headers = {}) {
    return caller.send('/mcp', { method: 'POST', raw, headers: { 'content-type': 'application/json', ...headers } });
  }

  test('a request without a token is 401, and one with a forged token too', async () => {
    const message = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    for (const token of [null, 'x.y.z']) {
      const { status, headers } = await send(service.admin.withToken(token), message);
      expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Bearer')]);
    }
  });

  test.each([
    ['no JSON', '{', -32_700],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32_600],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}', -32_600],
    ['a method that is not there', '{"jsonrpc":"2.0","id":1,"method":"resources/list"}', -32_601],
    ['ten thousand brackets', '['.repeat(10_000), -32_700],
  ])('%s is answered with its error', async (_what, raw, code) => {
    const { status, body } = await send(reader, raw);
    expect([status, body.error.code]).toEqual([200, code]);
  });

  test('a notification is received and not answered; an id is repeated as it was sent', async () => {
    expect(await send(reader, '{"jsonrpc":"2.0","method":"notifications/initialized"}')).toMatchObject({
      status: 202,
      text: '',
    });
    const { text } = await send(reader, '{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}');
    expect(text).toBe('{"jsonrpc":"2.0","id":12345678901234567890,"result":{}}');
  });

  test.each([
    ['listing tools', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'],
    ['calling one', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"limits"}}'],
    ['calling one that is not there', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"none"}}'],
    ['a notification', '{"jsonrpc":"2.0","method":"tools/call"}'],
    ['what is no message', '{'],
  ])('%s counts against the budget of the token', async (_what, raw) => {
    const limited = await serviceForThisTest({ settings: { BUDGET_PER_MINUTE: '60', BUDGET_BURST: '5' } });
    const replies = [];
    for (let count = 0; count < 8; count++) replies.push(await send(limited.admin, raw));
    expect(replies.some(({ status, text }) => status === 429 || text.includes('budget-exceeded'))).toBe(true);
  });

  test('the program for standard input and output passes messages on with a token of its own', async () => {
    const { clientId, clientSecret } = service.first;
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ['packages/mcp/src/holdfast-mcp.ts'],
      env: {
        HOLDFAST_URL: service.admin.address,
        HOLDFAST_CLIENT_ID: clientId,
        HOLDFAST_CLIENT_SECRET: clientSecret ?? '',
      },
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport as never);
    onTestFinished(() => client.close());
    expect((await use(client, 'find', { kind: 'client', name: 'Amsel' })).body.answer.found).toHaveLength(1);
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toThrow('no tool');
  });
});
