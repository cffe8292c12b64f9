// The words that parts of pages say by themselves: the same on every page.

import { defineTexts } from '../language/texts.ts';

export const partsTexts = defineTexts({
  en: {
    optional: 'optional',
    choose: 'Choose',
    monthHint: 'Year and month, such as 2026-10.',
    errorsTitle: (count: number) =>
      count === 1 ? 'One entry needs your attention' : `${count} entries need your attention`,
    cancel: 'Cancel',
    applyFilter: 'Apply',
    clearFilter: 'Clear',
    filter: 'Filter',
    secretOnce: 'Shown only this once. Copy it now and keep it in a safe place.',
    copy: 'Copy',
    working: 'Working',
    progress: (done: string, total: string) => `${done} of ${total}`,
    deleteTitle: (name: string) => `Delete ${name}`,
    deleteFinal: 'This cannot be undone.',
    deleteTogether: 'This is deleted with it:',
    deleteBlocked: (name: string) => `${name} cannot be deleted while it still has:`,
    typeName: (name: string) => `To confirm, type ${name}`,
    delete: 'Delete',
    nameMismatch: (name: string) => `Type the name exactly: ${name}`,
  },
  de: {
    optional: 'freiwillig',
    choose: 'Bitte wählen',
    monthHint: 'Jahr und Monat, zum Beispiel 2026-10.',
    errorsTitle: (count) => (count === 1 ? 'Eine Angabe stimmt noch nicht' : `${count} Angaben stimmen noch nicht`),
    cancel: 'Abbrechen',
    applyFilter: 'Anwenden',
    clearFilter: 'Zurücksetzen',
    filter: 'Filtern',
    secretOnce: 'Wird nur dieses eine Mal gezeigt. Jetzt kopieren und sicher aufbewahren.',
    copy: 'Kopieren',
    working: 'In Arbeit',
    progress: (done, total) => `${done} von ${total}`,
    deleteTitle: (name) => `${name} löschen`,
    deleteFinal: 'Das lässt sich nicht rückgängig machen.',
    deleteTogether: 'Damit wird auch gelöscht:',
    deleteBlocked: (name) => `${name} lässt sich nicht löschen, solange noch vorhanden:`,
    typeName: (name) => `Zur Bestätigung ${name} eingeben`,
    delete: 'Löschen',
    nameMismatch: (name) => `Den Namen genau so eingeben: ${name}`,
  },
});
