// The status of an invite's mail, as it is shown with the invite.

import { instant, oneOf, text } from '../../../kit/field.ts';
import { objectOf } from '../../../kit/structured-field.ts';

const mailStatuses = ['queued', 'sent', 'failed'] as const;
export type MailStatus = (typeof mailStatuses)[number];

export interface MailProgress {
  readonly status: MailStatus;
  readonly at: number;
  readonly failure: string | null;
}

export const mailProgress = objectOf({
  status: {
    kind: oneOf(mailStatuses),
    description:
      '`queued` until the mail server accepts it, `sent` afterwards, `failed` if the server refused the address or could not be reached for a day.',
  },
  at: { kind: instant, description: 'Since when it has this status.' },
  failure: { kind: text({ lengthMax: 500 }), description: 'Why it failed.', optional: true },
});
