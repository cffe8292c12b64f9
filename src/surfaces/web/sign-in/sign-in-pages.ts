// The sign-in pages: choose a provider, come back from it, and choose a workspace.

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
import { breakable } from '../parts/breakable.ts';

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
    const { buttons, cookies } = providerChoices(pageRequest, 'anyone');
    const main = html`${buttons}
      <p class="soft">If this is your first time here, open the link in your invitation mail.</p>`;
    return { page: { title: 'Sign in', main }, cookies };
  },
};

const signInWith: WebPath = {
  id: 'sign-in.depart',
  method: 'POST',
  path: '/sign-in/{provider}',
  summary: 'Goes to an identity provider',
  form: 'visit',
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
  summary: 'The way back from an identity provider',
  async handle(pageRequest) {
    const { context, providers, headers, search } = pageRequest;
    const sealed = readCookie(headers, 'departure', context.addresses) ?? '';
    const signingIn = openBegunSignIn(context, sealed, new URLSearchParams(search).get('state') ?? '');
    if (signingIn === undefined) return staleSignInPage;
    const address = new URL(`${callbackAddress(context)}?${search}`);
    const response = await completeSignIn(context, providers, {
      begun: signingIn,
      address,
      userAgent: headers['user-agent'],
    }).then(
      (outcome) => outcomePage(pageRequest, signingIn, outcome),
      (error: unknown) => providerFaultPage(pageRequest, signingIn, error),
    );
    return { ...response, cookies: [...(response.cookies ?? []), clearCookie('departure', context.addresses)] };
  },
};

const staleSignInPage: WebResponse = {
  status: 400,
  page: {
    title: 'This sign-in cannot continue',
    main: html`<p>
        It was started in another browser or window, it was started more than ten minutes ago, or it has already been
        completed. Nothing was changed.
      </p>
      <p><a href="/">Start again</a></p>`,
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

/** Always starts a new session with a new secret, so that nobody who knew an old secret gets in. */
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
      You signed in as <strong>${breakable(email)}</strong>, but this account has no access here, or no longer has. If
      you were invited, open the link in the mail. If you have been here before, use the account that you used then.
    </p>
    ${buttons}`;
  return { status: 403, page: { title: 'This account has no access', main }, cookies };
}

function choicePage(
  pageRequest: PageRequest,
  { choices, sealed }: Extract<SignInOutcome, { kind: 'choice' }>,
): WebResponse {
  const { formToken, cookies } = visitorFormToken(pageRequest);
  const { addresses } = pageRequest.context;
  const forms = choices
    .filter(({ isActive }) => isActive)
    .map(
      (choice) =>
        html`<form method="post" action="/sign-in/choice">
          ${tokenField(formToken)}<input type="hidden" name="place" value="${choiceKey(choice.access)}" />
          <button>${workspaceLabel(choice)}</button>
        </form>`,
    );
  const closed = choices.filter(({ isActive }) => !isActive);
  const main = html`<p>You have access to several workspaces. Which one do you want to open?</p>
    <div class="choices">${forms}</div>
    ${closed.map((choice) => html`<p class="soft">${workspaceLabel(choice)}: suspended by its operator. Nothing in it is lost.</p>`)}`;
  return {
    page: { title: 'Choose a workspace', main },
    cookies: [...cookies, writeCookie('choice', addresses, { value: sealed })],
  };
}

function workspaceLabel({ workspaceName, access }: WorkspaceChoice): string {
  return access.environment === 'production' ? workspaceName : `${workspaceName} (${access.environment})`;
}

const chooseWorkspace: WebPath = {
  id: 'sign-in.choose',
  method: 'POST',
  path: '/sign-in/choice',
  summary: 'Opens one of the workspaces that a person has access to',
  form: 'visit',
  async handle(pageRequest) {
    const { context, headers, fields } = pageRequest;
    const sealed = readCookie(headers, 'choice', context.addresses) ?? '';
    const session = await signInToChoice(context, {
      sealed,
      choice: fields.get('place') ?? '',
      userAgent: headers['user-agent'],
    });
    return session === undefined ? staleSignInPage : startSession(pageRequest, session);
  },
};

export const signInPaths: readonly WebPath[] = [showSignIn, completeSignInPath, chooseWorkspace, signInWith];
