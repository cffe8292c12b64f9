// Writes the figures of the delivery benchmark as a page.

import { loadavg } from 'node:os';
import type { WebhookScheme } from '../../src/model/event/webhook.ts';
import { machine } from '../http-load.ts';
import { distantMs } from './fixture.ts';

export type Rates = Readonly<
  Record<
    WebhookScheme,
    { readonly bare: readonly number[]; readonly one: readonly number[]; readonly two: readonly number[] }
  >
>;

/** Deliveries a second to a receiver that takes a while to answer. */
export interface Distant {
  readonly one: readonly number[];
  readonly two: readonly number[];
}

export interface Lags {
  readonly healthy: readonly number[];
  readonly besideDead: readonly number[];
}

/** Milliseconds from the commit of an event to its receipt: written on the node that delivers it, and on another. */
export interface Noticed {
  readonly own: readonly number[];
  readonly others: readonly number[];
}

export interface EventFigures {
  readonly rates: Rates;
  readonly distant: Distant;
  readonly lags: Lags;
  readonly noticed: Noticed;
  readonly load: { readonly webhooks: number; readonly clients: number; readonly each: number };
  readonly lagged: { readonly webhooks: number; readonly events: number; readonly everyMs: number };
  readonly single: { readonly events: number; readonly everyMs: number };
  readonly concurrency: number;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * share)]!;
}

/** Compares each round with the same round of the other contender. */
function ratio(one: readonly number[], other: readonly number[]): string {
  const ratios = one.map((figure, round) => (100 * figure) / other[round]!);
  const [least, greatest] = [Math.min(...ratios), Math.max(...ratios)].map((value) => value.toFixed(0));
  return `${quantile(ratios, 0.5).toFixed(0)} % (${least}–${greatest})`;
}

function rateRows({ bare, one, two }: Rates[WebhookScheme], scheme: string): string {
  const row = (name: string, rates: readonly number[]): string =>
    `| ${scheme} | ${name} | ${quantile(rates, 0.5).toFixed(0)} | ${rates === bare ? '' : ratio(rates, bare)} | ${rates === two ? ratio(two, one) : ''} |`;
  return [row('bare signing and posting', bare), row('one node', one), row('two nodes', two)].join('\n');
}

export function reportEvents({
  rates,
  distant,
  lags,
  noticed,
  load,
  lagged,
  single,
  concurrency,
}: EventFigures): string {
  const { webhooks, clients, each } = load;
  const lagRow = (name: string, share: number): string => {
    const [healthy, beside] = [quantile(lags.healthy, share), quantile(lags.besideDead, share)];
    return `| ${name} | ${healthy.toFixed(0)} | ${beside.toFixed(0)} | ${(beside / healthy).toFixed(2)} |`;
  };
  const noticedRow = (name: string, share: number): string => {
    const [own, others] = [quantile(noticed.own, share), quantile(noticed.others, share)];
    return `| ${name} | ${own.toFixed(0)} | ${others.toFixed(0)} | ${(others - own).toFixed(0)} |`;
  };
  return `# bench/events

Median of ${rates.hmac.bare.length} rounds in which the implementations take turns, (minimum–maximum) in parentheses; ratios compare the same round.

${machine()} Load average at the end: ${loadavg()[0]!.toFixed(1)}.

## Deliveries a second

${(webhooks * clients * each).toLocaleString('en')} deliveries, timed from the first arrival to the last: ${each} events for each of ${clients} clients, sent to ${webhooks} webhooks of one tenant. The receiver is a
process on the same machine that accepts everything; the database is on that machine too. "Bare" is a process that signs prepared bodies and posts
them with the same HTTP client, ${concurrency} at a time, without keeping an order or storing anything. The service hands out each delivery, takes it from its
queue, signs it, posts it and records the attempt; those of a queue are recorded up to ten together.

| scheme | | deliveries a second | % of bare | % of one node |
|---|---|---|---|---|
${rateRows(rates.hmac, '`Service-Signature`')}
${rateRows(rates.standard, 'Standard Webhooks')}

On two cores, which these processes share, one node uses nearly all there is. How much two nodes deliver where neither the processors nor the
receiver are the limit, shows a receiver that answers after ${distantMs} ms, as one far away does: each node waits for ${concurrency} answers at a time.

| answers after ${distantMs} ms | deliveries a second | % of one node |
|---|---|---|
| one node | ${quantile(distant.one, 0.5).toFixed(0)} |  |
| two nodes | ${quantile(distant.two, 0.5).toFixed(0)} | ${ratio(distant.two, distant.one)} |

## From the commit of an event to its receipt

One event about every ${lagged.everyMs / 1_000} s, sent to ${lagged.webhooks} webhooks by the node on which it was written, ${lagged.events} times per round. The dead receiver accepts the connection and
never answers.

| | ${lagged.webhooks} healthy ms | ${lagged.webhooks - 1} with one dead receiver ms | ratio |
|---|---|---|---|
${lagRow('median', 0.5)}
${lagRow('99th percentile', 0.99)}

One event every ${single.everyMs} ms to one webhook, ${single.events} times per round, written on the node that delivers it or on one that only answers requests. The difference
is what it takes to hear of another node's writes, where the aim is at most 200 ms.

| | written there ms | written elsewhere ms | difference |
|---|---|---|---|
${noticedRow('median', 0.5)}
${noticedRow('99th percentile', 0.99)}
`;
}
