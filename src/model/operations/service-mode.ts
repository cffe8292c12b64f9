// The mode that an operator sets for the whole service: what it does meanwhile, and what callers and people are told.

import { hourMs, secondMs } from '../../kit/clock.ts';
import { Refusal } from '../../kit/refusal.ts';

/** From what allows everything to what allows nothing. */
export const serviceModes = ['normal', 'read-only', 'maintenance'] as const;
export type ServiceMode = (typeof serviceModes)[number];

export interface ModeNotice {
  readonly mode: ServiceMode;
  /** What the operator tells whoever is refused; null for nothing. */
  readonly message: string | null;
  /** When the operator expects the mode to end; null if that is not known. The mode lasts until the operator ends it. */
  readonly until: number | null;
}

export const normalMode: ModeNotice = { mode: 'normal', message: null, until: null };

/** In characters. */
export const modeMessageLengthMax = 500;

/** The one that allows less; the first of two that allow the same. */
export function stricterMode(first: ModeNotice, second: ModeNotice): ModeNotice {
  const rank = ({ mode }: ModeNotice): number => serviceModes.indexOf(mode);
  return rank(second) > rank(first) ? second : first;
}

/** A refusal because of the mode, with the notice itself for pages, which tell it in the language of their reader. */
export class ModeRefusal extends Refusal {
  readonly notice: ModeNotice;

  constructor(code: string, detail: string, { notice, now }: { readonly notice: ModeNotice; readonly now: number }) {
    super(code, detail, { retryAfterSeconds: retryAfterSeconds(notice, now) });
    this.notice = notice;
  }
}

/** How soon to ask again where nobody knows when the mode ends. */
const usualRetrySeconds = 30;

/** A mode may end earlier than expected, so nobody is sent away for longer than an hour. */
function retryAfterSeconds({ until }: ModeNotice, now: number): number {
  if (until === null || until <= now) return usualRetrySeconds;
  return Math.ceil(Math.min(until - now, hourMs) / secondMs);
}

/** The moment as an operator writes it: `2026-11-20 06:00 UTC`. */
export function momentInUtc(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** The operator's words as a sentence of their own. */
function sentenceOf(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** Refuses a change in read-only mode, and everything in maintenance. */
export function refusalInMode(notice: ModeNotice, now: number): ModeRefusal | undefined {
  const { mode, message, until } = notice;
  const end = until === null ? '' : ` until ${momentInUtc(until)}`;
  const words = message === null ? '' : ` ${sentenceOf(message)}`;
  switch (mode) {
    case 'normal':
      return undefined;
    case 'read-only': {
      const detail = `The operator has made the service read-only${end}.${words} Everything can be read. Nothing was changed.`;
      return new ModeRefusal('read-only-mode', detail, { notice, now });
    }
    case 'maintenance': {
      const detail = `The service is under maintenance${end}.${words} Nothing was changed.`;
      return new ModeRefusal('maintenance', detail, { notice, now });
    }
  }
}
