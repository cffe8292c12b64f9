// Composes the mail that tells the administrators of a client that a consent ends soon. The text and the HTML version say the same.

import { escapeHtml } from '../../../kit/html.ts';
import { safeDisplayName } from './display-name.ts';
import { formatMoment, mailPage, type MailContent } from './mail-text.ts';

export interface ConsentEndMail {
  readonly clientName: string;
  readonly legalEntityName: string;
  readonly custodianName: string;
  readonly expiresAt: number;
  /** The time zone in which the end is shown. */
  readonly timeZone: string;
}

export function composeConsentEndMail(mail: ConsentEndMail): MailContent {
  const [client, entity, custodian] = [mail.clientName, mail.legalEntityName, mail.custodianName].map(safeDisplayName);
  const subject = `Consent for ${custodian} ends soon`;
  const paragraphs = [
    `The consent of ${entity} (${client}) that ${custodian} sends its data to Holdfast ends on ${formatMoment(mail.timeZone, mail.expiresAt)}.`,
    'After that no more data comes in. To keep it coming, an administrator of your workspace reconnects the authority before then.',
    'You receive this message because you administer this client.',
  ];
  const escaped = paragraphs.map((one) => `<p>${escapeHtml(one)}</p>`);
  const heading = `<h1 style="font-size:20px;margin:0 0 16px">${escapeHtml(subject)}</h1>`;
  return {
    subject,
    text: `${paragraphs.join('\n\n')}\n`,
    html: mailPage(escapeHtml(subject), [heading, ...escaped].join('\n')),
  };
}
