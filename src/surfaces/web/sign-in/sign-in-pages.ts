// Signing in for somebody who has been here before, and coming back from an identity provider, whatever for.

import {
  completeSignIn,
  callbackAddress,
  openBegunSignIn,
  choiceKey,
  signInToChoice,
  type SignInOutcome,
  type WorkspaceChoice,
  type SignInRequest,
} from '../../../actions/access/sign-in.ts';
import { endSession, type OpenedSession } from '../../../actions/access/session.ts';
import { html } from '../../../kit/html.ts';
import { isProviderKey } from '../../../model/people/identity.ts';
import { pathNotFound } from '../../http/pipeline/admission.ts';
import { visitorFormToken, type WebResponse, type WebPath, type PageRequest } from '../web-path.ts';
import { clearCookie, readCookie, writeCookie } from '../cookies.ts';
import {
  sendToProvider,
  providerFaultPage,
  noProvidersMessage,
  providerButtons,
  type ProviderButtonsOptions,
} from './identity-provider.ts';
import { wrongAccountPage } from './invite-pages.ts';
import { tokenField } from '../layout.ts';

function providerChoices(pageRequest: PageRequest, as: ProviderButtonsOptions['as']) {
  const { formToken, cookies } = visitorFormToken(pageRequest);
  const providers = pageRequest.providers.list();
  const action = (key: string): string => `/sign-in/${key}`;
  const buttons = providers.length === 0 ? noProvidersMessage : providerButtons({ providers, formToken, as, action });
  return { buttons, cookies };
}

const showSignIn: WebPath = {
  id: 'sign-in',
  method: 'GET',
  path: '/sign-in',
  summary: 'Ways to sign in',
  async handle(pageRequest) {
    if ((await pageRequest.session()) !== undefined) return { redirectUrl: '/' };
    const { buttons, cookies } = providerChoices(pageRequest, 'whoever');
    const main = html`${buttons}
      <p class="soft">The first time, open the link in the mail that invites you.</p>`;
    return { page: { title: 'Sign in', main }, cookies };
  },
};

const signInWith: WebPath = {
  id: 'sign-in.depart',
  method: 'POST',
  path: '/sign-in/{provider}',
  summary: 'Off to an identity provider',
  dateFormat: 'visit',
  async handle(pageRequest) {
    const provider = pageRequest.params['provider'] ?? '';
    if (!isProviderKey(provider) || !pageRequest.providers.has(provider)) throw pathNotFound();
    return sendToProvider(pageRequest, { provider, invite: undefined });
  },
};

const completeSignInPath: WebPath = {
  id: 'sign-in.callback',
  method: 'GET',
  path: '/sign-in/callback',
  summary: 'Back from an identity provider',
  async handle(pageRequest) {
    const { context, providers, headers, search } = pageRequest;
    const sealed = readCookie(headers, 'departure', context.addresses) ?? '';
    const signingIn = openBegunSignIn(context, sealed, new URLSearchParams(search).get('state') ?? '');
    if (signingIn === undefined) return staleSignInPage;
    const address = new URL(`${callbackAddress(context)}?${search}`);
    const response = await completeSignIn(context, providers, { begun: signingIn, address }).then(
      (outcome) => outcomePage(pageRequest, signingIn, outcome),
      (error: unknown) => providerFaultPage(pageRequest, signingIn, error),
    );
    return { ...response, cookies: [...(response.cookies ?? []), clearCookie('departure', context.addresses)] };
  },
};

const staleSignInPage: WebResponse = {
  status: 400,
  page: {
    title: 'This sign-in cannot go on',
    main: html`<p>
        It was begun in another browser, in another window since, or more than ten minutes ago, or it has been completed
        already. Nothing was changed.
      </p>
      <p><a href="/">Go on</a></p>`,
  },
};

function outcomePage(
  pageRequest: PageRequest,
  signingIn: SignInRequest,
  outcome: SignInOutcome,
): WebResponse | Promise<WebResponse> {
  switch (outcome.kind) {
    case 'signed-in':
      return startSession(pageRequest, outcome.session);
    case 'choice':
      return choicePage(pageRequest, outcome);
    case 'wrong':
      return wrongAccountPage(pageRequest, { ...outcome, invite: signingIn.invite ?? '' });
    default:
      return unknownAccountPage(pageRequest, outcome.identity.email);
  }
}

/** A session is never gone on with under its old secret: whoever may have known that one is left outside. */
async function startSession(pageRequest: PageRequest, { secret }: OpenedSession): Promise<WebResponse> {
  const { context } = pageRequest;
  const previousSession = await pageRequest.session();
  if (previousSession !== undefined) await endSession(context, previousSession);
  const { addresses } = context;
  const cookies = [writeCookie('session', addresses, { value: secret }), clearCookie('visit', addresses)];
  return { redirectUrl: '/', cookies: [...cookies, clearCookie('choice', addresses)] };
}

function unknownAccountPage(pageRequest: PageRequest, email: string): WebResponse {
  const { buttons, cookies } = providerChoices(pageRequest, 'another');
  const main = html`<p>
      You have signed in as <strong>${email}</strong>, and there is nothing here for that account: nobody is known by
      it, or they are let in no more. If you were invited, open the link in the mail. If you were here before, use the
      account that you used then.
    </p>
    ${buttons}`;
  return { status: 403, page: { title: 'Nobody is let in with this account', main }, cookies };
}

function choicePage(
  pageRequest: PageRequest,
  { choices: places, sealed }: Extract<SignInOutcome, { kind: 'choice' }>,
): WebResponse {
  const { formToken, cookies } = visitorFormToken(pageRequest);
  const { addresses } = pageRequest.context;
  const forms = places.map(
    (place) =>
      html`<form method="post" action="/sign-in/choice">
        ${tokenField(formToken)}<input type="hidden" name="place" value="${choiceKey(place.access)}" />
        <button>${placeLabel(place)}</button>
      </form>`,
  );
  const main = html`<p>You are known in several places. Which one do you want to see?</p>
    <div class="choices">${forms}</div>`;
  return {
    page: { title: 'Where to?', main },
    cookies: [...cookies, writeCookie('choice', addresses, { value: sealed })],
  };
}

function placeLabel({ workspaceName, access }: WorkspaceChoice): string {
  return access.environment === 'production' ? workspaceName : `${workspaceName} (${access.environment})`;
}

const choosePlace: WebPath = {
  id: 'sign-in.choose',
  method: 'POST',
  path: '/sign-in/choice',
  summary: 'One of the places in which somebody is known',
  dateFormat: 'visit',
  async handle(pageRequest) {
    const { context, headers, fields } = pageRequest;
    const sealed = readCookie(headers, 'choice', context.addresses) ?? '';
    const session = await signInToChoice(context, { sealed, choice: fields.get('place') ?? '' });
    return session === undefined ? staleSignInPage : startSession(pageRequest, session);
  },
};

export const signInPaths: readonly WebPath[] = [showSignIn, completeSignInPath, choosePlace, signInWith];
