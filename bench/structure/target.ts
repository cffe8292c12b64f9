// Runs one contender in a separate process: Holdfast, plain SQL behind bare Fastify, or plain SQL alone, which works on command.
// Reports its address and, on request, its processor time.

import fastify from 'fastify';
import pino from 'pino';
import { readConfig } from '../../src/app/config.ts';
import { startService } from '../../src/app/start-service.ts';
import { pageSize, PlainSql, type NewAccount } from './plain-sql.ts';
import type { TargetCommand, TargetSettings } from './target-messages.ts';
import { sampleAccount, runConcurrently } from './work.ts';

const kind = process.argv[2]!;
const settings = JSON.parse(process.argv[3]!) as TargetSettings;
const plain = new PlainSql(settings);

async function holdfast(): Promise<string> {
  const config = readConfig({
    PORT: '0',
    BASE_URL: 'http://bench.test',
    DATABASE_URL: settings.databaseUrl,
    // One workspace can use half of them.
    DATABASE_POOL: String(2 * settings.connections),
    ENCRYPTION_KEY: settings.encryptionKey,
    WORK_THREADS: settings.workThreads?.toString(),
    BUDGET_PER_MINUTE: '100000000',
    BUDGET_BURST: '100000000',
    BUDGET_IN_FLIGHT: String(settings.connections),
    BUDGET_HEAVY: String(settings.connections),
  });
  const log = pino({ level: 'info', base: null }, pino.destination({ dest: '/dev/null', sync: false }));
  const { server } = await startService(config, { log });
  return `http://127.0.0.1:${(server.app.server.address() as { port: number }).port}`;
}

/** Returns the bare rows as JSON, without tokens, budgets, rules or a wire format. */
async function bareFastify(): Promise<string> {
  const app = fastify();
  app.get('/all', async (_request, reply) => {
    reply.header('content-type', 'application/json').send(JSON.stringify({ data: await plain.listAll() }));
  });
  app.get<{ Querystring: { cursor?: string } }>('/pages', async ({ query }, reply) => {
    const rows = await plain.listPage(query.cursor ?? '');
    const data = rows.slice(0, pageSize);
    const hasMore = rows.length > pageSize;
    const page = { data, has_more: hasMore, ...(hasMore ? { next_cursor: data.at(-1)!['id'] } : {}) };
    reply.header('content-type', 'application/json').send(JSON.stringify(page));
  });
  app.post<{ Body: NewAccount }>('/accounts', async ({ body }, reply) => {
    const account = await plain.create(body);
    reply.code(201).header('content-type', 'application/json').send(JSON.stringify(account));
  });
  return app.listen({ port: 0, host: '127.0.0.1' });
}

const workWithoutHttp: Record<string, (count: number) => Promise<void>> = {
  all: async () => void (await plain.listAll()),
  async pages() {
    let after = '';
    while (true) {
      const rows = await plain.listPage(after);
      if (rows.length <= pageSize) return;
      after = rows[pageSize - 1]!['id'] as string;
    }
  },
  create: (count) =>
    runConcurrently(
      { count, callers: settings.connections },
      async (index) => void (await plain.create(sampleAccount(index))),
    ),
};

const starts: Record<string, () => Promise<string>> = {
  holdfast,
  fastify: bareFastify,
  sql: async () => 'no address',
};

process.on('message', async (command: TargetCommand) => {
  if (command.work !== undefined) await workWithoutHttp[command.work]!(command.count);
  const { user, system } = process.cpuUsage();
  process.send!({ cpuMicroseconds: user + system });
});
process.once('disconnect', () => process.exit()); // nobody is left to measure it
process.send!({ address: await starts[kind]!() });
