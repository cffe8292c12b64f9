// The German words of the findings on data: what is wrong and how to correct it. The English ones are the API's own.

import type { FindingCode } from '../../../../model/report/finding.ts';

interface FindingAdvice {
  readonly detail: string;
  readonly remedy: string;
}

export const germanFindings: Readonly<Record<FindingCode, FindingAdvice>> = {
  'fx-rate-missing': {
    detail:
      'Für dieses Währungspaar gibt es bis zu diesem Tag keinen Wechselkurs. Berichte, die ihn brauchen, werden abgelehnt.',
    remedy:
      'Einen Kurs des Paars, oder beider Währungen gegen eine dritte, für diesen oder einen früheren Tag erfassen.',
  },
  'rate-missing': {
    detail: 'Der variable Zinssatz hat noch keinen Wert, daher läuft kein Zins auf.',
    remedy: 'Einen Zinssatz der Anlage für den Beginn der Verzinsung oder früher erfassen.',
  },
  'index-factor-missing': {
    detail: 'Die indexierte Anleihe hat noch keinen Indexfaktor, daher wird ihr Nennwert nicht angepasst.',
    remedy: 'Einen Indexfaktor der Anlage für diesen oder einen früheren Tag erfassen.',
  },
  unidentified: {
    detail: 'Einheiten wurden ohne Angabe der Anlage gehandelt. Sie zählen zum Preis des Handels.',
    remedy: 'Die Anlage in diesen Buchungen angeben.',
  },
  'no-portfolio': {
    detail: 'Die Einheit hat kein Portfolio. Sie umfasst nichts, und jede Zahl ist null.',
    remedy: 'Ein Portfolio der Einheit mit den Konten und Depots anlegen, die dazugehören.',
  },
  'break-unknown-instrument': {
    detail: 'Die Bank meldet Einheiten einer Anlage, die nicht im Verzeichnis steht. Sie fehlen in den Zahlen.',
    remedy: 'Die Anlage anlegen oder sagen, welche gemeint ist, und ihre Buchungen einlesen.',
  },
  'break-missing-trade': {
    detail:
      'Die Bank meldet andere Einheiten als die Bücher: auf einer Seite fehlt eine Buchung. Wert und Rendite sind um diese Einheiten falsch.',
    remedy: 'Die fehlende Buchung erfassen, eine falsche löschen oder den Unterschied mit einer Bemerkung hinnehmen.',
  },
  'break-quantity': {
    detail: 'Die Bank meldet eine andere Anzahl als die Bücher. Wert und Rendite sind um den Unterschied falsch.',
    remedy:
      'Die Anzahl der Buchung berichtigen, die Kapitalmassnahme buchen oder den Unterschied mit einer Bemerkung hinnehmen.',
  },
  'break-cash': {
    detail: 'Die Bank meldet einen anderen Kontostand als die Bücher. Wert und Rendite sind um den Unterschied falsch.',
    remedy:
      'Die fehlende Zahlung, Gebühr oder Einnahme buchen, den Betrag berichtigen oder den Unterschied mit einer Bemerkung hinnehmen.',
  },
  'break-price': {
    detail: 'Die Bank meldet einen anderen Preis, als die Bücher verwenden. Der Wert hängt davon ab, welcher stimmt.',
    remedy:
      'Den Preis, seine Währung oder seine Einheit berichtigen oder den Unterschied mit einer Bemerkung hinnehmen.',
  },
  'outside-portfolios': {
    detail: 'Das Konto oder Depot ist in keinem Portfolio. Was es hält, zählt in keinem Bericht.',
    remedy: 'Es in ein Portfolio aufnehmen oder das Konto von Berichten ausnehmen.',
  },
  unclassified: {
    detail: 'Die Anlage hat keine Klasse. Limiten und Aufteilungen nach Klassen wissen nicht, wo sie zählt.',
    remedy: 'Der Anlage eine Klasse geben, oder ihrer Art eine übliche.',
  },
  short: {
    detail: 'Es wurden mehr Einheiten abgegeben, als da waren: der Bestand ist negativ.',
    remedy: 'Buchen, was fehlt: einen Kauf, eine Einlieferung oder einen Bestand von vor der Abgabe.',
  },
  'short-opened': {
    detail: 'Diese Buchung nahm mehr Einheiten, als da waren.',
    remedy: 'Buchen, was davor fehlt, oder Anzahl, Tag, Konto oder Depot berichtigen.',
  },
  overdrawn: {
    detail: 'Der Kontostand ist negativ.',
    remedy:
      'Fehlende Einzahlungen buchen oder Beträge berichtigen. Ist das Konto wirklich überzogen, ist nichts zu tun.',
  },
  'unexplained-value-change': {
    detail:
      'Der Wert änderte sich an einem Tag stärker als die Grenze des Kunden, ohne Handel, Kapitalmassnahme oder Preis, der es erklärt.',
    remedy: 'Die falsche Anzahl, den falschen Preis oder Bestand berichtigen oder einen Preis für den Tag erfassen.',
  },
  'amount-far-from-price': {
    detail: 'Der Betrag eines Handels ist mehr als das Fünffache oder weniger als ein Fünftel von Anzahl × Preis.',
    remedy: 'Anzahl, Preis oder Betrag der Buchung berichtigen, oder Preiseinheit oder Währung der Anlage.',
  },
  'accrued-interest-differs': {
    detail:
      'Ein erfasster Bestand oder ein Handel nennt andere aufgelaufene Zinsen, als die Bedingungen der Anleihe an den Tagen darum herum ergeben.',
    remedy:
      'Die Zinsen oder den Nennwert des Bestands oder der Buchung berichtigen, oder Zinssatz, Zinstermine, Ex-Tage oder Zinsmethode der Anleihe.',
  },
  'more-than-principal': {
    detail: 'Vom Darlehen wird mehr gehalten, als es im Ganzen beträgt.',
    remedy:
      'Darlehen werden nach Nennwert gehalten: die Anzahl berichtigen (100 000 von 100 000 ist alles) oder den Darlehensbetrag.',
  },
  'fund-units-unclear': {
    detail:
      'An einer Stelle sind Anteile des Fonds erfasst, an einer anderen nur Abrufe: sie zählt als ein Anteil. Sein Nettoinventarwert zählt vielleicht doppelt.',
    remedy:
      'Gilt der Nettoinventarwert für das Ganze, bei Abrufen, Käufen und Beständen des Fonds keine Anteile nennen; gilt er für einen Anteil, die Anteile jeder Stelle erfassen.',
  },
  'unexplained-difference': {
    detail: 'Der Betrag passt nicht zu Anzahl, Preis, Gebühren und Steuern. Der Unterschied zählt als Kosten.',
    remedy: 'Die Gebühren, Steuern oder Stückzinsen erfassen, die ihn erklären, oder den Betrag berichtigen.',
  },
  'settlement-not-booked': {
    detail: 'Der Vertrag ist fällig, aber seine Erfüllung ist nicht gebucht.',
    remedy: 'Die Erfüllung des Vertrags buchen.',
  },
  'coupon-not-booked': {
    detail: 'Ein Zins war fällig und ist nicht gebucht. Er zählt als Forderung.',
    remedy: 'Den Zins buchen.',
  },
  'coupon-paid-early': {
    detail:
      'Ein Zins wurde vor seiner Fälligkeit bezahlt. Er wird über seine Periode verdient, darum mindert der Betrag bis dahin den Wert.',
    remedy:
      'Nichts, wenn er wirklich früher bezahlt wurde. Sonst den Tag des Zinses oder die Zinstermine der Anleihe berichtigen.',
  },
  matured: { detail: 'Die Anlage ist fällig und steht noch in den Büchern.', remedy: 'Die Rückzahlung buchen.' },
  'paid-out-beyond-value': {
    detail:
      'Der Fonds hat seit seinem letzten Nettoinventarwert mehr ausgeschüttet, als er wert war. Der Wert bleibt null; was darüber hinausgeht, zählt als Gewinn.',
    remedy: 'Einen neueren Nettoinventarwert des Fonds erfassen.',
  },
  'stale-value': {
    detail: 'Der Wert beruht auf einem zu alten Preis.',
    remedy: 'Einen neueren Wert erfassen oder in der Klasse oder beim Kunden ältere zulassen.',
  },
  'stale-rate': {
    detail:
      'Der letzte Wechselkurs dieser Währungen ist zu alt, und alles, was in der Währung gehalten wird, ist damit umgerechnet.',
    remedy: 'Einen neueren Wechselkurs erfassen oder beim Kunden ältere zulassen.',
  },
  'estimated-value': {
    detail: 'Es gibt keinen Preis. Der Wert ist aus einem Handel, den Kosten oder den Abrufen geschätzt.',
    remedy: 'Einen Preis oder Nettoinventarwert für diesen oder einen früheren Tag erfassen.',
  },
  'named-lot-missing': {
    detail: 'Ein Posten, den der Verkauf nennt, war geschlossen oder zu klein. Die ältesten Posten wurden verwendet.',
    remedy: 'Posten nennen, die am Tag des Verkaufs offen sind.',
  },
  'lots-not-named': {
    detail:
      'Der Verkauf nennt Posten für weniger Einheiten, als er verkauft. Für den Rest wurden die ältesten verwendet.',
    remedy: 'Posten für alle Einheiten des Verkaufs nennen.',
  },
  'too-much-named': {
    detail: 'Der Verkauf nennt Posten für mehr Einheiten, als er verkauft. Der Überschuss zählt nicht.',
    remedy: 'Posten für genau die verkauften Einheiten nennen.',
  },
  'break-timing': {
    detail:
      'Bank und Bücher buchen an verschiedenen Tagen, etwa Abwicklungs- und Handelstag. Die Zahlen gelten für den Handelstag.',
    remedy: 'Nichts, wenn der Unterschied nach der Abwicklung verschwindet.',
  },
  'implied-flow': {
    detail: 'Ein erfasster Bestand weicht von den Buchungen ab. Der Unterschied zählt als Zu- oder Abfluss.',
    remedy: 'Die Buchungen bis zum Tag des Bestands erfassen, die ihn erklären, oder den Bestand berichtigen.',
  },
  'settles-after-upload': {
    detail:
      'Eine Buchung vor dem erfassten Bestand wird erst danach abgewickelt: vielleicht zählt sie doppelt oder gar nicht.',
    remedy: 'Bestand und Buchung vergleichen und den Bestand mit ihr erfassen.',
  },
  'estimated-cost': {
    detail: 'Was die Einheiten kosteten, ist unbekannt. Stattdessen zählt ihr Marktwert am Tag, an dem sie erschienen.',
    remedy: 'Die Käufe buchen, oder Kosten und Tage mit der Einlieferung erfassen.',
  },
  'fund-in-several-places': {
    detail:
      'Mehrere Konten haben die Abrufe eines Fonds bezahlt. Sein Nettoinventarwert gilt für das Ganze und wird nach dem Einbezahlten auf sie verteilt.',
    remedy:
      'Gehören ihnen andere Anteile, alle Abrufe bei einem Konto buchen und Anteile übertragen; sonst ist nichts zu tun.',
  },
  'rate-assumed': {
    detail: 'Für den Beginn der Verzinsung gibt es keinen Zinssatz. Der erste bekannte wurde verwendet.',
    remedy: 'Einen Zinssatz für den Beginn der Verzinsung oder früher erfassen.',
  },
  'index-base-assumed': {
    detail: 'Der Basisfaktor fehlt. Der erste bekannte Indexfaktor wurde verwendet.',
    remedy: 'Einen Indexfaktor für den Beginn der Laufzeit oder früher erfassen, oder den Basisfaktor.',
  },
};
