// Webhooks on a machine without a public address: forwards events as the service would deliver them, and sends tests.

import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { verifyServiceSignature } from '@holdfast/sdk/webhooks';
import { HoldfastError, type Holdfast, type Schemas } from '@holdfast/sdk';
import type { Command } from 'commander';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { follow, interruption } from '../follow.ts';
import type { Printer } from '../output/printer.ts';
import { paint } from '../output/terminal-text.ts';
import { openSession } from '../session.ts';
import { readCount } from './records.ts';
import { readFollowOptions, type TailOptions } from './tail.ts';

interface ListenOptions extends TailOptions {
  readonly forwardTo: string;
  readonly secret?: string;
  readonly events?: string;
  readonly client?: string;
}

const answerWithinMs = 10_000;

/** Signs an event as the service does, and checks it as a receiver does. */
async function sign(body: string, secret: string): Promise<string> {
  const timestamp = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  const header = `${timestamp},${signature}`;
  await verifyServiceSignature({ headers: { 'service-signature': header }, body, secret });
  return header;
}

async function forward(event: Schemas.Event, target: string, secret: string): Promise<string> {
  const body = JSON.stringify(event);
  const headers = { 'content-type': 'application/json', 'service-signature': await sign(body, secret) };
  try {
    const signal = AbortSignal.timeout(answerWithinMs);
    const response = await fetch(target, { method: 'POST', headers, body, redirect: 'manual', signal });
    await response.arrayBuffer();
    return String(response.status);
  } catch (error) {
    const { cause } = error instanceof Error ? error : {};
    return `no answer (${cause instanceof Error ? cause.message : String(error)})`;
  }
}

/** Changes of holdings become events only while a webhook asks for them: without one there is nothing to forward. */
async function warnOfHoldings(holdfast: Holdfast): Promise<void> {
  try {
    for await (const { events, state } of holdfast.webhooks.list())
      if (state === 'enabled' && events.includes('holding.valued')) return;
  } catch (error) {
    // Only administrators see webhooks.
    if (!(error instanceof HoldfastError) || error.status !== 403) throw error;
  }
  process.stderr.write(
    'The service writes holding.valued only while an enabled webhook asks for it. If none does, create one, at any address that answers.\n',
  );
}

async function listen(options: ListenOptions, command: Command): Promise<void> {
  const { forwardTo: target, secret = `hfw_${randomBytes(24).toString('base64url')}` } = options;
  if (!URL.canParse(target) || !/^https?:/.test(target))
    throw new CommandError(`${target} is not an address of the web.`);
  const { holdfast, print } = await openSession(command);
  const types = options.events?.split(',');
  const max = options.max === undefined ? Infinity : readCount(options.max);
  const stopping = interruption();
  if (types?.includes('holding.valued')) await warnOfHoldings(holdfast);
  // The secret goes to the error stream, so that the output can be piped.
  process.stderr.write(`Forwarding to ${target}. Secret: ${secret}\n`);
  const list = (since: string) => holdfast.events.list({ since, client_id: options.client });
  const events = follow({
    list,
    momentOf: (event) => event.created_at,
    signal: stopping.signal,
    ...readFollowOptions(options),
  });
  let count = 0;
  for await (const event of events) {
    if (types !== undefined && !types.includes(event.type)) continue;
    const outcome = await forward(event, target, secret);
    printForwarded(print, event, outcome);
    if (++count >= max) stopping.abort();
    if (stopping.signal.aborted) return;
  }
}

function printForwarded(print: Printer, { id, type, created_at: at }: Schemas.Event, outcome: string): void {
  if (print.isJson) return print.text(`${JSON.stringify({ id, type, created_at: at, outcome })}\n`);
  const isGood = /^2\d\d$/.test(outcome);
  print.text(`${at}  ${id}  ${type}  ${paint(isGood ? 'green' : 'red', outcome)}\n`);
}

const looksMax = 30;

async function trigger(id: string, { wait: isWaiting }: { wait?: true }, command: Command): Promise<void> {
  const { holdfast, print } = await openSession(command);
  let delivery = await holdfast.webhooks.test(id);
  const looks = isWaiting ? looksMax : 0;
  for (let look = 0; delivery.attempt_count === 0 && look < looks; look++) {
    await wait(1000);
    delivery = await holdfast.deliveries.get(delivery.id);
  }
  if (isWaiting && delivery.state !== 'delivered') process.exitCode = exitCodes.incomplete;
  const { state, attempts } = delivery;
  const last = attempts.at(-1);
  if (print.isJson) print.json(delivery);
  else
    print.line(
      `Test ${delivery.id}: ${state}${last === undefined ? '' : `, ${typeof last.status === 'number' ? `the receiver answered ${last.status}` : last.error}`}`,
    );
}

export function addWebhooks(program: Command): void {
  const webhooks = program.command('webhooks').description('webhooks while you develop');
  webhooks
    .command('listen')
    .description('forward events to a local address, signed like deliveries')
    .requiredOption('-f, --forward-to <address>', 'where your receiver runs, such as http://localhost:3000/webhooks')
    .option('--secret <secret>', 'sign with this secret; a new one is made and shown unless given')
    .option('--events <types>', 'only these types, separated by commas')
    .option('--client <id>', 'only of this client')
    .option('--since <moment>', 'from this moment on; now unless given')
    .option('--every <seconds>', 'how often to look', '2')
    .option('-n, --max <count>', 'end after so many')
    .action(listen);
  webhooks
    .command('trigger <id>')
    .description('have the service send a test to a webhook')
    .option('--wait', 'until the receiver has answered')
    .action(trigger);
}
