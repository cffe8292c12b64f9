// A minimal browser for tests: keeps cookies, follows redirects and submits forms. Each instance is one person's window.

import { request } from 'node:http';

/** A field that is sent several times has a list. */
type FormFields = Readonly<Record<string, string | readonly string[]>>;

export interface HtmlForm {
  readonly action: string;
  readonly fields: FormFields;
  /** The label of its button. */
  readonly button: string;
}

export interface BrowserPage {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly title: string;
  /** The text that a reader sees. */
  readonly visibleText: string;
  readonly forms: readonly HtmlForm[];
}

interface SentFile {
  readonly name: string;
  readonly content: string;
}

interface BrowserRequest {
  readonly method: 'GET' | 'POST';
  readonly fields?: FormFields;
  /** With it the form is sent as multipart/form-data. */
  readonly file?: SentFile;
  readonly headers?: Readonly<Record<string, string>>;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function unescapeHtml(html: string): string {
  return html.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_whole, name: string) => entities[name]!);
}

function visibleTextOf(html: string): string {
  const whole = html.replaceAll(/<wbr \/>|<span class="whole">([^<]*)<\/span>/g, '$1');
  const body = whole.replace(/^.*<body>/s, '').replaceAll(/<[^>]+>/g, ' ');
  return unescapeHtml(body).replaceAll(/\s+/g, ' ').trim();
}

function attributeValue(tag: string, name: string): string | undefined {
  const [, value] = new RegExp(`\\b${name}="([^"]*)"`).exec(tag) ?? [];
  return value === undefined ? undefined : unescapeHtml(value);
}

/** What a browser would send of a form that nobody has changed: checked boxes, chosen options, texts. */
function formEntries(inside: string): (readonly [string, string])[] {
  const isSent = (tag: string): boolean =>
    attributeValue(tag, 'name') !== undefined && (!/type="(checkbox|radio)"/.test(tag) || /\schecked\b/.test(tag));
  const inputs = [...inside.matchAll(/<input\b[^>]*>/g)].map(([tag]) => tag).filter(isSent);
  const selects = [...inside.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)].map(([, head = '', body = '']) => {
    const options = [...body.matchAll(/<option\b[^>]*>/g)].map(([tag]) => tag);
    const chosen = options.find((tag) => /\sselected\b/.test(tag)) ?? options[0];
    return [attributeValue(head, 'name') ?? '', attributeValue(chosen ?? '', 'value') ?? ''] as const;
  });
  const areas = [...inside.matchAll(/<textarea\b([^>]*)>(.*?)<\/textarea>/gs)].map(
    ([, head = '', body = '']) => [attributeValue(head, 'name') ?? '', unescapeHtml(body.replace(/^\n/, ''))] as const,
  );
  return [
    ...inputs.map((tag) => [attributeValue(tag, 'name')!, attributeValue(tag, 'value') ?? ''] as const),
    ...selects,
    ...areas,
  ];
}

function parseForms(html: string): HtmlForm[] {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, head = '', inside = '']) => {
    const [, button = '', label = ''] = /<button\b([^>]*)>(.*?)<\/button>/s.exec(inside) ?? [];
    const buttonName = attributeValue(button, 'name');
    const extra = buttonName === undefined ? [] : [[buttonName, attributeValue(button, 'value') ?? ''] as const];
    const byName = Map.groupBy([...formEntries(inside), ...extra], ([name]) => name);
    const fields = [...byName].map(([name, entries]) => {
      const values = entries.map(([, value]) => value);
      return [name, values.length === 1 ? values[0]! : values] as const;
    });
    return {
      action: attributeValue(head, 'action')!,
      fields: Object.fromEntries(fields),
      button: visibleTextOf(label),
    };
  });
}

function pairsOf(fields: FormFields): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one]));
}

/** The only script that this browser runs. */
const selfSubmittingScript = 'document.forms[0].submit()';

export class Browser {
  /** Cookies by name: all pages are on one host, whose ports share cookies. */
  readonly cookies = new Map<string, string>();
  /** Every requested address, in order. */
  readonly visited: string[] = [];

  /** Another window with a copy of the cookies. */
  copy(): Browser {
    const other = new Browser();
    for (const [name, value] of this.cookies) other.cookies.set(name, value);
    return other;
  }

  async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<BrowserPage> {
    return this.#follow(url, { method: 'GET', headers });
  }

  /** Submits the form with this button, with some of its fields filled in. */
  async press(
    page: BrowserPage,
    button: string | RegExp,
    fields: Readonly<Record<string, string | readonly string[] | null>> = {},
  ): Promise<BrowserPage> {
    const form = page.forms.find(({ button: caption }) =>
      typeof button === 'string' ? caption === button : button.test(caption),
    );
    if (form === undefined) throw new Error(`No such button: ${button}; there is: ${page.visibleText}`);
    const filled = Object.entries({ ...form.fields, ...fields }).filter(([, value]) => value !== null);
    return this.send(new URL(form.action, page.url).href, Object.fromEntries(filled) as FormFields);
  }

  async send(
    url: string,
    fields: FormFields,
    headers: Readonly<Record<string, string>> = { 'sec-fetch-site': 'same-origin', origin: 'null' },
  ): Promise<BrowserPage> {
    return this.#follow(url, { method: 'POST', fields, headers });
  }

  /** Submits the form with this button and a file, as browsers do. */
  async upload(
    page: BrowserPage,
    button: string,
    { file, fields = {} }: { readonly file: SentFile; readonly fields?: Readonly<Record<string, string>> },
  ): Promise<BrowserPage> {
    const form = page.forms.find((one) => one.button === button);
    if (form === undefined) throw new Error(`No such button: ${button}; there is: ${page.visibleText}`);
    const { file: _, ...own } = form.fields;
    const url = new URL(form.action, page.url).href;
    const headers = { 'sec-fetch-site': 'same-origin', origin: 'null' };
    return this.#follow(url, { method: 'POST', fields: { ...own, ...fields }, file, headers });
  }

  /** Returns one response without following redirects. */
  async fetchPage(url: string, options: BrowserRequest = { method: 'GET' }): Promise<BrowserPage> {
    const { method, headers = {} } = options;
    this.visited.push(url);
    const { body, type } = bodyOf(options);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await sendRequest(url, {
      method,
      body,
      headers: { ...(cookie ? { cookie } : {}), ...(type === undefined ? {} : { 'content-type': type }), ...headers },
    });
    for (const line of answer.headers.getSetCookie()) this.#storeCookie(line);
    const [, title = ''] = /<title>(.*?)<\/title>/s.exec(answer.text) ?? [];
    return {
      url,
      ...answer,
      title: unescapeHtml(title),
      visibleText: visibleTextOf(answer.text),
      forms: parseForms(answer.text),
    };
  }

  async #follow(url: string, options: BrowserRequest): Promise<BrowserPage> {
    let page = await this.fetchPage(url, options);
    for (let steps = 0; steps < 15; steps++) {
      const target = redirectTarget(page);
      if (target !== undefined) page = await this.fetchPage(new URL(target, page.url).href);
      else if (page.text.includes(selfSubmittingScript)) page = await this.#submitFirstForm(page);
      else return page;
    }
    throw new Error('It goes round in circles.');
  }

  #submitFirstForm({ forms: [form], url }: BrowserPage): Promise<BrowserPage> {
    return this.fetchPage(new URL(form!.action, url).href, { method: 'POST', fields: form!.fields });
  }

  #storeCookie(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const at = pair.indexOf('=');
    const isExpired = attributes.some((one) => /^max-age=0$/i.test(one) || /^expires=thu, 01 jan 1970/i.test(one));
    if (isExpired) this.cookies.delete(pair.slice(0, at));
    else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
}

function bodyOf({ fields, file }: BrowserRequest): { readonly body?: string; readonly type?: string } {
  if (fields === undefined) return {};
  if (file === undefined)
    return { body: new URLSearchParams(pairsOf(fields)).toString(), type: 'application/x-www-form-urlencoded' };
  const boundary = '----cookie-browser';
  const part = (head: string, content: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
  const parts = pairsOf(fields).map(([name, value]) => part(`name="${name}"`, value));
  const last = part(`name="file"; filename="${file.name}"`, file.content);
  return { body: `${parts.join('')}${last}--${boundary}--\r\n`, type: `multipart/form-data; boundary=${boundary}` };
}

function redirectTarget({ status, headers, text }: BrowserPage): string | undefined {
  if (status >= 300 && status < 400) return headers.get('location') ?? undefined;
  const [, address] = /<meta http-equiv="refresh" content="0; url=([^"]*)"/.exec(text) ?? [];
  return address === undefined ? undefined : unescapeHtml(address);
}

/** Uses node:http, since `fetch` does not allow setting the origin of a request. */
function sendRequest(
  url: string,
  { method, body, headers }: { method: string; body: string | undefined; headers: Record<string, string> },
): Promise<{ status: number; headers: Headers; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers }, async (response) => {
      const responseHeaders = new Headers();
      const { rawHeaders } = response;
      for (let at = 0; at < rawHeaders.length; at += 2) responseHeaders.append(rawHeaders[at]!, rawHeaders[at + 1]!);
      const text = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode!, headers: responseHeaders, text });
    });
    outgoing.on('error', reject).end(body);
  });
}
