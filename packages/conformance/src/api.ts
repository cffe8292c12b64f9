// The service under test, as any HTTP client reaches it.

import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';

export interface AnswerHeaders {
  get(name: string): string | null;
}

export interface Answer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly text: string;
  /** Parsed if it is JSON. */
  readonly body: any;
}

export interface RequestOptions {
  readonly body?: unknown;
  /** Sent as it is, with the content type in `headers`. */
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Another token than the run's own; null for none. */
  readonly token?: string | null;
  /** Another address than that of v1. */
  readonly server?: string | undefined;
}

/** Called with every answer. */
export type Listener = (method: string, path: string, answer: Answer) => void;

interface RunState {
  token: string | null;
  requestCount: number;
}

const requestMs = 60_000;
const tries = 20;

export class Api {
  readonly url: string;
  /** What all checks of a run share. */
  readonly #run: RunState;
  readonly #listener: Listener | undefined;

  constructor(url: string, run: RunState = { token: null, requestCount: 0 }, listener?: Listener) {
    this.url = url.replace(/(?<!\/)\/+$/, '');
    this.#run = run;
    this.#listener = listener;
  }

  get token(): string | null {
    return this.#run.token;
  }

  set token(token: string) {
    this.#run.token = token;
  }

  get requestCount(): number {
    return this.#run.requestCount;
  }

  /** The same service, with somebody who sees every answer. */
  observedBy(listener: Listener): Api {
    return new Api(this.url, this.#run, listener);
  }

  /** Waits and sends again where the service asks for it: a budget is no breach of the contract. */
  async send(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    for (let left = tries; ; left--) {
      const answer = await this.#sendOnce(method, path, options);
      if ((answer.status !== 429 && answer.status !== 503) || left === 1) {
        this.#listener?.(method, path, answer);
        return answer;
      }
      const seconds = Math.min(30, Number(answer.headers.get('retry-after') ?? 1));
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    }
  }

  async #sendOnce(method: string, path: string, options: RequestOptions): Promise<Answer> {
    const { body, raw, token = this.token, server = this.url } = options;
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const headers: Record<string, string> = {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(content === undefined ? {} : { 'content-length': String(Buffer.byteLength(content)) }),
      ...options.headers,
    };
    this.#run.requestCount++;
    return exchange(new URL(server + path), { method, headers }, content);
  }

  get(path: string, options?: RequestOptions): Promise<Answer> {
    return this.send('GET', path, options);
  }

  post(path: string, body: unknown, options?: RequestOptions): Promise<Answer> {
    return this.send('POST', path, { ...options, body });
  }

  patch(path: string, body: unknown, options?: RequestOptions): Promise<Answer> {
    return this.send('PATCH', path, { ...options, body });
  }

  /** Creates a record and returns its id. */
  async create(plural: string, body: object): Promise<string> {
    const answer = await this.post(`/v1/${plural}`, body);
    if (answer.status !== 201) throw new Error(`POST /v1/${plural} answered ${answer.status}: ${answer.text}`);
    return answer.body.id;
  }

  async tokenFor(clientId: string, clientSecret: string): Promise<string> {
    const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const answer = await this.post('/oauth/token', body, { token: null });
    if (answer.status !== 200) throw new Error(`No token: ${answer.status} ${answer.text}`);
    return answer.body.access_token;
  }
}

const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };

interface Head {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends one request and reads the whole answer. Redirects are not followed: they would be answers of their own. */
function exchange(url: URL, head: Head, content: string | undefined): Promise<Answer> {
  const signal = AbortSignal.timeout(requestMs);
  return new Promise((resolve, reject) => {
    const receive = (message: IncomingMessage): void => {
      let text = '';
      message.setEncoding('utf8');
      message.on('data', (part: string) => (text += part));
      message.on('error', reject);
      message.on('end', () => resolve(toAnswer(message, text)));
    };
    const request =
      url.protocol === 'https:'
        ? requestHttps(url, { ...head, signal, agent: agents.https }, receive)
        : requestHttp(url, { ...head, signal, agent: agents.http }, receive);
    request.on('error', reject);
    request.end(content);
  });
}

function toAnswer({ statusCode = 0, headers }: IncomingMessage, text: string): Answer {
  const get = (name: string): string | null => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? null : String(value);
  };
  return { status: statusCode, headers: { get }, text, body: parse(get('content-type'), text) };
}

function parse(type: string | null, text: string): unknown {
  if (!/\bjson\b/.test(type ?? '') || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
