// The limits of mail: how much may be queued, which refuses a request, and how much may be sent to an address, which delays mail.

import { dayMs, hourMs } from '../../kit/clock.ts';
import type { SendingLimits } from '../../store/queues/mail-queue.ts';
import type { MailLimit } from '../../store/queues/mails.ts';

/** For one workspace, in each environment: in all, and to one address. */
export interface MailLimits {
  readonly perHour: number;
  readonly perDay: number;
  readonly perAddressHour: number;
  readonly perAddressDay: number;
}

/** How long mail counts: it is sent within a day, and counts for a day from then on. */
export const mailCountingWindowMs = 2 * dayMs;

/** All workspaces together may send an address this many times what one may. */
const crossWorkspaceFactor = 4;

function hourlyAndDaily(perHour: number, perDay: number): readonly MailLimit[] {
  return [
    { count: perHour, withinMs: hourMs },
    { count: perDay, withinMs: dayMs },
  ];
}

/** What one client may queue for an address. */
export function addressLimits({ perAddressHour, perAddressDay }: MailLimits): readonly MailLimit[] {
  return hourlyAndDaily(perAddressHour, perAddressDay);
}

/** What a workspace may queue. */
export function workspaceLimits({ perHour, perDay }: MailLimits): readonly MailLimit[] {
  return hourlyAndDaily(perHour, perDay);
}

/** What an address is sent at most. The rest waits, and nobody learns of the mail that others send there. */
export function handoverLimits({ perAddressHour, perAddressDay }: MailLimits): SendingLimits {
  return {
    fromTenant: hourlyAndDaily(perAddressHour, perAddressDay),
    fromAll: [{ count: crossWorkspaceFactor * perAddressHour, withinMs: hourMs }],
  };
}
