// The page that a browser comes back to after consent was given, or refused, on a custodian's pages.

import { ownCallbackPath, sharedCallbackPath } from '../../actions/custody/callback-address.ts';
import { completeRedirect } from '../../actions/custody/consent.ts';
import { html } from '../../kit/html.ts';
import { Refusal } from '../../kit/refusal.ts';
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
  const outcome = await completeRedirect(context, { path, parameters: readParameters(search) });
  if (outcome.kind === 'granted') {
    return {
      page: {
        title: 'The custodian is connected',
        main: html`<p>Your consent was received. The data of your accounts will come in from now on.</p>
          <p>You can close this page.</p>`,
      },
    };
  }
  return {
    status: 400,
    page: {
      title: 'The custodian was not connected',
      main: html`<p>${outcome.detail}</p>
        <p>Nothing was changed. Ask for a new link if you want to try again.</p>`,
    },
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
