// What is shown to whoever has the link of an invite: who invites them and to what, that it is over, or that they came with another
// account than the one it is for.

import { findInviteBySecret, type InviteAtTheDoor, type Wrong } from '../../../actions/people/invite.ts';
import { pathNotFound } from '../../http/pipeline/admission.ts';
import { html, type Html } from '../../../kit/html.ts';
import { isProviderKey, type ProviderKey, type VerifiedIdentity } from '../../../model/people/identity.ts';
import type { InviteState } from '../../../model/people/invite-state.ts';
import { visitToken, type ConsoleAnswer, type ConsolePath, type Visit } from '../web-path.ts';
import { depart, noProviders, providerButtons } from './identity-provider.ts';

type Over = Exclude<InviteState, 'pending'>;

const over: Readonly<Record<Over | 'unknown', { status: number; title: string; text: string }>> = {
  accepted: {
    status: 410,
    title: 'This link has been used',
    text: 'An invite lets one person in, once. If it was you, sign in. If not, tell whoever sent it to you.',
  },
  cancelled: {
    status: 410,
    title: 'This invite was cancelled',
    text: 'Whoever sent it has taken it back, or has sent a newer one: only the link in the newest mail works.',
  },
  expired: {
    status: 410,
    title: 'This invite has expired',
    text: 'An invite holds for seven days. Ask whoever sent it to you for a new one.',
  },
  unknown: {
    status: 404,
    title: 'There is no such invite',
    text: 'Perhaps the address was not copied whole. Open the link in the mail once more, or ask for a new invite.',
  },
};

function overPage(state: Over | 'unknown'): ConsoleAnswer {
  const { status, title, text } = over[state];
  return {
    status,
    page: {
      title,
      main: html`<p>${text}</p>
        <p><a href="/sign-in">Sign in</a></p>`,
    },
  };
}

/** Enough to recognise one's own, and not enough to learn somebody else's. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const [first = ''] = address;
  return `${at > 0 ? first : ''}…${address.slice(at)}`;
}

function moment(at: number): string {
  const form = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${form.format(at)} UTC`;
}

function addressOf({ invite, person }: InviteAtTheDoor): string {
  return maskAddress(invite.email ?? person.contactEmail);
}

/** Those that the invite can be accepted with. */
function allowed({ providers }: Visit, { invite }: InviteAtTheDoor) {
  return providers.list().filter(({ key }) => (invite.identityProvider ?? key) === key);
}

function buttons(visit: Visit, found: InviteAtTheDoor, as: 'whoever' | 'another', formToken: string): Html {
  const action = (): string => `/invites/${encodeURIComponent(visit.params['secret'] ?? '')}/sign-in`;
  const providers = allowed(visit, found);
  if (providers.length > 0) return providerButtons({ providers, formToken, as, action });
  if (visit.providers.list().length === 0) return noProviders;
  return html`<p>This invite asks for an identity provider that is not configured here. Ask for a new one.</p>`;
}

function invitePage(visit: Visit, found: InviteAtTheDoor): ConsoleAnswer {
  const { clientName, workspaceName, invite } = found;
  const { formToken, cookies } = visitToken(visit);
  const main = html`<p><strong>${workspaceName}</strong> invites you to <strong>${clientName}</strong>.</p>
    <p>To accept, sign in with your account for the address <strong>${addressOf(found)}</strong>.</p>
    ${buttons(visit, found, 'whoever', formToken)}
    <p class="soft">
      The invite holds until ${moment(invite.expiresAt)}. If you did not expect it, close this page: nothing has
      happened.
    </p>`;
  return { page: { title: `You are invited to ${clientName}`, main }, cookies };
}

const showInvite: ConsolePath = {
  id: 'invite',
  method: 'GET',
  path: '/invites/{secret}',
  summary: 'An invite, to whoever has its link. Changes nothing: programs that look at mail open links too',
  async handle(visit) {
    const found = await findInviteBySecret(visit.house, visit.params['secret'] ?? '');
    if (found === undefined) return overPage('unknown');
    return found.state === 'pending' ? invitePage(visit, found) : overPage(found.state);
  },
};

const acceptWith: ConsolePath = {
  id: 'invite.sign-in',
  method: 'POST',
  path: '/invites/{secret}/sign-in',
  summary: 'Off to an identity provider, to accept an invite',
  form: 'visit',
  async handle(visit) {
    const secret = visit.params['secret'] ?? '';
    const found = await findInviteBySecret(visit.house, secret);
    if (found === undefined) return overPage('unknown');
    if (found.state !== 'pending') return overPage(found.state);
    return depart(visit, { provider: providerIn(visit, found), invite: secret });
  },
};

function providerIn(visit: Visit, found: InviteAtTheDoor): ProviderKey {
  const key = visit.fields.get('provider') ?? '';
  if (!isProviderKey(key) || !allowed(visit, found).some((provider) => provider.key === key)) throw pathNotFound();
  return key;
}

export const invitePaths: readonly ConsolePath[] = [showInvite, acceptWith];

function whyWrong(reason: Wrong['reason'], { email }: VerifiedIdentity, found: InviteAtTheDoor): Html {
  switch (reason) {
    case 'unverified':
      return html`<p>
        You have signed in as <strong>${email}</strong>, and the identity provider has not verified that this address is
        yours. Verify it there, then try again.
      </p>`;
    case 'account':
      return html`<p>
        You have signed in as <strong>${email}</strong>. That account is already another user’s here. The invite is for
        <strong>${addressOf(found)}</strong>.
      </p>`;
    case 'provider':
      return html`<p>
        You have signed in as <strong>${email}</strong>. The invite asks for another identity provider.
      </p>`;
    default:
      return html`<p>
        You have signed in as <strong>${email}</strong>. The invite is for <strong>${addressOf(found)}</strong>.
      </p>`;
  }
}

/** Who came back is not whom the invite is for, or it is over by now. Nothing has been used up. */
export async function wrongPage(
  visit: Visit,
  { invite, identity, reason }: { invite: string; identity: VerifiedIdentity; reason: Wrong['reason'] },
): Promise<ConsoleAnswer> {
  const found = await findInviteBySecret(visit.house, invite);
  if (found === undefined || reason === 'unknown') return overPage('unknown');
  if (reason === 'accepted' || reason === 'cancelled' || reason === 'expired') return overPage(reason);
  if (reason === 'disabled') return disabledPage(found);
  const { formToken, cookies } = visitToken(visit);
  const again = buttons({ ...visit, params: { secret: invite } }, found, 'another', formToken);
  const main = html`${whyWrong(reason, identity, found)}
    <p>The invite has not been used up.</p>
    ${again}`;
  return { status: 403, page: { title: 'This is another account', main }, cookies };
}

function disabledPage({ clientName }: InviteAtTheDoor): ConsoleAnswer {
  const main = html`<p>
    You cannot join ${clientName} at the moment: your access there is disabled. Ask whoever invited you.
  </p>`;
  return { status: 403, page: { title: 'Your access is disabled', main } };
}
