// What happened in the window of a return, in words: from the first value to the last, with what was paid in and earned.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import type { EntityView } from '../entity-view.ts';
import { segmentNames } from './explanation-links.ts';
import { explanationTexts } from './explanation-texts.ts';

const howTexts = {
  cumulative_twr: 'howTimeWeighted',
  annualised_twr: 'howTimeWeighted',
  money_weighted_return: 'howMoneyWeighted',
  annualised_money_weighted_return: 'howMoneyWeighted',
  gain: 'howGain',
} as const;

/** The report of the same window; undefined for figures that are not returns of the whole. */
export async function readWindow({ page, entityQuery }: EntityView): Promise<any> {
  const { query, api } = page;
  const isWhole = [...segmentNames, 'benchmark', 'at'].every((name) => query.get(name) === null);
  if (!isWhole || !Object.hasOwn(howTexts, query.get('figure') ?? '')) return undefined;
  const names = ['start', 'end', 'method', 'fees', 'currency'];
  const parameters = Object.fromEntries(names.map((name) => [name, query.get(name)]));
  return api.find('/v1/performance', { ...entityQuery, ...parameters, detail: 'summary' });
}

export function windowStory({ page: { formats, reader, query } }: EntityView, report: any): Html {
  if (report === undefined) return emptyHtml;
  const text = explanationTexts[reader.language];
  const { currency, data } = report;
  const [whole] = data;
  const money = (value: string): string => formats.money(value, currency);
  const [begin, end] = [whole.begin_market_value, whole.end_market_value];
  const moved = Number(end) < Number(begin) ? text.fell : text.rose;
  const how = howTexts[query.get('figure') as keyof typeof howTexts];
  const parts = text.parts(
    money(whole.net_cash_flow),
    money(whole.gain),
    money(whole.gain_price_part),
    money(whole.gain_income_part),
    money(whole.gain_currency_part),
  );
  return html`<p>
      ${moved(formats.moneyWithCode(begin, currency), formats.moneyWithCode(end, currency))} ${parts}
      ${text.feesIncluded(money(whole.fees))}
    </p>
    <p>${text[how]}</p>`;
}
