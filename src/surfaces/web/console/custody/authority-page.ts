// The page of an authority: what it covers, until when, and renewing or revoking it.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { confirmationField, dangerConfirmation, isNameTyped } from '../../parts/danger.ts';
import { buttonsRow, postForm } from '../../parts/forms.ts';
import { definitionList, note } from '../../parts/notes.ts';
import { card } from '../../parts/parts.ts';
import type { ApiProblem } from '../../page-api.ts';
import { signedInForm, signedInPage, type Page, type PageAnswer, type PageContent } from '../../signed-in-page.ts';
import { nameFinder, readOptions } from '../console-table.ts';
import {
  accountsApiPath,
  connectedNote,
  connectedParameters,
  connectionBody,
  consentAccountsCard,
} from './consent-accounts-card.ts';
import { custodyPath, custodyState, custodyWord } from './custody-words.ts';
import { runForm } from './run-form.ts';

const path = `${custodyPath}/authorities/{id}`;
const addressOf = (id: string): string => `${custodyPath}/authorities/${encodeURIComponent(id)}`;
const adminPath = (id: string): string => `/v1/admin/authorities/${encodeURIComponent(id)}`;

const doneTexts: Readonly<Record<string, string>> = {
  revoke: 'It is being revoked: no more data comes in.',
  'confirm-revocation': 'The custodian has confirmed: it is revoked.',
};

async function readAuthority(page: Page): Promise<{ readonly authority: any; readonly name: string }> {
  const id = encodeURIComponent(page.params['id'] ?? '');
  const authority = await page.api.get(`/v1/authorities/${id}`);
  const custodian = await page.api.find(`/v1/custodians/${authority.custodian_id}`);
  return { authority, name: custodian?.name ?? authority.custodian_id };
}

async function authorityContent(page: Page, problem?: string): Promise<PageContent> {
  const { authority, name } = await readAuthority(page);
  const [accounts, entity] = await Promise.all([
    readOptions(page, '/v1/accounts', { client_id: authority.client_id }),
    page.api.find(`/v1/legal-entities/${authority.legal_entity_id}`),
  ]);
  const accountName = nameFinder(accounts);
  const consent = await consentAccountsCard(page, authority);
  const { formats, timeZone, query } = page;
  const moment = (value: string | null): string => formats.datetime(value, timeZone);
  const facts = definitionList([
    { title: 'State', value: custodyState(authority.state) },
    { title: 'Connection', value: custodyState(authority.connection) },
    { title: 'Legal entity', value: entity?.name ?? authority.legal_entity_id },
    { title: 'Consent', value: custodyWord(authority.consent_type) },
    { title: 'Granted', value: moment(authority.granted_at) },
    { title: 'Ends', value: authority.expires_at === null ? 'Not by itself' : moment(authority.expires_at) },
    { title: 'Accounts', value: authority.account_ids.map(accountName).join(', ') || 'None' },
    { title: 'Depositories', value: String(authority.depository_ids.length) },
  ]);
  const done = doneTexts[query.get('done') ?? ''];
  return {
    title: name,
    lede: html`<a href="${custodyPath}">Custody</a>`,
    main: html`${done === undefined ? emptyHtml : note(done, { tone: 'good', isLive: true })}${connectedNote(page)}${
      problem === undefined ? emptyHtml : note(problem, { tone: 'danger', isLive: true })
    }${authority.broken_reason === null ? emptyHtml : note(authority.broken_reason, { tone: 'warn' })}
    ${card('Authority', facts)} ${consent.main} ${feedCard(page, authority)} ${acts(page, authority)}`,
    tables: consent.tables,
    ...(problem === undefined ? {} : { status: 422 }),
  };
}

/** The feed runs by itself; a person who waits for something runs it now. */
function feedCard(page: Page, { id, state }: any): Html {
  const runs = { title: 'Runs of its feed', href: `${custodyPath}/feeds?authority_id=${id}` };
  const mayRun = state === 'active' && page.api.may('POST', '/v1/feeds/{id}/run');
  return card(
    'Feed',
    mayRun
      ? html`<p>What the custodian has comes in by itself. To have it now, run the feed: at most once a minute.</p>
          ${runForm(page, id, [runs])}`
      : buttonsRow([{ ...runs, kind: 'quiet' }]),
  );
}

function acts(page: Page, { id, state }: any): Html {
  const form = (verb: string, title: string, text: string): Html =>
    card(
      title,
      html`<p>${text}</p>
        ${postForm({
          id: verb,
          action: `${addressOf(id)}/${verb}`,
          formToken: page.formToken,
          reader: page.reader,
          fields: [],
          buttons: [{ title }],
        })}`,
    );
  if (state === 'revoke-in-progress')
    return form('confirm-revocation', 'Confirm the revocation', 'The custodian has said that it sends nothing more.');
  if (state !== 'active') return emptyHtml;
  return html`${form('reconnect', 'Renew consent', 'Starts an auth flow that renews it. Until then it stays active.')}
    <p><a class="button danger" href="${addressOf(id)}/revoke">Revoke…</a></p>`;
}

function revokedText(accounts: number): string {
  if (accounts === 0) return 'this custodian sends no more data';
  return `${accounts === 1 ? 'one account gets' : `${accounts} accounts get`} no more data from this custodian`;
}

async function revokeContent(page: Page, typed?: string): Promise<PageContent> {
  const { authority, name } = await readAuthority(page);
  const main = dangerConfirmation({
    name,
    action: `${addressOf(authority.id)}/revoke`,
    formToken: page.formToken,
    cancelHref: addressOf(authority.id),
    reader: page.reader,
    heading: `Revoke ${name}`,
    togetherTitle: 'What it does:',
    together: [{ title: revokedText(authority.account_ids.length) }],
    typed,
    buttonTitle: 'Revoke',
  });
  return { title: `Revoke ${name}`, main, ...(typed === undefined ? {} : { status: 422 }) };
}

async function connectAccounts(page: Page): Promise<PageAnswer> {
  const id = page.params['id'] ?? '';
  const sent = await page.api.send('POST', accountsApiPath(id), connectionBody(page.fields));
  if (!sent.ok) return authorityContent(page, problemText(sent.problem));
  return { redirectUrl: `${addressOf(id)}?${connectedParameters(sent.body)}#accounts` };
}

/** What stands at the fields, which the page does not show again, else what was refused as a whole. */
function problemText({ detail, errors }: ApiProblem): string {
  return errors.length === 0 ? detail : errors.map((error) => error.detail).join(' ');
}

async function runFeed(page: Page): Promise<PageAnswer> {
  const id = page.params['id'] ?? '';
  const sent = await page.api.send('POST', `/v1/feeds/${encodeURIComponent(id)}/run`);
  if (sent.ok) return { redirectUrl: `${custodyPath}/feeds/${sent.body.id}` };
  if (sent.problem.code === 'feed-running') return { redirectUrl: `${custodyPath}/feeds?authority_id=${id}` };
  return authorityContent(page, sent.problem.detail);
}

export const authorityPaths = [
  signedInForm({
    id: 'authority.accounts',
    path: `${path}/accounts`,
    summary: 'Create and link the accounts of a consent',
    area: 'console',
    handle: connectAccounts,
  }),
  signedInForm({
    id: 'authority.run',
    path: `${path}/run`,
    summary: 'Run a feed now',
    area: 'console',
    handle: runFeed,
  }),
  signedInPage({
    id: 'authority',
    path,
    summary: 'An authority',
    area: 'console',
    handle: (page) => authorityContent(page),
  }),
  signedInPage({
    id: 'authority.revoke',
    path: `${path}/revoke`,
    summary: 'Revoke an authority: what ends',
    area: 'console',
    handle: (page) => revokeContent(page),
  }),
  signedInForm({
    id: 'authority.revoke.send',
    path: `${path}/revoke`,
    summary: 'Revoke an authority',
    area: 'console',
    async handle(page) {
      const { authority, name } = await readAuthority(page);
      const typed = page.fields.get(confirmationField) ?? '';
      if (!isNameTyped(name, typed)) return revokeContent(page, typed);
      const sent = await page.api.send('POST', `${adminPath(authority.id)}/revoke`);
      if (!sent.ok) return authorityContent(page, sent.problem.detail);
      return { redirectUrl: `${addressOf(authority.id)}?done=revoke` };
    },
  }),
  signedInForm({
    id: 'authority.confirm',
    path: `${path}/confirm-revocation`,
    summary: 'Confirm a revocation',
    area: 'console',
    async handle(page) {
      const id = page.params['id'] ?? '';
      const sent = await page.api.send('POST', `${adminPath(id)}/confirm-revocation`);
      if (!sent.ok) return authorityContent(page, sent.problem.detail);
      return { redirectUrl: `${addressOf(id)}?done=confirm-revocation` };
    },
  }),
  signedInForm({
    id: 'authority.reconnect',
    path: `${path}/reconnect`,
    summary: 'Renew an authority',
    area: 'console',
    async handle(page) {
      const sent = await page.api.send('POST', `${adminPath(page.params['id'] ?? '')}/reconnect`);
      if (!sent.ok) return authorityContent(page, sent.problem.detail);
      return { redirectUrl: `${custodyPath}/auth-flows/${sent.body.id}?done=created` };
    },
  }),
];
