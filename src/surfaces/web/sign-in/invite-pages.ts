// The pages behind the link of an invite: the invite itself, why it can no longer be used, and that the person signed in with another
// account than the invited one.

import { findInviteBySecret } from '../../../actions/people/invite-acceptance.ts';
import type { InviteRejection, OpenedInvite } from '../../../actions/people/invite-result.ts';
import { pathNotFound } from '../../http/pipeline/admission.ts';
import { html, type Html } from '../../../kit/html.ts';
import { isProviderKey, type ProviderKey, type VerifiedIdentity } from '../../../model/people/identity.ts';
import type { InviteState } from '../../../model/people/invite-state.ts';
import { visitorFormToken, type WebResponse, type WebPath, type PageRequest } from '../web-path.ts';
import { sendToProvider, noProvidersMessage, providerButtons } from './identity-provider.ts';
import { breakable } from '../parts/breakable.ts';

type EndedState = Exclude<InviteState, 'pending'>;

const endedTexts: Readonly<Record<EndedState | 'unknown', { status: number; title: string; text: string }>> = {
  accepted: {
    status: 410,
    title: 'This invite has already been used',
    text: 'An invite works once, for one person. If you accepted it, sign in. If you did not, tell the person who sent it to you.',
  },
  cancelled: {
    status: 410,
    title: 'This invite was cancelled',
    text: 'The sender cancelled it or sent a newer one. Only the link in the newest mail works.',
  },
  expired: {
    status: 410,
    title: 'This invite has expired',
    text: 'An invite is valid for seven days, a link that the service printed for one. Ask for a new one.',
  },
  unknown: {
    status: 404,
    title: 'This invite does not exist',
    text: 'The link may not have been copied completely. Open the link in the mail again, or ask for a new invite.',
  },
};

function endedPage(state: EndedState | 'unknown'): WebResponse {
  const { status, title, text } = endedTexts[state];
  return {
    status,
    page: {
      title,
      main: html`<p>${text}</p>
        <p><a href="/sign-in">Sign in</a></p>`,
    },
  };
}

/** Shows enough of an address to recognise one's own, and too little to learn somebody else's. */
function maskEmail(address: string): string {
  const at = address.lastIndexOf('@');
  const [first = ''] = address;
  return `${at > 0 ? first : ''}…${address.slice(at)}`;
}

function momentText(at: number): string {
  const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${dateFormat.format(at)} UTC`;
}

function maskedInviteEmail({ address }: OpenedInvite): string {
  return maskEmail(address ?? '');
}

/** The providers that the invite can be accepted with. */
function allowedProviders({ providers }: PageRequest, { identityProvider }: OpenedInvite) {
  return providers.list().filter(({ key }) => (identityProvider ?? key) === key);
}

function inviteButtons(
  pageRequest: PageRequest,
  found: OpenedInvite,
  as: 'anyone' | 'another',
  formToken: string,
): Html {
  const action = (): string => `/invites/${encodeURIComponent(pageRequest.params['secret'] ?? '')}/sign-in`;
  const providers = allowedProviders(pageRequest, found);
  if (providers.length > 0) return providerButtons({ providers, formToken, as, action });
  if (pageRequest.providers.list().length === 0) return noProvidersMessage;
  return html`<p>This invite requires an identity provider that is not available here. Ask for a new invite.</p>`;
}

function invitePage(pageRequest: PageRequest, found: OpenedInvite): WebResponse {
  const { clientName, workspaceName, address, expiresAt } = found;
  const { formToken, cookies } = visitorFormToken(pageRequest);
  const invitation =
    clientName === null
      ? html`<p>
          With this link you become an administrator of <strong>${workspaceName}</strong>, with all its clients.
        </p>`
      : html`<p><strong>${workspaceName}</strong> invites you to <strong>${clientName}</strong>.</p>`;
  const account =
    address === null
      ? html`<p>To accept, sign in with the account that you want to use here from now on.</p>`
      : html`<p>
          To accept, sign in with your account for the address <strong>${breakable(maskedInviteEmail(found))}</strong>.
        </p>`;
  const main = html`${invitation} ${account} ${inviteButtons(pageRequest, found, 'anyone', formToken)}
    <p class="soft">
      The invite is valid until ${momentText(expiresAt)}. If you did not expect it, close this page: nothing has been
      changed.
    </p>`;
  return {
    page: { title: clientName === null ? `Administer ${workspaceName}` : `You are invited to ${clientName}`, main },
    cookies,
  };
}

const showInvite: WebPath = {
  id: 'invite',
  method: 'GET',
  path: '/invites/{secret}',
  summary: 'An invite, for the holder of its link. Changes nothing, since mail scanners open links too',
  async handle(pageRequest) {
    const found = await findInviteBySecret(pageRequest.context, pageRequest.params['secret'] ?? '');
    if (found === undefined) return endedPage('unknown');
    return found.state === 'pending' ? invitePage(pageRequest, found) : endedPage(found.state);
  },
};

const acceptInvite: WebPath = {
  id: 'invite.sign-in',
  method: 'POST',
  path: '/invites/{secret}/sign-in',
  summary: 'Goes to an identity provider to accept an invite',
  form: 'visit',
  async handle(pageRequest) {
    const secret = pageRequest.params['secret'] ?? '';
    const found = await findInviteBySecret(pageRequest.context, secret);
    if (found === undefined) return endedPage('unknown');
    if (found.state !== 'pending') return endedPage(found.state);
    return sendToProvider(pageRequest, { provider: chosenProvider(pageRequest, found), invite: secret });
  },
};

function chosenProvider(pageRequest: PageRequest, found: OpenedInvite): ProviderKey {
  const key = pageRequest.fields.get('provider') ?? '';
  if (!isProviderKey(key) || !allowedProviders(pageRequest, found).some((provider) => provider.key === key))
    throw pathNotFound();
  return key;
}

export const invitePages: readonly WebPath[] = [showInvite, acceptInvite];

function wrongAccountReason(reason: InviteRejection['reason'], { email }: VerifiedIdentity, found: OpenedInvite): Html {
  switch (reason) {
    case 'unverified':
      return html`<p>
        You signed in as <strong>${breakable(email)}</strong>, but the identity provider has not verified that this
        address is yours. Verify it with the provider, then try again.
      </p>`;
    case 'account':
      return html`<p>
        You signed in as <strong>${breakable(email)}</strong>, but that account already belongs to another user.
        ${
          found.address === null
            ? 'Use an account of your own.'
            : html`The invite is for <strong>${breakable(maskedInviteEmail(found))}</strong>.`
        }
      </p>`;
    case 'provider':
      return html`<p>
        You signed in as <strong>${breakable(email)}</strong>, but the invite requires another identity provider.
      </p>`;
    default:
      return html`<p>
        You signed in as <strong>${breakable(email)}</strong>, but the invite is for
        <strong>${breakable(maskedInviteEmail(found))}</strong>.
      </p>`;
  }
}

/** Shown if the person signed in with another account than the invited one, or the invite has ended. The invite stays unused. */
export async function wrongAccountPage(
  pageRequest: PageRequest,
  { invite, identity, reason }: { invite: string; identity: VerifiedIdentity; reason: InviteRejection['reason'] },
): Promise<WebResponse> {
  const found = await findInviteBySecret(pageRequest.context, invite);
  if (found === undefined || reason === 'unknown') return endedPage('unknown');
  if (reason === 'accepted' || reason === 'cancelled' || reason === 'expired') return endedPage(reason);
  if (reason === 'disabled') return disabledPage(found);
  const { formToken, cookies } = visitorFormToken(pageRequest);
  const retryButtons = inviteButtons({ ...pageRequest, params: { secret: invite } }, found, 'another', formToken);
  const main = html`${wrongAccountReason(reason, identity, found)}
    <p>The invite has not been used and still works.</p>
    ${retryButtons}`;
  return { status: 403, page: { title: 'This is not the invited account', main }, cookies };
}

function disabledPage({ clientName }: OpenedInvite): WebResponse {
  const main = html`<p>
    Your access to ${clientName ?? 'this workspace'} is disabled, so you cannot join it now. Ask the person who invited
    you.
  </p>`;
  return { status: 403, page: { title: 'Your access is disabled', main } };
}
