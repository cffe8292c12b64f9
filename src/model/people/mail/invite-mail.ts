// The mail that an invite is told by: who invites, to what, until when, and what to do if nobody was expected to. As text and as HTML
// that says the same, loads nothing from anywhere, and can be read aloud.

import { escapeHtml } from '../../../kit/html.ts';
import { safeDisplayName } from './display-name.ts';

export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface InviteMail {
  /** Who invites: a person, or the workspace. */
  readonly inviter: string;
  readonly clientName: string;
  readonly link: string;
  readonly expiresAt: number;
  /** In which the moment is told. */
  readonly timeZone: string;
}

function formatMoment(timeZone: string, moment: number): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
    timeZoneName: 'short',
  }).formatToParts(moment);
  // Put together here, since how others do it changes from release to release.
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((one) => one.type === type)!.value;
  const day = `${part('weekday')}, ${part('day')} ${part('month')} ${part('year')}`;
  return `${day} at ${part('hour')}:${part('minute')} ${part('timeZoneName')}`;
}

export function composeInviteMail({ inviter, clientName, link, expiresAt, timeZone }: InviteMail): MailContent {
  const [who, what] = [safeDisplayName(inviter), safeDisplayName(clientName)];
  const subject = `Invitation to ${what}`;
  const todo = 'To accept, open this link and sign in:';
  const until = `The link is for you alone. It works once, until ${formatMoment(timeZone, expiresAt)}.`;
  const otherwise =
    'If you did not expect this, ignore this message: nothing happens unless you accept. Do not pass it on, since whoever has the link can see that you were invited.';
  const text = [`${who} invites you to ${what} on Holdfast.`, todo, link, until, otherwise].join('\n\n');
  return { subject, text: `${text}\n`, html: renderHtml({ subject, who, what, todo, link, until, otherwise }) };
}

const page = 'margin:0;padding:24px;background:#ffffff;color:#1a1a1a;font:16px/1.5 system-ui,sans-serif';
const button =
  'display:inline-block;padding:12px 20px;background:#0b4f6c;color:#ffffff;text-decoration:none;border-radius:4px';

function renderHtml(
  parts: Readonly<Record<'subject' | 'who' | 'what' | 'todo' | 'link' | 'until' | 'otherwise', string>>,
): string {
  const escaped = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, escapeHtml(part)]));
  const { subject, who, what, todo, link, until, otherwise } = escaped as typeof parts;
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${subject}</title>
</head>
<body style="${page}">
<main role="main" style="max-width:560px;margin:0 auto">
<h1 style="font-size:20px;margin:0 0 16px">Invitation to <bdi>${what}</bdi></h1>
<p><bdi>${who}</bdi> invites you to <bdi>${what}</bdi> on Holdfast.</p>
<p>${todo}</p>
<p><a href="${link}" style="${button}">Accept the invitation</a></p>
<p>If the button does not work, copy this address into a browser:<br><a href="${link}" style="color:#0b4f6c;word-break:break-all">${link}</a></p>
<p>${until}</p>
<p>${otherwise}</p>
</main>
</body>
</html>
`;
}
