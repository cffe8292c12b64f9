// The words of every table: sorting and paging.

import { defineTexts } from '../language/texts.ts';

export const tableTexts = defineTexts({
  en: {
    pages: 'Pages',
    first: 'First page',
    next: 'Next page',
    empty: 'Nothing to show.',
    showTable: 'Show as a table',
    tooManyRows: (most: string, call: string) =>
      `A file has at most ${most} rows, and there are more. Choose less, such as a shorter period, or read them all by API: ${call}.`,
    fileUnderWay: 'The file is being made',
    working: 'Working',
    fileBegun: 'It has begun.',
    rowsSoFar: (count: string) => `${count} rows so far`,
    fileStays: 'You may leave this page and come back to its address: the work goes on.',
    fileReady: 'The file is ready',
    fileReadyText: 'Your browser takes it by itself. It is kept for five minutes.',
    takeFile: 'Take the file',
    backToPage: 'Back to the table',
    monthEnds: (count: string) => `The first day, month ends and the last day of ${count} days.`,
  },
  de: {
    pages: 'Seiten',
    first: 'Erste Seite',
    next: 'Nächste Seite',
    empty: 'Nichts anzuzeigen.',
    showTable: 'Als Tabelle zeigen',
    tooManyRows: (most, call) =>
      `Eine Datei hat höchstens ${most} Zeilen, und es sind mehr. Wählen Sie weniger, etwa einen kürzeren Zeitraum, oder lesen Sie alle über die Schnittstelle: ${call}.`,
    fileUnderWay: 'Die Datei wird erstellt',
    working: 'In Arbeit',
    fileBegun: 'Es hat begonnen.',
    rowsSoFar: (count) => `${count} Zeilen bisher`,
    fileStays: 'Sie können diese Seite verlassen und zu ihrer Adresse zurückkehren: Die Arbeit geht weiter.',
    fileReady: 'Die Datei ist bereit',
    fileReadyText: 'Ihr Browser nimmt sie von selbst. Sie wird fünf Minuten aufbewahrt.',
    takeFile: 'Datei mitnehmen',
    backToPage: 'Zurück zur Tabelle',
    monthEnds: (count) => `Der erste Tag, Monatsenden und der letzte Tag von ${count} Tagen.`,
  },
});
