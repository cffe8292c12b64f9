// The layout of every page: head, landmarks, the menu of the signed-in person, and the API calls that do the same.

import { html, emptyHtml, type Html } from '../../kit/html.ts';
import type { Environment } from '../../model/access/scope.ts';
import { islandAddress } from './served-islands.ts';
import { layoutTexts } from './layout-texts.ts';
import type { Reader } from './language/reader.ts';
import type { Area, MenuItem } from './menu.ts';
import type { MadeCall } from './page-api.ts';
import { breakable } from './parts/breakable.ts';
import { sameByApi } from './parts/same-by-api.ts';
import { styleAddress } from './style.ts';

interface SignedIn {
  readonly name: string;
  readonly formToken: string;
  readonly environment: Environment;
  readonly menu: readonly MenuItem[];
}

export interface HtmlPage {
  readonly title: string;
  readonly main: Html;
  readonly lede?: Html;
  readonly reader?: Reader;
  /** The signed-in person, with the token for their forms. */
  readonly signedIn?: SignedIn;
  /** Text is easier to read in a narrow column. */
  readonly width?: 'narrow' | 'wide';
  /** The address that the browser continues to by itself. */
  readonly continueUrl?: string;
  /** After how many seconds the browser looks again; with the island that does so, only one without scripts. */
  readonly refreshSeconds?: number;
  readonly area?: Area;
  /** The API calls that the page has made. */
  readonly calls?: readonly MadeCall[];
  readonly islands?: readonly string[];
}

/** The hidden field that protects a form against forgery. */
export function tokenField(formToken: string): Html {
  return html`<input type="hidden" name="form_token" value="${formToken}" />`;
}

function menuLink({ title, href, isCurrent, key }: MenuItem): Html {
  const current = isCurrent ? html` aria-current="page"` : emptyHtml;
  const shortcut = key === undefined ? emptyHtml : html` data-key="${key}"`;
  return html`<a href="${href}" ${current}${shortcut}>${title}</a>`;
}

function sandboxHtml({ sandbox, sandboxMeaning }: { readonly sandbox: string; readonly sandboxMeaning: string }): Html {
  return html`${sandbox}<span class="env-more">${sandboxMeaning}</span>`;
}

function headerOf(
  { name, formToken, environment, menu }: SignedIn,
  { reader: { language }, area }: { readonly reader: Reader; readonly area: Area },
): Html {
  const text = layoutTexts[language];
  const isSandbox = environment === 'sandbox';
  const badge =
    isSandbox || area === 'console'
      ? html`<span class="env ${environment}">${isSandbox ? sandboxHtml(text) : text.production}</span>`
      : emptyHtml;
  return html`<nav aria-label="${text.mainMenu}">${menu.map(menuLink)}</nav>
    ${badge}
    <details class="account">
      <summary>${name === '' ? text.signedIn : name}</summary>
      <div>
        <p><a href="/me">${text.yourAccount}</a></p>
        <form method="post" action="/sign-out">
          ${tokenField(formToken)}<button class="quiet">${text.signOut}</button>
        </form>
        <form method="post" action="/sign-out-everywhere">
          ${tokenField(formToken)}<button class="quiet">${text.signOutEverywhere}</button>
        </form>
      </div>
    </details>`;
}

function refresh(seconds: number, islands: readonly string[]): Html {
  const meta = html`<meta http-equiv="refresh" content="${seconds}" />`;
  return islands.includes('reload') ? html`<noscript>${meta}</noscript>` : meta;
}

const defaultReader: Reader = { language: 'en', locale: 'en-GB' };

export function renderPage(page: HtmlPage): string {
  const { title, main, lede, reader = defaultReader, signedIn, width = 'narrow', continueUrl } = page;
  const { area = 'portal', calls = [], islands = [], refreshSeconds } = page;
  const scripts = [...(area === 'console' ? ['shortcuts'] : []), ...islands];
  return html`<!doctype html>
    <html lang="${reader.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Holdfast</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${styleAddress}" />
        ${scripts.map((name) => html`<script type="module" src="${islandAddress(name)}"></script>`)}
        ${continueUrl === undefined ? emptyHtml : html`<meta http-equiv="refresh" content="0; url=${continueUrl}" />`}
        ${refreshSeconds === undefined ? emptyHtml : refresh(refreshSeconds, islands)}
      </head>
      <body class="${area} ${signedIn?.environment ?? ''}">
        <a class="skip" href="#main">${layoutTexts[reader.language].skip}</a>
        <header class="top">
          <a class="brand" href="${area === 'console' ? '/console' : '/'}">Holdfast</a
          >${signedIn === undefined ? emptyHtml : headerOf(signedIn, { reader, area })}
        </header>
        <main id="main" class="${width}">
          <div class="heading">
            <h1>${breakable(title)}</h1>
            ${lede === undefined ? emptyHtml : html`<p class="lede">${lede}</p>`}
          </div>
          ${main}${calls.length === 0 ? emptyHtml : sameByApi(calls, { reader, isOpen: area === 'console' })}
        </main>
      </body>
    </html> `.text;
}
