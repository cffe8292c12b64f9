// What all mail has in common: a subject and the same text twice, moments in words, and the frame of the HTML version.

import { defined } from '../../../kit/assert.ts';

export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A moment in a time zone: `Sunday, 22 November 2026 at 13:00 CET`. */
export function formatMoment(timeZone: string, moment: number): string {
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
  // Joined here, because the default format differs between releases of Node.
  const part = (type: Intl.DateTimeFormatPartTypes): string =>
    defined(
      parts.find((candidate) => candidate.type === type),
      'the format has this part',
    ).value;
  const day = `${part('weekday')}, ${part('day')} ${part('month')} ${part('year')}`;
  return `${day} at ${part('hour')}:${part('minute')} ${part('timeZoneName')}`;
}

const pageStyle = 'margin:0;padding:24px;background:#ffffff;color:#1a1a1a;font:16px/1.5 system-ui,sans-serif';

/** The HTML version around its content; both are escaped already. */
export function mailPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
</head>
<body style="${pageStyle}">
<main role="main" style="max-width:560px;margin:0 auto">
${content}
</main>
</body>
</html>
`;
}
