// Signing in for somebody who has been here before, and coming back from an identity provider, whatever for.

import {
  arriveFromProvider,
  callbackAddress,
  openDeparture,
  placeKey,
  signInAt,
  type Arrival,
  type Place,
  type SigningIn,
} from '../../../actions/access/sign-in.ts';
import { endSession, type OpenedSession } from '../../../actions/access/session.ts';
import { html } from '../../../kit/html.ts';
import { isProviderKey } from '../../../model/people/identity.ts';
import { pathNotFound } from '../../http/pipeline/admission.ts';
import { visitToken, type ConsoleAnswer, type ConsolePath, type Visit } from '../web-path.ts';
import { clearCookie, readCookie, writeCookie } from '../cookies.ts';
import { depart, faultPage, noProviders, providerButtons, type Buttons } from './identity-provider.ts';
import { wrongPage } from './invite-pages.ts';
import { tokenField } from '../layout.ts';

function ways(visit: Visit, as: Buttons['as']) {
  const { formToken, cookies } = visitToken(visit);
  const providers = visit.providers.list();
  const action = (key: string): string => `/sign-in/${key}`;
  const buttons = providers.length === 0 ? noProviders : providerButtons({ providers, formToken, as, action });
  return { buttons, cookies };
}

const showSignIn: ConsolePath = {
  id: 'sign-in',
  method: 'GET',
  path: '/sign-in',
  summary: 'Ways to sign in',
  async handle(visit) {
    if ((await visit.session()) !== undefined) return { goTo: '/' };
    const { buttons, cookies } = ways(visit, 'whoever');
    const main = html`${buttons}
      <p class="soft">The first time, open the link in the mail that invites you.</p>`;
    return { page: { title: 'Sign in', main }, cookies };
  },
};

const signInWith: ConsolePath = {
  id: 'sign-in.depart',
  method: 'POST',
  path: '/sign-in/{provider}',
  summary: 'Off to an identity provider',
  form: 'visit',
  async handle(visit) {
    const provider = visit.params['provider'] ?? '';
    if (!isProviderKey(provider) || !visit.providers.has(provider)) throw pathNotFound();
    return depart(visit, { provider, invite: undefined });
  },
};

const comeBack: ConsolePath = {
  id: 'sign-in.callback',
  method: 'GET',
  path: '/sign-in/callback',
  summary: 'Back from an identity provider',
  async handle(visit) {
    const { house, providers, headers, search } = visit;
    const sealed = readCookie(headers, 'departure', house.addresses) ?? '';
    const signingIn = openDeparture(house, sealed, new URLSearchParams(search).get('state') ?? '');
    if (signingIn === undefined) return stalePage;
    const address = new URL(`${callbackAddress(house)}?${search}`);
    const answer = await arriveFromProvider(house, providers, { signingIn, address }).then(
      (arrival) => answerTo(visit, signingIn, arrival),
      (error: unknown) => faultPage(visit, signingIn, error),
    );
    return { ...answer, cookies: [...(answer.cookies ?? []), clearCookie('departure', house.addresses)] };
  },
};

const stalePage: ConsoleAnswer = {
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

function answerTo(visit: Visit, signingIn: SigningIn, arrival: Arrival): ConsoleAnswer | Promise<ConsoleAnswer> {
  switch (arrival.kind) {
    case 'signed-in':
      return enter(visit, arrival.session);
    case 'choice':
      return choicePage(visit, arrival);
    case 'wrong':
      return wrongPage(visit, { ...arrival, invite: signingIn.invite ?? '' });
    default:
      return strangerPage(visit, arrival.identity.email);
  }
}

/** A session is never gone on with under its old secret: whoever may have known that one is left outside. */
async function enter(visit: Visit, { secret }: OpenedSession): Promise<ConsoleAnswer> {
  const { house } = visit;
  const former = await visit.session();
  if (former !== undefined) await endSession(house, former);
  const { addresses } = house;
  const cookies = [writeCookie('session', addresses, { value: secret }), clearCookie('visit', addresses)];
  return { goTo: '/', cookies: [...cookies, clearCookie('choice', addresses)] };
}

function strangerPage(visit: Visit, email: string): ConsoleAnswer {
  const { buttons, cookies } = ways(visit, 'another');
  const main = html`<p>
      You have signed in as <strong>${email}</strong>, and there is nothing here for that account: nobody is known by
      it, or they are let in no more. If you were invited, open the link in the mail. If you were here before, use the
      account that you used then.
    </p>
    ${buttons}`;
  return { status: 403, page: { title: 'Nobody is let in with this account', main }, cookies };
}

function choicePage(visit: Visit, { places, sealed }: Extract<Arrival, { kind: 'choice' }>): ConsoleAnswer {
  const { formToken, cookies } = visitToken(visit);
  const { addresses } = visit.house;
  const forms = places.map(
    (place) =>
      html`<form method="post" action="/sign-in/choice">
        ${tokenField(formToken)}<input type="hidden" name="place" value="${placeKey(place.standing)}" />
        <button>${nameOf(place)}</button>
      </form>`,
  );
  const main = html`<p>You are known in several places. Which one do you want to see?</p>
    <div class="choices">${forms}</div>`;
  return {
    page: { title: 'Where to?', main },
    cookies: [...cookies, writeCookie('choice', addresses, { value: sealed })],
  };
}

function nameOf({ workspaceName, standing }: Place): string {
  return standing.environment === 'production' ? workspaceName : `${workspaceName} (${standing.environment})`;
}

const choose: ConsolePath = {
  id: 'sign-in.choose',
  method: 'POST',
  path: '/sign-in/choice',
  summary: 'One of the places in which somebody is known',
  form: 'visit',
  async handle(visit) {
    const { house, headers, fields } = visit;
    const sealed = readCookie(headers, 'choice', house.addresses) ?? '';
    const session = await signInAt(house, { sealed, place: fields.get('place') ?? '' });
    return session === undefined ? stalePage : enter(visit, session);
  },
};

export const signInPaths: readonly ConsolePath[] = [showSignIn, comeBack, choose, signInWith];
