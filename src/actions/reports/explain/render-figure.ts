// Renders an explanation for people: a sentence for each figure, transactions for rows, and the names of what it is about. Very
// large trees are cut, and say where.

import type { Turn } from '../../../kit/turns/fair-turns.ts';
import type { Explanation } from '../../../engine/explanation/explanation.ts';
import type { PositionKey } from '../../../engine/ledger/position-key.ts';
import type { ReportedFigure } from '../../../model/report/explanation.ts';
import { openTurn, type Work } from '../../core/work.ts';
import type { ReportBasis } from '../report-basis.ts';
import { readSegmentNames } from '../segments/segment-names.ts';
import type { ExplanationDraft } from './explanation-draft.ts';
import { RowLookup } from './row-lookup.ts';
import { findSource, SourceRenderer, type SourceContext } from './source-renderer.ts';
import { sourceVisibility, type SourceVisibility } from './source-visibility.ts';

/** The most figures that one answer shows. */
export const renderedFiguresMax = 10_000;

interface RenderedFigure {
  readonly figure: ReportedFigure;
  readonly isTruncated: boolean;
  readonly figureCount: number;
}

type MutableFigure = { -readonly [Name in keyof ReportedFigure]: ReportedFigure[Name] };

/** A figure to render, and what its numbers belong to. */
interface RenderNode {
  readonly from: Explanation;
  readonly to: MutableFigure;
  readonly depth: number;
  readonly of: PositionKey | undefined;
}

/** What is shown, and the turns in which it is computed. */
export interface RenderContext extends SourceContext, Turn {}

export interface RenderLimits {
  readonly depthMax: number;
  readonly figuresMax: number;
}

export async function openRenderContext(work: Work, basis: ReportBasis): Promise<RenderContext> {
  const names = await readSegmentNames(work, basis, ['account', 'depository', 'portfolio']);
  const visibility = sourceVisibility(basis, work.store.scope.visibleClients);
  return { basis, names, visibility, rows: new RowLookup(basis), ...openTurn(work, renderedFiguresMax) };
}

const nodesPerPause = 50;

/** Level by level, so that the deepest is cut. Of a figure's inputs, all are rendered or none. */
export async function renderFigure(
  draft: ExplanationDraft,
  context: RenderContext,
  { depthMax, figuresMax }: RenderLimits,
): Promise<RenderedFigure> {
  const all: RenderNode[] = [
    { from: draft.explanation, to: toMutableFigure(draft.explanation), depth: 0, of: draft.of },
  ];
  const hidden = new Set<RenderNode>();
  let isTruncated = false;
  for (let index = 0; index < all.length; index++) {
    if (index % nodesPerPause === 0) await context.pause();
    const node = all[index]!;
    const of = findPosition(node);
    if (isHidden(node.from, context.visibility)) {
      hidden.add(node);
      continue;
    }
    const parts = node.from.of;
    if (parts === undefined || parts.length === 0) continue;
    if (node.depth >= depthMax || all.length + parts.length > figuresMax) {
      node.to.isTruncated = isTruncated = true;
      continue;
    }
    const children = parts.map((from) => ({ from, to: toMutableFigure(from), depth: node.depth + 1, of }));
    node.to.of = children.map(({ to }) => to);
    for (const one of children) all.push(one);
  }
  const sources = new SourceRenderer(context, draft, all);
  for (const [index, one] of all.entries()) {
    if (index % nodesPerPause === 0) await context.pause();
    if (hidden.has(one)) sources.completeHidden(one);
    else sources.complete(one, findPosition(one));
  }
  return { figure: all[0]!.to, isTruncated, figureCount: all.length };
}

/** Where a tree leads to what the reader may not see, only the amount is shown. */
function isHidden(explanation: Explanation, visibility: SourceVisibility): boolean {
  const source = findSource(explanation);
  if (source?.kind === 'row') return !visibility.seesRow(source.row);
  return source?.kind === 'position' && !visibility.seesPosition(source);
}

/** Without what only the engine knows, and without members that are absent. */
function toMutableFigure(explanation: Explanation): MutableFigure {
  if (explanation.value === null) {
    const { name, value, notes } = explanation;
    return { name, value, notes };
  }
  const { name, value, unit, day, formula, operation, rounding, notes } = explanation;
  return {
    name,
    value,
    ...(unit !== undefined && { unit }),
    ...(day !== undefined && { day }),
    ...(formula !== undefined && { formula }),
    ...(operation !== undefined && { operation }),
    ...(rounding !== undefined && { rounding }),
    ...(notes !== undefined && { notes }),
  };
}

function findPosition({ from, of }: RenderNode): PositionKey | undefined {
  const source = findSource(from);
  return source?.kind === 'position' && hasPlace(source) ? source : of;
}

function hasPlace({ account, depository }: PositionKey): boolean {
  return account !== null || depository !== null;
}
