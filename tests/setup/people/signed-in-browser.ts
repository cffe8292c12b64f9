// A minimal browser of somebody who is already signed in, on the pages of the service under test.

import { Browser, type BrowserPage } from './cookie-browser.ts';
import { signIn } from './person-caller.ts';

type Fields = Parameters<Browser['send']>[1];

/** Opens pages by their path. */
export class SignedInBrowser {
  readonly #browser: Browser;
  readonly #baseUrl: string;

  constructor(browser: Browser, baseUrl: string) {
    this.#browser = browser;
    this.#baseUrl = baseUrl;
  }

  open(path: string): Promise<BrowserPage> {
    return this.#browser.open(`${this.#baseUrl}${path}`);
  }

  press(
    page: BrowserPage,
    button: string | RegExp,
    fields: Parameters<Browser['press']>[2] = {},
  ): Promise<BrowserPage> {
    return this.#browser.press(page, button, fields);
  }

  upload(page: BrowserPage, button: string, sent: Parameters<Browser['upload']>[2]): Promise<BrowserPage> {
    return this.#browser.upload(page, button, sent);
  }

  send(path: string, fields: Fields, headers?: Readonly<Record<string, string>>): Promise<BrowserPage> {
    return this.#browser.send(`${this.#baseUrl}${path}`, fields, headers);
  }
}

export async function signedInBrowser(
  service: Parameters<typeof signIn>[0],
  personId: string,
): Promise<SignedInBrowser> {
  const { cookie } = await signIn(service, personId);
  const browser = new Browser();
  const [name = '', value = ''] = cookie.split('=', 2);
  browser.cookies.set(name, value);
  return new SignedInBrowser(browser, service.addresses.baseUrl);
}
