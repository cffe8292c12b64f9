// What the API warns about, in words, beside the figures it concerns.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { warningTexts as english, type WarningCode } from '../../../../model/report/warning.ts';
import { defineTexts } from '../../language/texts.ts';
import { markHtml, type MarkKind } from '../../parts/marks.ts';
import { note } from '../../parts/notes.ts';
import type { EntityView } from '../entity-view.ts';
import { performanceTexts } from './performance-texts.ts';

export const reportWarningTexts = defineTexts({
  en: { ...english },
  de: {
    'nothing-covered': 'Es gibt nichts zu berichten: In diesem Zeitraum wurde nichts gehalten und nichts bewegt.',
    'nothing-invested':
      'Was etwas verdienen konnte, hat niemand angelegt: Termingeschäfte, Leerverkäufe oder Beträge, die sich aufheben. Ein Zeitraum aus solchen Tagen hat keine Rendite in Prozent; ein einzelner solcher Tag zählt als 0.',
    'begins-before-data': 'Der Zeitraum beginnt vor dem ersten Wert. Die Tage bis dahin sind nicht in der Reihe.',
    carried:
      'Ab diesem Tag gibt es keine Daten: keine Buchung, keinen Auszug, keinen Preis und keinen Kurs. Werte werden fortgeschrieben, und nur Zinsen und Gebühren laufen auf.',
    'zero-base': 'Es war nichts angelegt, darum zählt die Rendite des Tages als 0.',
    'negative-base': 'Der Wert, der etwas verdienen konnte, war negativ, darum zählt die Rendite des Tages als 0.',
    'loss-exceeds-base': 'Der Verlust ist grösser als der angelegte Wert, darum liegt die Rendite des Tages unter −1.',
    'rates-outside-range':
      'Auch andere Zinssätze lösen die Zahlungen der geldgewichteten Rendite, liegen aber ausserhalb von −99,99 % bis +1’000’000 % pro Jahr. Sie sind weggelassen.',
    'no-point': 'Der Vergleichsindex hat noch keinen Wert, darum zählt die Rendite des Tages als 0.',
    'stale-value': 'Der Wert beruht auf einem Kurs, der zu alt ist.',
    'stale-rate': 'Werte sind mit einem Wechselkurs umgerechnet, der zu alt ist.',
    'estimated-value':
      'Der Wert ist aus einem Handel, den Kosten oder Kapitalabrufen geschätzt, weil es keinen Kurs gibt.',
    unidentified: 'Die Buchung nennt kein Instrument.',
    short: 'Es gingen mehr Stücke hinaus, als gehalten wurden.',
    overdrawn: 'Der Kontostand ist negativ.',
    'unexplained-value-change':
      'An einem Tag hat sich der Wert um mehr als die Schranke des Kunden verändert, ohne Handel, Kapitalmassnahme oder Kurs, der es erklärt.',
    'amount-far-from-price':
      'Der Betrag eines Handels ist mehr als 5-mal so gross wie Stücke × Preis, oder weniger als ein Fünftel davon.',
    'accrued-interest-differs':
      'Ein hochgeladener Bestand oder ein Handel nennt andere aufgelaufene Zinsen, als die Bedingungen der Anleihe an den Tagen darum herum ergeben.',
    'fund-in-several-places':
      'Mehrere Konten haben die Abrufe eines Privatmarktfonds bezahlt. Sein Nettoinventarwert, der für die ganze Anlage gilt, ist nach dem Einbezahlten aufgeteilt.',
    'fund-units-unclear':
      'Ein Privatmarktfonds hat an einer Stelle Anteile, und eine andere, die nur abgerufen wurde, zählt als ein Anteil: sein Nettoinventarwert zählt vielleicht doppelt.',
    'more-than-principal': 'Von einem Darlehen wird mehr gehalten als sein Nennbetrag.',
    'implied-flow':
      'Ein hochgeladener Bestand hat Stücke oder Geld verändert, ohne dass eine Buchung es erklärt. Die Änderung zählt als Zahlung.',
    'settles-after-upload':
      'Eine Buchung vor einem hochgeladenen Bestand wird erst danach abgewickelt und ist darin vielleicht nicht enthalten.',
    'settlement-not-booked': 'Ein Vertrag wird nach seinem letzten Tag noch gehalten.',
    'coupon-not-booked': 'Ein Coupon war fällig, ist aber nicht gebucht. Er zählt als Guthaben.',
    'coupon-paid-early':
      'Ein Coupon wurde vor seiner Fälligkeit bezahlt. Er wird über seine Periode verdient, darum mindert der Betrag bis dahin den Wert.',
    matured: 'Das Instrument wird nach seinem Verfall noch gehalten, weil keine Rückzahlung gebucht ist.',
    'rate-missing': 'Ein variabler Zinssatz hat noch keinen Wert, darum läuft kein Zins auf.',
    'rate-assumed': 'Für die Tage vor dem ersten Wert eines variablen Zinssatzes gilt dieser.',
    'index-factor-missing':
      'Eine indexierte Anleihe hat noch keinen Indexfaktor, darum ist ihr Nennwert nicht angepasst.',
    'index-base-assumed':
      'Eine indexierte Anleihe hat bis zu ihrem Laufzeitbeginn keinen Indexfaktor, darum gilt der erste.',
    'paid-out-beyond-value':
      'Ein Privatmarktfonds hat seit seinem letzten Nettoinventarwert mehr ausgeschüttet, als er wert war. Der Wert bleibt null; was darüber liegt, zählt als Gewinn.',
  },
});

interface ReportWarning {
  readonly code: WarningCode;
  readonly date: string | null;
}

export function warningsNote(view: EntityView, warnings: readonly ReportWarning[]): Html {
  if (warnings.length === 0) return emptyHtml;
  return note(
    html`<p><strong>${performanceTexts[view.page.reader.language].warnings}</strong></p>
      ${warningsList(view, warnings)}`,
    { tone: 'warn' },
  );
}

/** What a warning means for the figures; others explain how they came about. */
const marksOf: Readonly<Partial<Record<WarningCode, MarkKind>>> = {
  'stale-value': 'old',
  'stale-rate': 'old',
  'estimated-value': 'estimated',
  'rate-assumed': 'estimated',
  'index-base-assumed': 'estimated',
  unidentified: 'incomplete',
  'rate-missing': 'incomplete',
  'index-factor-missing': 'incomplete',
  'settlement-not-booked': 'incomplete',
};

/** One line for each kind, with its first day. */
export function warningsList({ page: { reader, formats } }: EntityView, warnings: readonly ReportWarning[]): Html {
  const texts = reportWarningTexts[reader.language];
  const byCode = Map.groupBy(warnings, ({ code }) => code);
  return html`<ul>
    ${[...byCode].map(([code, [first]]) => {
      const day = first?.date ?? null;
      const kind = marksOf[code];
      const said = day === null ? texts[code] : `${texts[code]} (${formats.dateShort(day)})`;
      return html`<li>${kind === undefined ? said : markHtml({ kind, text: said })}</li>`;
    })}
  </ul>`;
}
