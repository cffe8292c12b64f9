// The words of pages that show a problem. What the API says about it is English, and so marked for readers of another language.

import { defineTexts } from './language/texts.ts';

export const problemTexts = defineTexts({
  en: {
    support: (requestId: string) =>
      `If this keeps happening, contact support and quote the request number ${requestId}.`,
    start: 'To the overview',
    noPage: 'This page does not exist',
    noPageText: 'Check the address, or begin at the overview.',
    forbidden: 'Not allowed',
    notFound: 'Not found',
    conflict: 'This is not possible now',
    tooMany: 'Too many requests',
    unavailable: 'Not available for a moment',
    failed: 'Something went wrong',
    refused: 'This was refused',
    maintenance: 'Under maintenance',
    maintenanceText:
      'We are working on Holdfast, so it cannot be used for the moment. Your data is safe: nothing is lost.',
    looksAgain: 'This page looks by itself whether the work is done. You need not do anything.',
    readOnly: 'Nothing can be changed at the moment',
    readOnlyText: 'You can read everything. What you have just sent was not stored: please try again later.',
    until: (moment: string) => `We expect this to end on ${moment}.`,
  },
  de: {
    support: (requestId) =>
      `Wenn das immer wieder geschieht, melden Sie sich beim Support und nennen Sie die Nummer der Anfrage ${requestId}.`,
    start: 'Zur Übersicht',
    noPage: 'Diese Seite gibt es nicht',
    noPageText: 'Prüfen Sie die Adresse, oder beginnen Sie bei der Übersicht.',
    forbidden: 'Nicht erlaubt',
    notFound: 'Nicht gefunden',
    conflict: 'Das geht jetzt nicht',
    tooMany: 'Zu viele Anfragen',
    unavailable: 'Für einen Moment nicht verfügbar',
    failed: 'Etwas ist schiefgegangen',
    refused: 'Das wurde abgelehnt',
    maintenance: 'Wartungsarbeiten',
    maintenanceText:
      'Wir arbeiten an Holdfast, deshalb ist es gerade nicht erreichbar. Ihre Daten sind sicher: Es geht nichts verloren.',
    looksAgain: 'Diese Seite prüft selbst, ob die Arbeiten beendet sind. Sie müssen nichts tun.',
    readOnly: 'Zurzeit kann nichts geändert werden',
    readOnlyText:
      'Sie können alles lesen. Was Sie eben gesendet haben, wurde nicht gespeichert: Bitte versuchen Sie es später noch einmal.',
    until: (moment) => `Voraussichtliches Ende: ${moment}.`,
  },
});

type ProblemText = (typeof problemTexts)['en'];

const titles: Readonly<Record<number, Exclude<keyof ProblemText, 'support' | 'until'>>> = {
  403: 'forbidden',
  404: 'notFound',
  409: 'conflict',
  429: 'tooMany',
  503: 'unavailable',
};

/** What happened, in words for every status. */
export function problemTitle(text: ProblemText, status: number): string {
  return text[titles[status] ?? (status >= 500 ? 'failed' : 'refused')];
}
