// Measures deliveries: how many per second reach a receiver on the same machine, with both schemes, from one node and from two,
// compared with bare signing and posting; how long events take to reach healthy receivers while another receiver is dead, and how long
// where another node wrote them.
// `npm run bench:events`; `--quick` runs a small round that only checks that everything works and writes no report.
// `ONLY=rates` measures only how many per second, and only prints them. `EACH=40` makes the rounds four times as long, in which all processes are
// warm.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Tenant } from '../../src/model/access/scope.ts';
import { webhookSchemes, type WebhookScheme } from '../../src/model/event/webhook.ts';
import { startBenchDatabase } from '../bench-database.ts';
import type { BareRequest } from './bare-sender.ts';
import { BenchApi } from './fixture.ts';
import type { NodeRequest, NodeReport } from './node.ts';
import { reportEvents, type Distant, type Lags, type Noticed, type Rates } from './report.ts';
import type { SinkRequest, SinkReport } from './sink.ts';

const isQuick = process.argv.includes('--quick');
const rounds = isQuick ? 1 : Number(process.env['ROUNDS'] ?? 3);
/** The deliveries of a round: this many events of each client to this many webhooks. */
const load = { webhooks: 8, clients: 50, each: isQuick ? 5 : Number(process.env['EACH'] ?? 10) };
/** The same to a receiver that takes a while: fewer, since that is slow. */
const distantLoad = { ...load, each: isQuick ? 5 : 10 };
/** The number of delivery queues that a node works on concurrently for this many webhooks. */
const concurrency = 64;
const lagged = { webhooks: 100, events: isQuick ? 5 : 20, everyMs: 1_000 };
/** One receiver: what is left is hearing of the event. Not a multiple of what the jobs wait for, so that each finds them elsewhere. */
const single = { webhooks: 1, events: isQuick ? 5 : 40, everyMs: 337 };

const credentials = { client_id: 'bench', client_secret: 'bench-secret-that-is-long-enough' };
const database = await startBenchDatabase();
const settings = {
  ...database.settings,
  BOOTSTRAP_CLIENT_ID: credentials.client_id,
  BOOTSTRAP_CLIENT_SECRET: credentials.client_secret,
  WORK_THREADS: '0',
};
const children = new Set<ChildProcess>();
try {
  const sink = await start('sink.ts');
  const node = await start('node.ts');
  const bare = await start('bare-sender.ts');
  const api = await BenchApi.connect(node.address, credentials);
  const { workspace_id: workspaceId, environment } = await api.send('GET', '/v1/me');
  const bench: EventsBench = { sink, bare, api, tenant: { workspaceId, environment } };
  const measured = await measureRates(bench, node);
  if (process.env['ONLY'] !== 'rates') await reportWithLags(bench, node, measured);
} finally {
  for (const child of children) child.kill('SIGKILL');
  await database.remove();
}

async function reportWithLags(
  bench: EventsBench,
  node: Started,
  measured: { rates: Rates; distant: Distant },
): Promise<void> {
  const lags = await measureLags(bench, node);
  const noticed = await measureNoticed(bench, node);
  const text = reportEvents({ ...measured, lags, noticed, load, lagged, single, concurrency });
  process.stdout.write(text);
  if (!isQuick && process.env['WRITE'] !== 'off') await writeFile(new URL('results.md', import.meta.url), text);
}

interface Started {
  readonly child: ChildProcess;
  /** The address that it reported when it was ready. */
  readonly address: string;
}

interface EventsBench {
  readonly sink: Started;
  readonly bare: Started;
  readonly api: BenchApi;
  readonly tenant: Tenant;
}

async function start(file: string, ownSettings: Readonly<Record<string, string>> = {}): Promise<Started> {
  const child = fork(new URL(file, import.meta.url), {
    env: { ...process.env, ...settings, ...ownSettings },
  });
  children.add(child);
  const [address] = (await once(child, 'message')) as [string];
  return { child, address };
}

async function stop({ child }: Started): Promise<void> {
  children.delete(child);
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function request<Answer>({ child }: Started, question: object): Promise<Answer> {
  const answer = once(child, 'message');
  child.send(question);
  return ((await answer) as [Answer])[0];
}

function rateOf({ first, last, received }: SinkReport): number {
  return (1_000 * (received.length - 1)) / (last - first);
}

/** The contenders take turns; the first round of each is a warm-up and is not counted. */
async function measureRates(bench: EventsBench, node: Started): Promise<{ rates: Rates; distant: Distant }> {
  const rates = Object.fromEntries(
    webhookSchemes.map((scheme) => [scheme, { bare: [], one: [], two: [] }]),
  ) as unknown as Record<WebhookScheme, { bare: number[]; one: number[]; two: number[] }>;
  const distant: { one: number[]; two: number[] } = { one: [], two: [] };
  const other = await start('node.ts');
  const withOther = async (measured: () => Promise<number>): Promise<number> => {
    other.child.kill('SIGCONT');
    const rate = await measured();
    other.child.kill('SIGSTOP');
    return rate;
  };
  // It would hear of the events, and help.
  other.child.kill('SIGSTOP');
  for (let round = -1; round < rounds; round++) {
    for (const scheme of webhookSchemes) {
      const bare = await postBare(bench, scheme);
      const one = await deliver(bench, scheme, [node]);
      const two = await withOther(() => deliver(bench, scheme, [node, other]));
      process.stderr.write(`${scheme} ${round}: ${[bare, one, two].map(Math.round).join(' ')}\n`);
      if (round < 0) continue;
      rates[scheme].bare.push(bare);
      rates[scheme].one.push(one);
      rates[scheme].two.push(two);
    }
    const one = await deliver(bench, 'hmac', [node], { below: '/distant', load: distantLoad });
    const two = await withOther(() => deliver(bench, 'hmac', [node, other], { below: '/distant', load: distantLoad }));
    process.stderr.write(`distant ${round}: ${[one, two].map(Math.round).join(' ')}\n`);
    if (round < 0) continue;
    distant.one.push(one);
    distant.two.push(two);
  }
  other.child.kill('SIGCONT');
  await stop(other);
  return { rates, distant };
}

async function postBare({ sink, bare }: EventsBench, scheme: WebhookScheme): Promise<number> {
  const count = load.webhooks * load.clients * load.each;
  bare.child.send({ url: `${sink.address}/`, scheme, count, concurrency } satisfies BareRequest);
  return rateOf(await request<SinkReport>(sink, { count } satisfies SinkRequest));
}

/** Each node writes the events of an equal share of the clients. */
async function deliver(
  { sink, api, tenant }: EventsBench,
  scheme: WebhookScheme,
  nodes: readonly Started[],
  { below = '', load: sent = load }: { readonly below?: string; readonly load?: typeof load } = {},
): Promise<number> {
  const urls = Array.from({ length: sent.webhooks }, (_none, index) => `${sink.address}${below}/${index}`);
  const webhooks = await api.registerWebhooks(scheme, urls);
  const sinkReport = request<SinkReport>(sink, {
    count: sent.webhooks * sent.clients * sent.each,
  } satisfies SinkRequest);
  const part = sent.clients / nodes.length;
  await Promise.all(
    nodes.map((node, index) => {
      const clients = { first: index * part, count: part };
      return request<NodeReport>(node, { tenant, clients, pieces: sent.each, firstNumber: 0 } satisfies NodeRequest);
    }),
  );
  const rate = rateOf(await sinkReport);
  await pause(500); // what has arrived is still to be written down
  await api.deleteWebhooks(webhooks);
  return rate;
}

async function measureLags(bench: EventsBench, node: Started): Promise<Lags> {
  const lags: { healthy: number[]; besideDead: number[] } = { healthy: [], besideDead: [] };
  for (let round = 0; round < rounds; round++) {
    lags.healthy.push(...(await lagsBeside(bench, node, { ...lagged, dead: 0 })));
    lags.besideDead.push(...(await lagsBeside(bench, node, { ...lagged, dead: 1 })));
  }
  return lags;
}

/** The other node only writes, so the first one has to hear of it. */
async function measureNoticed(bench: EventsBench, node: Started): Promise<Noticed> {
  const writer = await start('node.ts', { ROLE: 'api' });
  const noticed: { own: number[]; others: number[] } = { own: [], others: [] };
  for (let round = 0; round < rounds; round++) {
    noticed.own.push(...(await lagsBeside(bench, node, { ...single, dead: 0 })));
    noticed.others.push(...(await lagsBeside(bench, writer, { ...single, dead: 0 })));
  }
  await stop(writer);
  return noticed;
}

interface LaggedEvents {
  readonly webhooks: number;
  readonly dead: number;
  readonly events: number;
  readonly everyMs: number;
}

/** Returns the milliseconds from the commit of each event to its arrival at each healthy receiver. */
async function lagsBeside(
  { sink, api, tenant }: EventsBench,
  writer: Started,
  { webhooks: count, dead, events, everyMs }: LaggedEvents,
): Promise<number[]> {
  const urls = Array.from({ length: count }, (_none, index) => (index < dead ? '/dead' : `/${index}`));
  const webhooks = await api.registerWebhooks(
    'hmac',
    urls.map((path) => sink.address + path),
  );
  const sinkReport = request<SinkReport>(sink, {
    count: (count - dead) * events,
  } satisfies SinkRequest);
  const committed = new Map<number, number>();
  for (let number = 0; number < events; number++) {
    const clients = { first: number % 5, count: 1 };
    const nodeReport = await request<NodeReport>(writer, {
      tenant,
      clients,
      pieces: 1,
      firstNumber: number,
    } satisfies NodeRequest);
    for (const [eventNumber, at] of nodeReport.committed) committed.set(eventNumber, at);
    await pause(everyMs);
  }
  const { received } = await sinkReport;
  await api.deleteWebhooks(webhooks);
  return received.map(([number, at]) => at - committed.get(number)!);
}
