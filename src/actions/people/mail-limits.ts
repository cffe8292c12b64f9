// How much mail there may be: what is refused when it is put in line, and what is held back when its turn comes. Sends nothing.

import { dayMs, hourMs } from '../../kit/clock.ts';
import type { SendingLimits } from '../../store/queues/mail-queue.ts';
import type { MailLimit } from '../../store/queues/mails.ts';

/** From one workspace, in each environment: in all, and to one address. */
export interface MailLimits {
  readonly perHour: number;
  readonly perDay: number;
  readonly perAddressHour: number;
  readonly perAddressDay: number;
}

/** A day until it is handed over at the latest, and a day from then on. */
export const mailCountingWindowMs = 2 * dayMs;

/** What all workspaces together hand an address is so many times what one may. */
const crossWorkspaceFactor = 4;

function hourlyAndDaily(perHour: number, perDay: number): readonly MailLimit[] {
  return [
    { count: perHour, withinMs: hourMs },
    { count: perDay, withinMs: dayMs },
  ];
}

/** What one client may put in line for an address. */
export function addressLimits({ perAddressHour, perAddressDay }: MailLimits): readonly MailLimit[] {
  return hourlyAndDaily(perAddressHour, perAddressDay);
}

/** What a workspace may put in line. */
export function workspaceLimits({ perHour, perDay }: MailLimits): readonly MailLimit[] {
  return hourlyAndDaily(perHour, perDay);
}

/** What an address is handed at most; the rest waits, and nobody is told for whom. */
export function handoverLimits({ perAddressHour, perAddressDay }: MailLimits): SendingLimits {
  return {
    fromTenant: hourlyAndDaily(perAddressHour, perAddressDay),
    fromAll: [{ count: crossWorkspaceFactor * perAddressHour, withinMs: hourMs }],
  };
}
