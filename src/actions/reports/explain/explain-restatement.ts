// Explains the figures of a restatement: each side from what was known then, and the difference from both sides.

import { defined } from '../../../kit/assert.ts';
import type { Fixed } from '../../../kit/fixed.ts';
import { amountFigure, formula, type Facets } from '../../../engine/explanation/figure.ts';
import type { Holding } from '../../../engine/history/holdings.ts';
import { positionKeyText, type PositionKey } from '../../../engine/ledger/position-key.ts';
import {
  restatedFigures,
  restatedTotalFigures,
  type RestatedFigures,
  type RestatedHolding,
  type RestatedTotals,
} from '../../../model/report/restatement.ts';
import type { Work } from '../../core/work.ts';
import type { ReportBasis } from '../report-basis.ts';
import type { Restatement } from '../restatement.ts';
import { explainKnownHoldings } from './explain-holding.ts';
import { RowExplainer } from './explain-rows.ts';
import type { ExplanationDraft } from './explanation-draft.ts';
import { renderedFiguresMax } from './render-figure.ts';

type FigureName = keyof RestatedFigures;
type SomeFigures = Partial<Record<FigureName, Fixed>>;

/** The same figures of one position, or of all of them. */
interface RestatedRow<F extends SomeFigures> {
  readonly before: F | null;
  readonly after: F | null;
  readonly difference: F | null;
}

interface RowSubject {
  readonly names: readonly FigureName[];
  /** Absent for the totals. */
  readonly key?: PositionKey;
  readonly heldBefore: readonly Holding[];
  readonly heldAfter: readonly Holding[];
}

export async function explainRestatement(
  work: Work,
  restatement: Restatement,
): Promise<Pick<Restatement, 'holdings' | 'totals'>> {
  const { holdings: rows, totals, heldBefore, heldAfter } = restatement;
  const explainer = await SideExplainer.open(work, restatement);
  const byPosition = (list: readonly Holding[]) => Map.groupBy(list, positionKeyText);
  const [before, after] = [byPosition(heldBefore), byPosition(heldAfter)];
  const holdings: RestatedHolding[] = [];
  for (const row of rows) {
    const key = { account: row.accountId, depository: row.depositoryId, instrument: row.instrumentId };
    const text = positionKeyText(key);
    const held = { heldBefore: before.get(text) ?? [], heldAfter: after.get(text) ?? [] };
    holdings.push({ ...row, ...(await explainer.explain(row, { names: restatedFigures, key, ...held })) });
  }
  const whole = { names: restatedTotalFigures, heldBefore, heldAfter };
  return { holdings, totals: await explainTotals(explainer, totals, whole) };
}

async function explainTotals(
  explainer: SideExplainer,
  totals: RestatedTotals,
  subject: RowSubject,
): Promise<RestatedTotals> {
  const { before, after, difference } = await explainer.explain(totals, subject);
  return { before: before ?? totals.before, after: after ?? totals.after, difference };
}

class SideExplainer {
  readonly #restatement: Restatement;
  readonly #before: RowExplainer | undefined;
  readonly #after: RowExplainer | undefined;

  constructor(restatement: Restatement, before: RowExplainer | undefined, after: RowExplainer | undefined) {
    this.#restatement = restatement;
    this.#before = before;
    this.#after = after;
  }

  /** Both sides share the limit of figures. */
  static async open(work: Work, restatement: Restatement): Promise<SideExplainer> {
    const { before, after, holdings } = restatement;
    const count = holdings.length * restatedFigures.length + restatedTotalFigures.length;
    const open = (basis: ReportBasis | undefined) =>
      basis && RowExplainer.open(work, basis, 2 * count, Math.floor(renderedFiguresMax / 2));
    return new SideExplainer(restatement, await open(before), await open(after));
  }

  async explain<F extends SomeFigures>(row: RestatedRow<F>, subject: RowSubject): Promise<RestatedRow<F>> {
    const { before, after, basis } = this.#restatement;
    const { heldBefore, heldAfter, names } = subject;
    const sides = defined(this.#after ?? this.#before, 'a restatement has an answer at one of the two moments');
    return {
      before: await explained(row.before, names, this.#before, (name) => this.#side(name, before ?? basis, heldBefore)),
      after: await explained(row.after, names, this.#after, (name) => this.#side(name, after ?? basis, heldAfter)),
      difference: await explained(row.difference, names, sides, (name) => this.#difference(name, row, subject)),
    };
  }

  #side(name: FigureName, basis: ReportBasis, held: readonly Holding[]): ExplanationDraft {
    return explainKnownHoldings(name, { basis, day: this.#restatement.day }, held);
  }

  /** Both sides are explained in full beside it. */
  #difference(name: FigureName, { before, after }: RestatedRow<SomeFigures>, { key }: RowSubject): ExplanationDraft {
    const { basis, day } = this.#restatement;
    const unit = name === 'quantity' ? 'units' : basis.currency;
    const facets: Facets = { unit, day, ...(key && { source: { kind: 'position', ...key } }) };
    const [now, then] = [after?.[name] ?? 0n, before?.[name] ?? 0n];
    const nothing = { notes: ['nothing-held'] };
    const later = amountFigure('known-later', now, { ...facets, ...(after === null && nothing) });
    const earlier = amountFigure('known-earlier', then, { ...facets, ...(before === null && nothing) });
    const explanation = amountFigure('restatement', now - then, { ...facets, ...formula`${later} − ${earlier}` });
    return { explanation, ...(key && { of: key }) };
  }
}

async function explained<F extends SomeFigures>(
  figures: F | null,
  names: readonly FigureName[],
  explainer: RowExplainer | undefined,
  draft: (name: FigureName) => ExplanationDraft,
): Promise<F | null> {
  if (figures === null || explainer === undefined) return figures;
  const of = (name: FigureName) => (names.includes(name) ? () => draft(name) : undefined);
  const explanations = await explainer.explain({
    quantity: of('quantity'),
    marketValue: of('marketValue'),
    costBasis: of('costBasis'),
    unrealisedPnl: of('unrealisedPnl'),
  });
  return { ...figures, explanations };
}
