// The texts that every page shows around its content.

import { defineTexts } from './language/texts.ts';

export const layoutTexts = defineTexts({
  en: {
    skip: 'Skip to content',
    mainMenu: 'Main',
    sandbox: 'Sandbox',
    sandboxMeaning: ': nothing here is real',
    production: 'Production',
    signedIn: 'Signed in',
    yourAccount: 'Your account and sessions',
    signOut: 'Sign out',
    signOutEverywhere: 'Sign out everywhere',
  },
  de: {
    skip: 'Zum Inhalt',
    mainMenu: 'Hauptmenü',
    sandbox: 'Sandbox',
    sandboxMeaning: ': nichts hier ist echt',
    production: 'Produktion',
    signedIn: 'Angemeldet',
    yourAccount: 'Konto und Sitzungen',
    signOut: 'Abmelden',
    signOutEverywhere: 'Überall abmelden',
  },
  same: ['sandbox'],
});
