// Runs one measured server in a separate process. Reports its address and, on request, its processor time.

import { openSync } from 'node:fs';
import http from 'node:http';
import fastify from 'fastify';
import pg from 'pg';
import { readConfig } from '../../src/app/config.ts';
import { makeLog } from '../../src/app/start/service-log.ts';
import { startService } from '../../src/app/start-service.ts';

const [, , kind, databaseUrl, encryptionKey, example, workspaceId] = process.argv as string[];

/** Sends the same bytes from memory: the cost of HTTP in Node alone. */
async function bareHttp(): Promise<string> {
  const server = http.createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(example!) });
    response.end(example);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

/** Fastify, the driver and one named query by key: the obvious implementation, without tenants, tokens or budgets. */
async function bareFastify(): Promise<string> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 16 });
  const app = fastify();
  app.get<{ Params: { id: string } }>('/v1/clients/:id', async ({ params }, reply) => {
    const { rows } = await pool.query({
      name: 'client',
      text: 'SELECT id, name, reference_currency, accounting_method, created_at, parent_id FROM client WHERE workspace_id = $1 AND environment = $2 AND id = $3',
      values: [workspaceId, 'production', params.id],
    });
    reply.header('content-type', 'application/json').send(JSON.stringify(rows[0]));
  });
  const related = (table: string, column: string): string =>
    `ARRAY(SELECT r.id FROM ${table} r WHERE r.workspace_id = $1 AND r.environment = $2 AND r.${column} = t.id ORDER BY r.id) AS ${table}_ids`;
  const lists = [
    related('client', 'parent_id'),
    related('legal_entity', 'client_id'),
    related('reporting_entity', 'client_id'),
  ];
  app.get<{ Params: { id: string } }>('/api/v2/clients/:id', async ({ params }, reply) => {
    const { rows } = await pool.query({
      name: 'client-with-lists',
      text: `SELECT t.id, t.name, t.parent_id, ${lists.join(', ')} FROM client t WHERE t.workspace_id = $1 AND t.environment = $2 AND t.id = $3`,
      values: [workspaceId, 'production', params.id],
    });
    reply.header('content-type', 'application/json').send(JSON.stringify(rows[0]));
  });
  return app.listen({ port: 0, host: '127.0.0.1' });
}

/** Takes spans and forgets them, in this process: what it costs is part of what tracing costs. */
async function startCollector(): Promise<string> {
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => response.end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

async function holdfast(
  tenantFilters: 'both' | 'store-only',
  settings: Readonly<Record<string, string>> = {},
): Promise<string> {
  const config = readConfig({
    PORT: '0',
    BASE_URL: 'http://bench.test',
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: encryptionKey,
    BUDGET_PER_MINUTE: '100000000',
    BUDGET_BURST: '100000000',
    BUDGET_IN_FLIGHT: '16',
    // One workspace can use half of them.
    DATABASE_POOL: '32',
    ...settings,
  });
  const log = makeLog('info', openSync('/dev/null', 'w'));
  const { server } = await startService(config, { tenantFilters, log });
  return `http://127.0.0.1:${(server.app.server.address() as { port: number }).port}`;
}

const starts: Record<string, () => Promise<string>> = {
  'node:http': bareHttp,
  fastify: bareFastify,
  'fastify for JSON:API': bareFastify,
  holdfast: () => holdfast('both'),
  'holdfast for Plain': () => holdfast('both'),
  'holdfast for JSON:API': () => holdfast('both'),
  'holdfast without row-level security': () => holdfast('store-only'),
  'holdfast without request log': () => holdfast('both', { REQUEST_LOG: 'off' }),
  'holdfast with traces': async () => holdfast('both', { OTEL_EXPORTER_OTLP_ENDPOINT: await startCollector() }),
  'holdfast with one trace in a hundred': async () =>
    holdfast('both', {
      OTEL_EXPORTER_OTLP_ENDPOINT: await startCollector(),
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.01',
    }),
};

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send!({ cpuMicroseconds: user + system });
});
process.send!({ address: await starts[kind!]!() });
