// The page about one's own account: who one is, the language of the pages, and where one is signed in.

import { allInOrder } from '../../../kit/concurrency/all-in-order.ts';
import { emptyHtml, html, type Html } from '../../../kit/html.ts';
import { clearCookie, writeCookie } from '../cookies.ts';
import { isLanguage } from '../language/reader.ts';
import { tokenField } from '../layout.ts';
import { postForm } from '../parts/forms.ts';
import { definitionList, note, stateDot } from '../parts/notes.ts';
import { card } from '../parts/parts.ts';
import { signedInForm, signedInPage, type Page } from '../signed-in-page.ts';
import type { WebPath } from '../web-path.ts';
import { browserName } from './browser-name.ts';
import { meTexts } from './me-texts.ts';

/** In their own language, so that whoever chose the wrong one finds back. */
const languageNames = { en: 'English', de: 'Deutsch' } as const;

const showMe = signedInPage({
  id: 'me',
  path: '/me',
  summary: 'The account, language and sessions of the signed-in person',
  area: 'portal',
  async handle(page) {
    const [me, sessions] = await allInOrder([page.api.get('/v1/me'), page.api.find('/v1/me/sessions')]);
    const text = meTexts[page.reader.language];
    const done = page.query.get('done');
    const said = done === 'saved' ? text.saved : done === 'ended' ? text.ended : undefined;
    return {
      title: text.title,
      main: html`${said === undefined ? emptyHtml : note(said, { tone: 'good', isLive: true })}
      ${card(text.you, aboutHtml(page, me.user))}${card(text.language, languageForm(page))}
      ${sessions === undefined ? emptyHtml : card(text.sessions, sessionsHtml(page, sessions.data))}`,
    };
  },
});

function aboutHtml({ reader }: Page, user: any): Html {
  const text = meTexts[reader.language];
  const granted = text.entities(user.reporting_entity_ids.length);
  return definitionList([
    { title: text.name, value: user.name },
    { title: text.email, value: user.email },
    { title: text.access, value: user.workspace_administrator ? text.administrator : granted },
  ]);
}

function languageForm({ reader, formToken }: Page): Html {
  const text = meTexts[reader.language];
  const options = Object.entries(languageNames).map(([value, title]) => ({ value, title }));
  return postForm({
    action: '/me/language',
    formToken,
    reader,
    fields: [
      {
        kind: 'select',
        name: 'language',
        label: text.pagesIn,
        hint: text.languageHint,
        value: reader.language,
        isRequired: true,
        options: [...options, { value: 'browser', title: text.asBrowser }],
      },
    ],
    buttons: [{ title: text.save }],
  });
}

function sessionsHtml({ reader, formats, formToken, timeZone }: Page, sessions: readonly any[]): Html {
  const text = meTexts[reader.language];
  const moment = (instant: string | null): string => formats.datetime(instant, timeZone);
  const rows = sessions.map(({ id, created_at, last_seen_at, expires_at, user_agent, is_current }) => {
    const since = moment(created_at);
    const action = is_current
      ? stateDot(text.current, 'up')
      : html`<form method="post" action="/me/sessions/${id}/end">
          ${tokenField(formToken)}<button class="danger" aria-label="${text.endAria(since)}">${text.end}</button>
        </form>`;
    return html`<tr>
      <th scope="row">${browserName(user_agent, reader.language)}</th>
      <td>${since}</td>
      <td>${moment(last_seen_at)}</td>
      <td>${moment(expires_at)}</td>
      <td>${action}</td>
    </tr>`;
  });
  return html`<p class="soft">${text.sessionsHint}</p>
    <div class="scroll" role="region" aria-label="${text.sessions}" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">${text.browser}</th>
            <th scope="col">${text.since}</th>
            <th scope="col">${text.seen}</th>
            <th scope="col">${text.until}</th>
            <td></td>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>`;
}

const yearSeconds = 365 * 86_400;

/** The language is of the browser, not of the account: it is kept in a cookie. */
const chooseLanguage: WebPath = {
  id: 'me-language',
  method: 'POST',
  path: '/me/language',
  summary: 'Choose the language of the pages',
  form: 'session',
  async handle(request) {
    if ((await request.session()) === undefined) return { redirectUrl: '/sign-in' };
    const language = request.fields.get('language') ?? '';
    const { addresses } = request.context;
    const cookie = isLanguage(language)
      ? writeCookie('language', addresses, { value: language, seconds: yearSeconds })
      : clearCookie('language', addresses);
    return { redirectUrl: '/me?done=saved', cookies: [cookie] };
  },
};

const endSession = signedInForm({
  id: 'me-end-session',
  path: '/me/sessions/{id}/end',
  summary: 'End one of your sessions',
  area: 'portal',
  async handle({ api, params }) {
    await api.send('DELETE', `/v1/me/sessions/${encodeURIComponent(params['id'] ?? '')}`);
    return { redirectUrl: '/me?done=ended' };
  },
});

export const mePaths = [showMe, chooseLanguage, endSession];
