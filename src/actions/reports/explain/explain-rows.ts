// Explains the figures of the rows of a report. All explanations of one answer share the limit of figures, in equal parts.

import type { Pieces } from '../../../kit/turns/pieces.ts';
import type { ReportedFigure } from '../../../model/report/explanation.ts';
import type { Work } from '../../core/work.ts';
import type { ReportBasis } from '../report-basis.ts';
import type { ExplanationDraft } from './explanation-draft.ts';
import { openRenderContext, renderedFiguresMax, renderFigure, type RenderContext } from './render-figure.ts';

/** By the name that the row has for the figure. A figure that the row does not have is undefined. */
type RowDrafts<Name extends string> = { readonly [N in Name]?: (() => ExplanationDraft) | undefined };

export type RowExplanations<Name extends string> = { readonly [N in Name]?: ReportedFigure };

/** The drafts of all these figures; `isMissing` tells which of them the row does not have. */
export function draftsOf<Name extends string>(
  names: readonly Name[],
  draft: (name: Name) => ExplanationDraft,
  isMissing: (name: Name) => boolean = () => false,
): RowDrafts<Name> {
  const drafts: { [N in Name]?: (() => ExplanationDraft) | undefined } = {};
  for (const name of names) drafts[name] = isMissing(name) ? undefined : () => draft(name);
  return drafts;
}

export class RowExplainer {
  readonly #context: RenderContext;
  #figuresLeft: number;
  #explanationsLeft: number;

  constructor(context: RenderContext, explanationCount: number, figuresMax: number) {
    this.#context = context;
    this.#explanationsLeft = Math.max(1, explanationCount);
    this.#figuresLeft = Math.max(figuresMax, explanationCount);
  }

  /** For so many explanations; what one does not use is left to the next ones. */
  static async open(
    work: Work,
    basis: ReportBasis,
    explanationCount: number,
    figuresMax = renderedFiguresMax,
  ): Promise<RowExplainer> {
    return new RowExplainer(await openRenderContext(work, basis), explanationCount, figuresMax);
  }

  /** Looks up these transactions, by their booking numbers, at once. */
  prepare(numbers: Iterable<number>): void {
    this.#context.rows.prepare(numbers);
  }

  /** Computes something that explanations need; others may compute between its pieces. */
  run<T>(pieces: Pieces<T>): Promise<T> {
    return this.#context.run(pieces);
  }

  /** Adds to each row the explanations of its figures. */
  async explainAll<Row extends object, Name extends string>(
    rows: readonly Row[],
    draftsOfRow: (row: Row, index: number) => RowDrafts<Name>,
  ): Promise<readonly (Row & { readonly explanations: RowExplanations<Name> })[]> {
    const explained: (Row & { readonly explanations: RowExplanations<Name> })[] = [];
    for (const [index, row] of rows.entries())
      explained.push({ ...row, explanations: await this.explain(draftsOfRow(row, index)) });
    return explained;
  }

  async explain<Name extends string>(drafts: RowDrafts<Name>): Promise<RowExplanations<Name>> {
    const explanations: Partial<Record<Name, ReportedFigure>> = {};
    for (const [name, draft] of Object.entries(drafts) as [Name, (() => ExplanationDraft) | undefined][]) {
      if (draft !== undefined) explanations[name] = await this.#render(draft());
      this.#explanationsLeft = Math.max(1, this.#explanationsLeft - 1);
      await this.#context.pause();
    }
    return explanations;
  }

  async #render(draft: ExplanationDraft): Promise<ReportedFigure> {
    const figuresMax = Math.max(1, Math.floor(this.#figuresLeft / this.#explanationsLeft));
    const { figure, figureCount } = await renderFigure(draft, this.#context, { depthMax: Infinity, figuresMax });
    this.#figuresLeft = Math.max(1, this.#figuresLeft - figureCount);
    return figure;
  }
}
