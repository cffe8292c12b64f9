// How the mail of an invite stands, as it is shown with the invite. Knows nothing of what is in it.

import { instant, oneOf, text } from '../../../kit/field.ts';
import { objectOf } from '../../../kit/structured-field.ts';

export const mailStatuses = ['queued', 'sent', 'failed'] as const;
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
      '`queued` until the mail server has taken it, `sent` from then on, `failed` where it refused the address or could not be reached for a day.',
  },
  at: { kind: instant, description: 'Since when.' },
  failure: { kind: text({ lengthMax: 500 }), description: 'Why it failed.', optional: true },
});
