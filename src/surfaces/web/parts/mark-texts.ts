// The words of the marks, the same on all pages.

import { defineTexts } from '../language/texts.ts';

export const markTexts = defineTexts({
  en: {
    legend: 'What the marks mean',
    old: 'Old',
    oldMeaning: 'the last price or exchange rate is older than it should be.',
    estimated: 'Estimated',
    estimatedMeaning: 'there is no price: the value is taken from a trade, the cost or what was paid in.',
    incomplete: 'Incomplete',
    incompleteMeaning: 'something is missing, so that the figure leaves it out.',
    oldValue: (date: string) => `Old value, of ${date}`,
    oldRate: (date: string) => `Old exchange rate, of ${date}`,
    estimatedFrom: (date: string) => `Estimated, from ${date}`,
    estimatedCost: 'Cost estimated',
  },
  de: {
    legend: 'Was die Zeichen bedeuten',
    old: 'Alt',
    oldMeaning: 'Der letzte Kurs oder Wechselkurs ist älter, als er sein sollte.',
    estimated: 'Geschätzt',
    estimatedMeaning: 'Es gibt keinen Kurs: Der Wert stammt aus einem Handel, dem Einstand oder dem Einbezahlten.',
    incomplete: 'Unvollständig',
    incompleteMeaning: 'Etwas fehlt, darum ist es in der Zahl nicht enthalten.',
    oldValue: (date) => `Alter Wert, vom ${date}`,
    oldRate: (date) => `Alter Wechselkurs, vom ${date}`,
    estimatedFrom: (date) => `Geschätzt, vom ${date}`,
    estimatedCost: 'Einstand geschätzt',
  },
});
