// The words of every table: sorting and paging.

import { defineTexts } from '../language/texts.ts';

export const tableTexts = defineTexts({
  en: {
    pages: 'Pages',
    first: 'First page',
    next: 'Next page',
    empty: 'Nothing to show.',
    showTable: 'Show as a table',
    monthEnds: (count: string) => `The first day, month ends and the last day of ${count} days.`,
  },
  de: {
    pages: 'Seiten',
    first: 'Erste Seite',
    next: 'Nächste Seite',
    empty: 'Nichts anzuzeigen.',
    showTable: 'Als Tabelle zeigen',
    monthEnds: (count) => `Der erste Tag, Monatsenden und der letzte Tag von ${count} Tagen.`,
  },
});
