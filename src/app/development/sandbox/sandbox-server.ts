// The HTTP server of the sandbox custodian: consent, accounts, changes since a cursor, and outages on demand.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { dayMs, type Clock } from '../../../kit/clock.ts';
import type { Day } from '../../../kit/day.ts';
import { sandboxBanks, type SandboxBank } from './sandbox-banks.ts';
import {
  answerConsentPage,
  answerRevocation,
  answerTokenRequest,
  jsonResponse,
  serverMetadata,
  showConsentPage,
  type SandboxResponse,
} from './sandbox-consent.ts';
import { SandboxHistory } from './sandbox-history.ts';
import { SandboxTokens, type TokenState } from './sandbox-tokens.ts';

/** What goes wrong at a bank until somebody says otherwise. */
export const outages = ['none', 'errors', 'silence', 'garbage', 'endless', 'redirect', 'expired-consent'] as const;
export type Outage = (typeof outages)[number];

/** Takes what webhooks send, and forgets it. */
export const receiverPath = '/events';

const formBytesMax = 64 * 1024;
const pageSizeMax = 1_000;

interface SandboxOptions {
  readonly clock: Clock;
  readonly tokenState: TokenState;
  saveTokenState(state: TokenState): void;
}

interface SandboxRequest {
  readonly method: string;
  readonly url: URL;
  readonly authorization: string;
  readonly form: URLSearchParams;
}

export class SandboxCustodian {
  readonly server: Server;
  readonly #clock: Clock;
  readonly #tokens: SandboxTokens;
  readonly #histories = new Map<string, SandboxHistory>();
  readonly #outages = new Map<string, Outage>();

  constructor({ clock, tokenState, saveTokenState }: SandboxOptions) {
    this.#clock = clock;
    this.#tokens = new SandboxTokens(clock, tokenState, saveTokenState);
    this.server = createServer((request, response) => {
      this.#serve(request, response).catch(() => void response.writeHead(400).end());
    });
  }

  setOutage(bank: string, outage: Outage): void {
    this.#outages.set(bank, outage);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const origin = `http://${request.headers.host ?? '127.0.0.1'}`;
    const url = new URL(request.url ?? '/', origin);
    if (request.method === 'POST' && url.pathname === receiverPath) {
      request.resume();
      return void response.writeHead(204).end();
    }
    const [, first = '', second = '', third = ''] = url.pathname.split('/');
    const isMetadata = first === '.well-known' && second === 'oauth-authorization-server';
    const bank = sandboxBanks().find(({ key }) => key === (isMetadata ? third : first));
    if (bank === undefined) return send(response, this.#overview(origin));
    const form = new URLSearchParams(await readForm(request));
    const { authorization = '' } = request.headers;
    const parsed = { method: request.method ?? 'GET', url, authorization, form };
    const outage = this.#outages.get(bank.key) ?? 'none';
    if (second === 'outage') return send(response, this.#answerOutage(bank, parsed));
    if (outage !== 'none' && outage !== 'expired-consent' && second !== 'authorize') return fail(response, outage);
    send(response, isMetadata ? serverMetadata(origin, bank) : this.#answer(bank, second, parsed));
  }

  #overview(origin: string): SandboxResponse {
    const banks = sandboxBanks().map(({ key, name, customers }) => ({
      issuer: `${origin}/${key}`,
      name,
      customers: customers.map((one) => ({ key: one.key, name: one.name })),
      outage: this.#outages.get(key) ?? 'none',
    }));
    return jsonResponse(200, { banks });
  }

  /** `POST /{bank}/outage?mode=…`, and `GET` to see it. */
  #answerOutage({ key }: SandboxBank, { method, url }: SandboxRequest): SandboxResponse {
    const mode = outages.find((one) => one === url.searchParams.get('mode'));
    if (method === 'POST' && mode === undefined)
      return jsonResponse(400, { error: `mode is one of ${outages.join(', ')}` });
    if (method === 'POST' && mode !== undefined) this.setOutage(key, mode);
    return jsonResponse(200, { outage: this.#outages.get(key) ?? 'none' });
  }

  #answer(bank: SandboxBank, path: string, { method, url, authorization, form }: SandboxRequest): SandboxResponse {
    const tokens = this.#tokens;
    if (path === 'authorize' && method === 'GET') return showConsentPage(bank, url.searchParams);
    if (path === 'authorize') return answerConsentPage({ bank, origin: url.origin, tokens }, form);
    const isExpired = this.#outages.get(bank.key) === 'expired-consent';
    if (path === 'token' && isExpired) return jsonResponse(400, { error: 'invalid_grant' });
    if (path === 'token') return answerTokenRequest(tokens, authorization, form);
    if (path === 'revoke') return answerRevocation(tokens, authorization, form);
    const consent = isExpired ? undefined : tokens.findConsent(authorization.replace(/^bearer /i, ''));
    if (consent === undefined || consent.bank !== bank.key) return jsonResponse(401, { error: 'invalid_token' });
    const customer = bank.customers.find(({ key }) => key === consent.customer);
    if (customer === undefined) return jsonResponse(401, { error: 'invalid_token' });
    if (path === 'accounts') {
      const accounts = customer.accounts.map(({ number, currency, name }) => ({
        number,
        currency,
        name,
        kind: 'cash',
      }));
      const depository = { number: customer.depositoryNumber, name: 'Custody account', kind: 'depository' };
      return jsonResponse(200, { holder: customer.name, accounts: [...accounts, depository] });
    }
    if (path === 'changes') return this.#changes(this.#historyOf(bank, customer.key), url.searchParams);
    return jsonResponse(404, { error: 'not_found' });
  }

  #historyOf(bank: SandboxBank, customerKey: string): SandboxHistory {
    const key = `${bank.key}/${customerKey}`;
    const customer = bank.customers.find((one) => one.key === customerKey);
    const history = this.#histories.get(key) ?? (customer && new SandboxHistory(bank, customer));
    if (history === undefined) throw new Error('A consent is for a customer of the bank.');
    this.#histories.set(key, history);
    return history;
  }

  /** A cursor counts what was sent before it: nothing that was sent is ever taken out. */
  #changes(history: SandboxHistory, query: URLSearchParams): SandboxResponse {
    const after = query.get('after') ?? '0';
    const limit = Number(query.get('limit') ?? '500');
    if (!/^\d{1,12}$/.test(after) || !Number.isInteger(limit) || limit < 1 || limit > pageSizeMax)
      return jsonResponse(400, { error: 'invalid_cursor' });
    const items = history.itemsUntil(this.#yesterday());
    const page = items.slice(Number(after), Number(after) + limit);
    const cursor = Number(after) + page.length;
    return jsonResponse(200, { items: page, cursor: String(cursor), has_more: cursor < items.length });
  }

  #yesterday(): Day {
    return Math.floor(this.#clock.now() / dayMs) - 1;
  }
}

async function readForm(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) {
    text += String(part);
    if (text.length > formBytesMax) throw new Error('The form is too long.');
  }
  return text;
}

function send(response: ServerResponse, { status, headers, body }: SandboxResponse): void {
  response.writeHead(status, headers).end(body);
}

/** Silence keeps the connection and says nothing; what is endless ends when the other side hangs up. */
function fail(response: ServerResponse, outage: Exclude<Outage, 'none' | 'expired-consent'>): void {
  if (outage === 'errors') response.writeHead(503, { 'content-type': 'text/plain' }).end('Out of order.');
  if (outage === 'garbage')
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[{"item":"trans\u0000');
  if (outage === 'redirect') response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
  if (outage === 'endless') sendEndlessly(response);
}

function sendEndlessly(response: ServerResponse): void {
  const part = JSON.stringify({ item: 'price', filler: 'x'.repeat(64 * 1024) });
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"items":[');
  const more = (): void => {
    while (!response.destroyed && response.write(`${part},`));
  };
  response.on('drain', more).on('close', () => response.removeAllListeners('drain'));
  more();
}
