// The way to an identity provider: its buttons, the page that leads there, and the pages for when signing in fails.

import { beginSignIn, signInTimeoutMs, type SignInRequest } from '../../../actions/access/sign-in.ts';
import { ProviderFault } from '../../../gateways/identity-providers.ts';
import { secondMs } from '../../../kit/clock.ts';
import { html, type Html } from '../../../kit/html.ts';
import type { ProviderKey } from '../../../model/people/identity.ts';
import type { WebResponse, WebParts, PageRequest } from '../web-path.ts';
import { writeCookie } from '../cookies.ts';
import { tokenField } from '../layout.ts';

/** One form for each provider. `another` asks the provider to let the person pick another account than the remembered one. */
export interface ProviderButtonsOptions {
  readonly providers: readonly { readonly key: ProviderKey; readonly name: string }[];
  readonly formToken: string;
  readonly as: 'anyone' | 'another';
  action(key: ProviderKey): string;
}

export function providerButtons({ providers, formToken, as, action }: ProviderButtonsOptions): Html {
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

export const noProvidersMessage = html`<p>
  No identity provider is configured here, so nobody can sign in yet. The operator of this service can set one up,
  starting with the setting PROVIDER_A_ISSUER.
</p>`;

/** The page on which the sign-in starts again. */
function startPath({ invite }: SignInRequest): string {
  return invite === undefined ? '/sign-in' : `/invites/${encodeURIComponent(invite)}`;
}

/**
 * Answers with a page that continues by itself instead of a redirect: browsers check the redirects of a form against `form-action`, and
 * a provider may redirect to any other address.
 */
export async function sendToProvider(pageRequest: PageRequest, signingIn: SignInRequest): Promise<WebResponse> {
  const { context, providers, fields } = pageRequest;
  const as = fields.get('as') === 'another' ? 'another' : 'anyone';
  try {
    const { address, sealed } = await beginSignIn(context, providers, { ...signingIn, as });
    const name = providers.getName(signingIn.provider);
    const main = html`<p>You are being taken to ${name}. <a href="${address}">Go there now</a></p>`;
    const sealedCookie = { value: sealed, seconds: signInTimeoutMs / secondMs };
    return {
      page: { title: `Continue to ${name}`, main, continueUrl: address },
      cookies: [writeCookie('departure', context.addresses, sealedCookie)],
    };
  } catch (error) {
    return providerFaultPage(pageRequest, signingIn, error);
  }
}

const faultTexts = {
  declined: {
    status: 403,
    title: 'You are not signed in',
    text: 'The sign-in was not completed. Nothing was changed.',
  },
  away: {
    status: 502,
    title: 'The identity provider is not responding',
    text: 'Nothing was changed. Try again in a few minutes, or use another provider.',
  },
  refused: {
    status: 400,
    title: 'The sign-in failed',
    text: 'The answer of the identity provider is not valid, or was used before. Nothing was changed.',
  },
} as const;

export function providerFaultPage(parts: WebParts, signingIn: SignInRequest, error: unknown): WebResponse {
  if (!(error instanceof ProviderFault)) throw error;
  if (error.kind !== 'declined') parts.onProviderFault(error, signingIn.provider);
  const { status, title, text } = faultTexts[error.kind];
  return {
    status,
    page: {
      title,
      main: html`<p>${text}</p>
        <p><a href="${startPath(signingIn)}">Try again</a></p>`,
    },
  };
}
