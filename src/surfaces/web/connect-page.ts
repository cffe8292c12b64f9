// The page that a browser comes back to after consent was given, or refused, on a custodian's pages.

import { ownCallbackPath, sharedCallbackPath } from '../../actions/custody/callback-address.ts';
import { completeRedirect, getEndedConsent, type EndedConsent } from '../../actions/custody/consent.ts';
import { html } from '../../kit/html.ts';
import { Refusal } from '../../kit/refusal.ts';
import { buttonsRow } from './parts/forms.ts';
import type { WebPath, WebResponse } from './web-path.ts';

/** Custodians send a handful of short parameters. */
const parametersMax = 20;
const lengthMax = 4_096;

function readParameters(search: string): Readonly<Record<string, string>> {
  const all = [...new URLSearchParams(search)];
  if (all.length > parametersMax || all.some(([name, value]) => name.length + value.length > lengthMax)) {
    throw new Refusal('consent-link-invalid', 'The address has more parameters than a custodian sends.');
  }
  return Object.fromEntries(all);
}

async function showOutcome({ context, search }: Parameters<WebPath['handle']>[0], path: string): Promise<WebResponse> {
  const callback = { path, parameters: readParameters(search) };
  const outcome = await completeRedirect(context, callback);
  const ended = await getEndedConsent(context, callback);
  switch (outcome.kind) {
    case 'granted':
      return { page: grantedPage(ended) };
    case 'refused':
      return { status: 400, page: refusedPage(ended, outcome.detail) };
  }
}

/** Reloading it shows it again. Where it leads to asks who is there. */
function grantedPage({ authority, custodianName }: EndedConsent) {
  return {
    title: 'The custodian is connected',
    main: html`<p>Your consent was received. ${custodianName} sends the data of your accounts from now on.</p>
      <p>
        If you manage the accounts here, go on to those of this consent: create the accounts that are new, and link
        those that are here already.
      </p>
      ${buttonsRow([{ title: 'Accounts of this consent', href: `/console/custody/authorities/${authority}#accounts` }])}
      <p>If you only gave consent, you can close this page.</p>`,
  };
}

function refusedPage({ flow }: EndedConsent, detail: string) {
  return {
    title: 'The custodian was not connected',
    main: html`<p>${detail}</p>
      <p>Nothing was changed. Ask for a new link if you want to try again.</p>
      ${buttonsRow([{ title: 'Give consent again', href: `/console/custody/auth-flows/${flow}` }])}`,
  };
}

export const connectPaths: readonly WebPath[] = [
  {
    id: 'web.connect.callback',
    method: 'GET',
    path: ownCallbackPath('{custodian_id}'),
    summary: 'Come back from a custodian',
    handle: (request) => showOutcome(request, ownCallbackPath(request.params['custodian_id'] ?? '')),
  },
  {
    id: 'web.connect.shared-callback',
    method: 'GET',
    path: sharedCallbackPath,
    summary: 'Come back from a custodian of an earlier release',
    handle: (request) => showOutcome(request, sharedCallbackPath),
  },
];
