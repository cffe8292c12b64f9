#!/usr/bin/env node
// A Model Context Protocol server over standard input and output, for assistants that start one as a program. It passes every message
// on to a service's /mcp with a token of its own, and its answers back; it has no tools itself.

import { createInterface } from 'node:readline';
import { Holdfast } from '@holdfast/sdk';

interface Settings {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const { HOLDFAST_URL: url, HOLDFAST_CLIENT_ID: clientId, HOLDFAST_CLIENT_SECRET: clientSecret } = environment;
  if (!url || !clientId || !clientSecret) {
    process.stderr.write('Set HOLDFAST_URL, HOLDFAST_CLIENT_ID and HOLDFAST_CLIENT_SECRET.\n');
    process.exit(2);
  }
  return { url: url.replace(/(?<!\/)\/+$/, ''), clientId, clientSecret };
}

/** The id of a message as JSON text; undefined for a notification. */
function idOf(line: string): string | undefined {
  try {
    const { id }: { id?: unknown } = JSON.parse(line);
    return id === undefined ? undefined : JSON.stringify(id);
  } catch {
    return 'null';
  }
}

async function post({ url }: Settings, client: Holdfast, line: string): Promise<Response> {
  const authorization = `Bearer ${await client.accessToken()}`;
  const headers = { authorization, 'content-type': 'application/json', accept: 'application/json' };
  return fetch(`${url}/mcp`, { method: 'POST', headers, body: line });
}

/** Passes messages on; the SDK fetches the token and renews it. */
class Forwarder {
  readonly #settings: Settings;
  #client: Holdfast;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#client = new Holdfast(settings);
  }

  /** Returns the answer to print; an empty text for none. A token that was revoked is replaced once. */
  async forward(line: string): Promise<string> {
    const first = await post(this.#settings, this.#client, line);
    if (first.status === 401) this.#client = new Holdfast(this.#settings);
    const response = first.status === 401 ? await post(this.#settings, this.#client, line) : first;
    const text = await response.text();
    if (response.ok) return text;
    throw new Error(`The service answered ${response.status}: ${text}`);
  }
}

async function main(): Promise<void> {
  const forwarder = new Forwarder(readSettings(process.env));
  const running = new Set<Promise<void>>();
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    const done = forwarder
      .forward(line)
      .catch((error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        process.stderr.write(`${message}\n`);
        const id = idOf(line);
        return id === undefined
          ? ''
          : `{"jsonrpc":"2.0","id":${id},"error":{"code":-32000,"message":${JSON.stringify(message)}}}`;
      })
      .then((answer) => {
        if (answer !== '') process.stdout.write(`${answer}\n`);
      })
      .finally(() => running.delete(done));
    running.add(done);
  }
  await Promise.all(running);
}

await main();
