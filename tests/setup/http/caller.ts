// An HTTP client of the service, like an integrator's program: a token, requests and answers.

import { Agent, request, type IncomingMessage, type RequestOptions } from 'node:http';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when there is none. */
  readonly body: any;
}

export interface CallOptions {
  readonly method?: string;
  /** Sent as JSON, unless it is bytes. */
  readonly body?: unknown;
  /** Sent unchanged, without setting a content type. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export type ReplyListener = (method: string, path: string, reply: Reply) => void;

const agent = new Agent({ keepAlive: true });

/** Converts to bytes: Node would send a text body together with the headers as one string, which would then not be Latin-1. */
function toBytes(content: string | Uint8Array | undefined): Uint8Array | undefined {
  return typeof content === 'string' ? Buffer.from(content) : content;
}

function toHeaders(rawHeaders: readonly string[]): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) headers.append(rawHeaders[index]!, rawHeaders[index + 1]!);
  return headers;
}

/** Most tests read the status and the body only: the headers are made when they are read. */
function toReply(
  { statusCode, headers: { 'content-type': type = '' }, rawHeaders }: IncomingMessage,
  text: string,
): Reply {
  let headers: Headers | undefined;
  return {
    status: statusCode!,
    get headers() {
      return (headers ??= toHeaders(rawHeaders));
    },
    text,
    body: text !== '' && /[/+]json/.test(type) ? JSON.parse(text) : undefined,
  };
}

/** Does what `fetch` does in less than half the time: a test file sends thousands of requests. */
function sendRequest(address: URL, content: Uint8Array | undefined, options: RequestOptions): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(address, { ...options, agent }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => resolve(toReply(response, Buffer.concat(parts).toString())));
    });
    outgoing.on('error', reject);
    outgoing.end(content);
  });
}

export class Caller {
  readonly address: string;
  readonly token: string | null;
  /** Receives every answer: the contract tests validate each against the API reference. */
  static listener: ReplyListener | undefined;

  constructor(address: string, token: string | null) {
    this.address = address;
    this.token = token;
  }

  static async withCredentials(
    address: string,
    { clientId, clientSecret }: { clientId: string; clientSecret: string },
  ): Promise<Caller> {
    const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const reply = await new Caller(address, null).send('/oauth/token', { method: 'POST', body });
    if (reply.status !== 200) throw new Error(`No token: ${reply.status} ${reply.text}`);
    return new Caller(address, reply.body.access_token);
  }

  withToken(token: string | null): Caller {
    return new Caller(this.address, token);
  }

  /** A caller with the same token on another node. */
  atAddress(address: string): Caller {
    return new Caller(address, this.token);
  }

  async send(path: string, { method = 'GET', body, raw, headers = {} }: CallOptions = {}): Promise<Reply> {
    const type = path.startsWith('/api/') ? 'application/vnd.api+json' : 'application/json';
    const content = toBytes(raw ?? (body instanceof Uint8Array ? body : JSON.stringify(body)));
    const reply = await sendRequest(new URL(this.address + path), content, {
      method,
      headers: {
        accept: '*/*',
        ...(this.token === null ? {} : { authorization: `Bearer ${this.token}` }),
        ...(content === undefined ? {} : { 'content-type': type, 'content-length': content.length }),
        ...headers,
      },
    });
    Caller.listener?.(method, path, reply);
    return reply;
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return this.send(path, { headers });
  }

  post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return this.send(path, { method: 'POST', body, headers });
  }

  patch(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return this.send(path, { method: 'PATCH', body, headers });
  }

  delete(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return this.send(path, { method: 'DELETE', headers });
  }

  /** Creates an application and uses its token from now on. */
  async becomeApplication(application: {
    rights?: readonly string[];
    scoped_to?: string;
    environment?: string;
  }): Promise<Caller & { id: string }> {
    const { body, status, text } = await this.post('/v1/applications', { name: 'For a test', ...application });
    if (status !== 201) throw new Error(`No application: ${status} ${text}`);
    const caller = await Caller.withCredentials(this.address, {
      clientId: body.client_id,
      clientSecret: body.client_secret,
    });
    return Object.assign(caller, { id: body.id as string });
  }

  /** Creates a client and returns its id. */
  async makeClient(name: string, parent?: string): Promise<string> {
    const { body, status, text } = await this.post('/v1/clients', {
      name,
      ...(parent === undefined ? {} : { parent_id: parent }),
    });
    if (status !== 201) throw new Error(`No client: ${status} ${text}`);
    return body.id;
  }
}
