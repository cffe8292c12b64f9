// The layout of every page: head, landmarks, and the menu of the signed-in person.

import { html, emptyHtml, type Html } from '../../kit/html.ts';
import { styleAddress } from './style.ts';

export interface HtmlPage {
  readonly title: string;
  readonly main: Html;
  /** The signed-in person, with the token for their forms. */
  readonly signedIn?: { readonly name: string; readonly formToken: string };
  /** Text is easier to read in a narrow column. */
  readonly width?: 'narrow' | 'wide';
  /** The address that the browser continues to by itself. */
  readonly continueUrl?: string;
}

/** The hidden field that protects a form against forgery. */
export function tokenField(formToken: string): Html {
  return html`<input type="hidden" name="form_token" value="${formToken}" />`;
}

function accountMenu({ name, formToken }: NonNullable<HtmlPage['signedIn']>): Html {
  return html`<div class="account">
    <p>${name === '' ? 'Signed in' : `Signed in as ${name}`}</p>
    <form method="post" action="/sign-out">${tokenField(formToken)}<button class="quiet">Sign out</button></form>
    <form method="post" action="/sign-out-everywhere">
      ${tokenField(formToken)}<button class="quiet">Sign out everywhere</button>
    </form>
  </div>`;
}

export function renderPage({ title, main, signedIn, width = 'narrow', continueUrl }: HtmlPage): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Holdfast</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${styleAddress}" />
        ${continueUrl === undefined ? emptyHtml : html`<meta http-equiv="refresh" content="0; url=${continueUrl}" />`}
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        <header>
          <a class="brand" href="/">Holdfast</a>${signedIn === undefined ? emptyHtml : accountMenu(signedIn)}
        </header>
        <main id="main" class="${width}">
          <h1>${title}</h1>
          ${main}
        </main>
      </body>
    </html> `.text;
}
