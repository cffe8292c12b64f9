// The way to an identity provider: the buttons that lead there, the step out, and what is said when it fails. Knows neither invites
// nor sessions.

import { departToProvider, signInMs, type SigningIn } from '../../../actions/access/sign-in.ts';
import { ProviderFault } from '../../../gateways/identity-providers.ts';
import { secondMs } from '../../../kit/clock.ts';
import { html, type Html } from '../../../kit/html.ts';
import type { ProviderKey } from '../../../model/people/identity.ts';
import type { ConsoleAnswer, ConsoleParts, Visit } from '../web-path.ts';
import { writeCookie } from '../cookies.ts';
import { tokenField } from '../layout.ts';

/** One form for each provider. `another`: to sign in as somebody else than the provider remembers. */
export interface Buttons {
  readonly providers: readonly { readonly key: ProviderKey; readonly name: string }[];
  readonly formToken: string;
  readonly as: 'whoever' | 'another';
  action(key: ProviderKey): string;
}

export function providerButtons({ providers, formToken, as, action }: Buttons): Html {
  const forms = providers.map(
    ({ key, name }) =>
      html`<form method="post" action="${action(key)}">
        ${tokenField(formToken)}<input type="hidden" name="provider" value="${key}" />
        <input type="hidden" name="as" value="${as}" />
        <button>${as === 'another' ? 'Use another account of' : 'Continue with'} ${name}</button>
      </form>`,
  );
  return html`<div class="choices">${forms}</div>`;
}

export const noProviders = html`<p>
  No identity provider is configured here, so nobody can sign in yet. Whoever runs this service can set one up: the
  settings begin with PROVIDER_A_ISSUER.
</p>`;

/** Where it is begun anew. */
function beginning({ invite }: SigningIn): string {
  return invite === undefined ? '/sign-in' : `/invites/${encodeURIComponent(invite)}`;
}

/**
 * A page that goes on by itself, in place of a redirect: browsers hold redirects of a form against the addresses that a page may send
 * forms to, and a provider may lead on to any other.
 */
export async function depart(visit: Visit, signingIn: SigningIn): Promise<ConsoleAnswer> {
  const { house, providers, fields } = visit;
  const as = fields.get('as') === 'another' ? 'another' : 'whoever';
  try {
    const { address, sealed } = await departToProvider(house, providers, { ...signingIn, as });
    const name = providers.nameOf(signingIn.provider);
    const main = html`<p>You are being taken to ${name}. <a href="${address}">Go there now</a></p>`;
    const kept = { value: sealed, seconds: signInMs / secondMs };
    return {
      page: { title: `On to ${name}`, main, goOnTo: address },
      cookies: [writeCookie('departure', house.addresses, kept)],
    };
  } catch (error) {
    return faultPage(visit, signingIn, error);
  }
}

const faults = {
  declined: {
    status: 403,
    title: 'You have not signed in',
    text: 'The sign-in was not completed. Nothing was changed.',
  },
  away: {
    status: 502,
    title: 'The identity provider does not answer',
    text: 'Nothing was changed. Try again in a few minutes, or with another provider.',
  },
  refused: {
    status: 400,
    title: 'The sign-in did not work',
    text: 'What the identity provider has answered cannot be relied on, or was used before. Nothing was changed.',
  },
} as const;

export function faultPage(parts: ConsoleParts, signingIn: SigningIn, error: unknown): ConsoleAnswer {
  if (!(error instanceof ProviderFault)) throw error;
  if (error.kind !== 'declined') parts.onProviderFault(error, signingIn.provider);
  const { status, title, text } = faults[error.kind];
  return {
    status,
    page: {
      title,
      main: html`<p>${text}</p>
        <p><a href="${beginning(signingIn)}">Try again</a></p>`,
    },
  };
}
