// What a browser does, without one: keeps cookies, follows where it is sent, fills in forms. Somebody's own, like a window of theirs.

import { request } from 'node:http';

export interface Form {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  /** What its button says. */
  readonly button: string;
}

export interface Shown {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly title: string;
  /** The text that a reader sees. */
  readonly words: string;
  readonly forms: readonly Form[];
}

interface Sending {
  readonly method: 'GET' | 'POST';
  readonly fields?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function plain(html: string): string {
  return html.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_whole, name: string) => entities[name]!);
}

function wordsOf(html: string): string {
  const body = html.replace(/^.*<body>/s, '').replaceAll(/<[^>]+>/g, ' ');
  return plain(body).replaceAll(/\s+/g, ' ').trim();
}

function attribute(tag: string, name: string): string | undefined {
  const [, value] = new RegExp(`\\b${name}="([^"]*)"`).exec(tag) ?? [];
  return value === undefined ? undefined : plain(value);
}

function formsOf(html: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, head = '', inside = '']) => {
    const inputs = [...inside.matchAll(/<input\b[^>]*>/g)].map(([tag]) => tag);
    const sent = inputs.filter((tag) => attribute(tag, 'name') !== undefined);
    const fields = sent.map((tag) => [attribute(tag, 'name')!, attribute(tag, 'value') ?? ''] as const);
    const [, button = '', label = ''] = /<button\b([^>]*)>(.*?)<\/button>/s.exec(inside) ?? [];
    const pressed = attribute(button, 'name');
    const extra = pressed === undefined ? {} : { [pressed]: attribute(button, 'value') ?? '' };
    return {
      action: attribute(head, 'action')!,
      fields: { ...Object.fromEntries(fields), ...extra },
      button: wordsOf(label),
    };
  });
}

/** The one script that is known here. */
const sendsItself = 'document.forms[0].submit()';

export class Browser {
  /** By name: all that is visited is on one host, whose ports share cookies. */
  readonly cookies = new Map<string, string>();
  /** Every address that was asked for, in order. */
  readonly visited: string[] = [];

  /** Another window of somebody who has the same cookies now. */
  copy(): Browser {
    const other = new Browser();
    for (const [name, value] of this.cookies) other.cookies.set(name, value);
    return other;
  }

  async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Shown> {
    return this.#follow(url, { method: 'GET', headers });
  }

  /** Sends the form whose button says this, with some of its fields filled in. */
  async press(
    shown: Shown,
    button: string | RegExp,
    fields: Readonly<Record<string, string | null>> = {},
  ): Promise<Shown> {
    const form = shown.forms.find(({ button: says }) =>
      typeof button === 'string' ? says === button : button.test(says),
    );
    if (form === undefined) throw new Error(`No such button: ${button}; there is: ${shown.words}`);
    const filled = Object.entries({ ...form.fields, ...fields }).filter(([, value]) => value !== null);
    return this.send(new URL(form.action, shown.url).href, Object.fromEntries(filled) as Record<string, string>);
  }

  async send(
    url: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = { 'sec-fetch-site': 'same-origin', origin: 'null' },
  ): Promise<Shown> {
    return this.#follow(url, { method: 'POST', fields, headers });
  }

  /** One answer, wherever it would lead. */
  async ask(url: string, sending: Sending = { method: 'GET' }): Promise<Shown> {
    const { method, fields, headers = {} } = sending;
    this.visited.push(url);
    const body = fields === undefined ? undefined : new URLSearchParams(fields).toString();
    const type = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await exchange(url, {
      method,
      body,
      headers: { ...(cookie ? { cookie } : {}), ...type, ...headers },
    });
    for (const line of answer.headers.getSetCookie()) this.#keep(line);
    const [, title = ''] = /<title>(.*?)<\/title>/s.exec(answer.text) ?? [];
    return { url, ...answer, title: plain(title), words: wordsOf(answer.text), forms: formsOf(answer.text) };
  }

  async #follow(url: string, sending: Sending): Promise<Shown> {
    let shown = await this.ask(url, sending);
    for (let steps = 0; steps < 15; steps++) {
      const onward = onwardOf(shown);
      if (onward !== undefined) shown = await this.ask(new URL(onward, shown.url).href);
      else if (shown.text.includes(sendsItself)) shown = await this.#sendFirst(shown);
      else return shown;
    }
    throw new Error('It goes round in circles.');
  }

  #sendFirst({ forms: [form], url }: Shown): Promise<Shown> {
    return this.ask(new URL(form!.action, url).href, { method: 'POST', fields: form!.fields });
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const at = pair.indexOf('=');
    const isGone = attributes.some((one) => /^max-age=0$/i.test(one) || /^expires=thu, 01 jan 1970/i.test(one));
    if (isGone) this.cookies.delete(pair.slice(0, at));
    else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
}

function onwardOf({ status, headers, text }: Shown): string | undefined {
  if (status >= 300 && status < 400) return headers.get('location') ?? undefined;
  const [, address] = /<meta http-equiv="refresh" content="0; url=([^"]*)"/.exec(text) ?? [];
  return address === undefined ? undefined : plain(address);
}

/** By hand, since `fetch` lets nobody choose where a request says that it comes from. */
function exchange(
  url: string,
  { method, body, headers }: { method: string; body: string | undefined; headers: Record<string, string> },
): Promise<{ status: number; headers: Headers; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, async (response) => {
      const told = new Headers();
      const { rawHeaders } = response;
      for (let at = 0; at < rawHeaders.length; at += 2) told.append(rawHeaders[at]!, rawHeaders[at + 1]!);
      const text = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode!, headers: told, text });
    });
    sent.on('error', reject).end(body);
  });
}
