// One caller of the service over HTTP, as an integrator's program would be: a token, requests, answers.

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when there is none. */
  readonly body: any;
}

export interface Sending {
  readonly method?: string;
  readonly body?: unknown;
  /** Sent as it is, without a guess about its type. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Listener = (method: string, path: string, reply: Reply) => void;

export class Caller {
  readonly address: string;
  readonly token: string | null;
  /** Hears of every answer: the contract tests hold each against the API reference. */
  static listener: Listener | undefined;

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

  with(token: string | null): Caller {
    return new Caller(this.address, token);
  }

  /** The same token on another node. */
  at(address: string): Caller {
    return new Caller(address, this.token);
  }

  async send(path: string, { method = 'GET', body, raw, headers = {} }: Sending = {}): Promise<Reply> {
    const type = path.startsWith('/api/') ? 'application/vnd.api+json' : 'application/json';
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(this.address + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.token === null ? {} : { authorization: `Bearer ${this.token}` }),
        ...(content === undefined ? {} : { 'content-type': type }),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    const reply = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
    };
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

  /** Makes an application and becomes it. */
  async become(application: {
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

  /** Makes a client and gives its id. */
  async makeClient(name: string, parent?: string): Promise<string> {
    const { body, status, text } = await this.post('/v1/clients', {
      name,
      ...(parent === undefined ? {} : { parent_id: parent }),
    });
    if (status !== 201) throw new Error(`No client: ${status} ${text}`);
    return body.id;
  }
}
