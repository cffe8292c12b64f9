// The texts of the private-markets page.

import { defineTexts } from '../../language/texts.ts';

export const privateMarketsTexts = defineTexts({
  en: {
    lede: (date: string, currency: string) => `On ${date}; the total in ${currency}, each fund in its own currency.`,
    none: 'No private markets',
    noneText: 'This entity holds no private-market fund. A fund appears here with its first commitment or call.',
    committed: 'Promised',
    called: 'Called',
    uncalled: 'Not yet called',
    paidIn: 'Paid in',
    distributed: 'Paid back',
    value: 'Worth now',
    valueThen: 'Worth then',
    tvpi: 'Multiple',
    tvpiHint: 'paid back and worth now, of what was paid in (TVPI)',
    dpi: 'Paid back, multiple',
    pic: 'Paid in, of what was promised',
    irr: 'Return a year',
    irrHint: 'internal rate of return (IRR)',
    funds: 'Fund by fund',
    fund: 'Fund',
    currency: 'Currency',
    total: 'All funds',
    statedOn: (date: string) => `stated on ${date}`,
    curve: 'Paid in first, paid back later',
    curveMeaning:
      'Bars: paid back less paid in, up to each year’s end (the J-curve). Line: what the funds were worth then.',
    curveDescription: (net: string, value: string) =>
      `Paid back less paid in came to ${net}; what is left is worth ${value}.`,
    netCash: 'Paid back less paid in',
    year: 'Year',
  },
  de: {
    lede: (date, currency) => `Am ${date}; das Total in ${currency}, jeder Fonds in seiner eigenen Währung.`,
    none: 'Keine Privatmärkte',
    noneText:
      'Diese Einheit hält keinen Privatmarktfonds. Ein Fonds erscheint hier mit seiner ersten Zusage oder seinem ersten Abruf.',
    committed: 'Zugesagt',
    called: 'Abgerufen',
    uncalled: 'Noch nicht abgerufen',
    paidIn: 'Einbezahlt',
    distributed: 'Zurückbezahlt',
    value: 'Wert heute',
    valueThen: 'Wert damals',
    tvpi: 'Vielfaches',
    tvpiHint: 'Zurückbezahltes und heutiger Wert, im Verhältnis zum Einbezahlten (TVPI)',
    dpi: 'Zurückbezahlt, Vielfaches',
    pic: 'Einbezahlt, von der Zusage',
    irr: 'Rendite pro Jahr',
    irrHint: 'interner Zinsfuss (IRR)',
    funds: 'Fonds für Fonds',
    fund: 'Fonds',
    currency: 'Währung',
    total: 'Alle Fonds',
    statedOn: (date) => `Stand ${date}`,
    curve: 'Zuerst einbezahlt, später zurückbezahlt',
    curveMeaning:
      'Balken: zurückbezahlt abzüglich einbezahlt, bis zum Ende jedes Jahres (die J-Kurve). Linie: was damals übrig war.',
    curveDescription: (net, value) =>
      `Zurückbezahlt abzüglich einbezahlt ergibt ${net}; was übrig ist, hat einen Wert von ${value}.`,
    netCash: 'Zurückbezahlt abzüglich einbezahlt',
    year: 'Jahr',
  },
});
