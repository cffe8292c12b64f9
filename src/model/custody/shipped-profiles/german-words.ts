// What German banks have in common: how they write numbers and days, and their words.

import { wordsFor } from './declare-profile.ts';

export const germanFormats = { decimalMark: 'comma', dateOrder: 'day-month-year' } as const;
export const pendingWords = ['Vorgemerkt', 'Umsatz vorgemerkt*'];

/** The words of booking texts that say more than that money moved. */
export const bankTypes = wordsFor({
  interest: ['Zins*', 'Abschluss*', 'Habenzins*', 'Sollzins*'],
  fee: ['Entgelt*', 'Gebühr*', 'Kontoführung*', 'Depotentgelt*', 'Verwahrentgelt*'],
});
