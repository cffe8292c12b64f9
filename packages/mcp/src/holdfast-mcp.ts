#!/usr/bin/env node
// A Model Context Protocol server over standard input and output, for assistants that start one as a program. It passes every message
// on to a service's /mcp with a token of its own, and its answers back; it has no tools itself.

import { createInterface } from 'node:readline';

interface Settings {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A token is renewed this long before it ends. */
const renewalMs = 60_000;

function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const { HOLDFAST_URL: url, HOLDFAST_CLIENT_ID: clientId, HOLDFAST_CLIENT_SECRET: clientSecret } = environment;
  if (!url || !clientId || !clientSecret) {
    process.stderr.write('Set HOLDFAST_URL, HOLDFAST_CLIENT_ID and HOLDFAST_CLIENT_SECRET.\n');
    process.exit(2);
  }
  return { url: url.replace(/\/+$/, ''), clientId, clientSecret };
}

class Tokens {
  readonly #settings: Settings;
  #token = '';
  #renewAt = 0;
  #pending: Promise<string> | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Messages that come together wait for the same token. */
  current(): Promise<string> {
    if (Date.now() < this.#renewAt) return Promise.resolve(this.#token);
    this.#pending ??= this.#request().finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  forget(): void {
    this.#renewAt = 0;
  }

  async #request(): Promise<string> {
    const { url, clientId, clientSecret } = this.#settings;
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    });
    const response = await fetch(`${url}/oauth/token`, { method: 'POST', body });
    if (!response.ok) throw new Error(`The service gave no token (${response.status}): ${await response.text()}`);
    const answer: { access_token: string; expires_in: number } = JSON.parse(await response.text());
    this.#token = answer.access_token;
    this.#renewAt = Date.now() + answer.expires_in * 1_000 - renewalMs;
    return this.#token;
  }
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

async function post({ url }: Settings, tokens: Tokens, line: string): Promise<Response> {
  const authorization = `Bearer ${await tokens.current()}`;
  const headers = { authorization, 'content-type': 'application/json', accept: 'application/json' };
  return fetch(`${url}/mcp`, { method: 'POST', headers, body: line });
}

/** Returns the answer to print; an empty text for none. */
async function forward(settings: Settings, tokens: Tokens, line: string): Promise<string> {
  const first = await post(settings, tokens, line);
  if (first.status === 401) tokens.forget();
  const response = first.status === 401 ? await post(settings, tokens, line) : first;
  const text = await response.text();
  if (response.ok) return text;
  throw new Error(`The service answered ${response.status}: ${text}`);
}

async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const tokens = new Tokens(settings);
  const running = new Set<Promise<void>>();
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    const done = forward(settings, tokens, line)
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
