// Composes the mail of an invite: who invites, to which client, until when, and what to do if it is unexpected. The text and the HTML
// version say the same; the HTML loads nothing and works with screen readers.

import { escapeHtml } from '../../../kit/html.ts';
import { safeDisplayName } from './display-name.ts';
import { formatMoment, mailPage, type MailContent } from './mail-text.ts';

export interface InviteMail {
  /** The name of the person who invites, or of the workspace. */
  readonly inviter: string;
  readonly clientName: string;
  readonly link: string;
  readonly expiresAt: number;
  /** The time zone in which the expiry is shown. */
  readonly timeZone: string;
}

export function composeInviteMail({ inviter, clientName, link, expiresAt, timeZone }: InviteMail): MailContent {
  const [who, what] = [safeDisplayName(inviter), safeDisplayName(clientName)];
  const subject = `Invitation to ${what}`;
  const instruction = 'To accept, open this link and sign in:';
  const validity = `The link is only for you. It works once, until ${formatMoment(timeZone, expiresAt)}.`;
  const warning =
    'If you did not expect this invitation, ignore this message: nothing happens unless you accept. Do not forward it: anyone with the link can see that you were invited.';
  const text = [`${who} invites you to ${what} on Holdfast.`, instruction, link, validity, warning].join('\n\n');
  return { subject, text: `${text}\n`, html: renderHtml({ subject, who, what, instruction, link, validity, warning }) };
}

export interface AdministratorMail extends Omit<InviteMail, 'clientName'> {
  readonly workspaceName: string;
  readonly environment: 'production' | 'sandbox';
}

/** The same mail for an administrator, who is invited to the whole workspace. */
export function composeAdministratorMail({ workspaceName, environment, ...mail }: AdministratorMail): MailContent {
  const scope = environment === 'production' ? '' : ` (${environment})`;
  return composeInviteMail({ ...mail, clientName: `administer ${workspaceName}${scope}` });
}

const button =
  'display:inline-block;padding:12px 20px;background:#0b4f6c;color:#ffffff;text-decoration:none;border-radius:4px';

function renderHtml(
  parts: Readonly<Record<'subject' | 'who' | 'what' | 'instruction' | 'link' | 'validity' | 'warning', string>>,
): string {
  const escaped = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, escapeHtml(part)]));
  const { subject, who, what, instruction, link, validity, warning } = escaped as typeof parts;
  return mailPage(
    subject,
    `<h1 style="font-size:20px;margin:0 0 16px">Invitation to <bdi>${what}</bdi></h1>
<p><bdi>${who}</bdi> invites you to <bdi>${what}</bdi> on Holdfast.</p>
<p>${instruction}</p>
<p><a href="${link}" style="${button}">Accept the invitation</a></p>
<p>If the button does not work, copy this address into a browser:<br><a href="${link}" style="color:#0b4f6c;word-break:break-all">${link}</a></p>
<p>${validity}</p>
<p>${warning}</p>`,
  );
}
