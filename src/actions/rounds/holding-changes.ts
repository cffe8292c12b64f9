// Finds the holdings whose quantity or value is another than what was last announced to webhooks. Reads only.

import { append } from '../../kit/memory/long-list.ts';
import { fixedText, type Fixed } from '../../kit/fixed.ts';
import { snakeCaseStrings } from '../../kit/field.ts';
import type { Id } from '../../kit/id.ts';
import { valuedHoldingShape, type ReportedSegmentHolding } from '../../model/report/holding.ts';
import type { AnnouncedFigures } from '../../store/events/announced-holdings.ts';
import { changedFields } from '../events/event.ts';
import type { DayReport } from '../reports/day-report.ts';
import { holdingsBySegment, nothingHeld } from '../reports/holdings.ts';
import type { Work } from '../core/work.ts';
import type { HoldingChange } from './round-outcome.ts';

const noFigures: ReadonlyMap<string, AnnouncedFigures> = new Map();
/** How many announced objects one statement reads. */
const batchSize = 1_000;

export interface HoldingAudience {
  /** The webhooks that changes are announced to. */
  readonly subscribers: readonly Id[];
  /** What was last announced has reached one of them, so that only changes are announced. */
  readonly isContinued: boolean;
  /** What was last announced has reached none of them. */
  readonly isOutdated: boolean;
  /** The digest of the figures that the last round has found. */
  readonly formerDigest: string | null;
}

export async function findHoldingAudience({ store }: Work, client: Id): Promise<HoldingAudience> {
  const { present, former, figuresDigest: formerDigest } = await store.announcedHoldings.findSubscribers(client);
  const isContinued = present.some((id) => former.includes(id));
  return { subscribers: present, isContinued, isOutdated: former.length > 0 && !isContinued, formerDigest };
}

interface ComparedHolding {
  readonly instrument: string;
  readonly holding: ReportedSegmentHolding;
  readonly figures: AnnouncedFigures;
  readonly isHeld: boolean;
}

/** The changes of a reporting entity's holdings: nothing where nobody receives them. */
export async function listHoldingChanges(
  work: Work,
  report: DayReport,
  { subscribers, isContinued }: HoldingAudience,
): Promise<readonly HoldingChange[]> {
  if (subscribers.length === 0) return [];
  const owner = report.basis;
  const table = work.store.announcedHoldings;
  const announced = isContinued ? await table.listFigures(owner) : noFigures;
  const changes: HoldingChange[] = [];
  const changed = await findChanged(work, report, announced);
  for (let start = 0; start < changed.length; start += batchSize) {
    const batch = changed.slice(start, start + batchSize);
    const known = batch.map(({ instrument }) => instrument).filter((instrument) => announced.has(instrument));
    const objects = known.length === 0 ? new Map() : await table.listObjects(owner, known);
    append(
      changes,
      batch.map((one) => toChange(report, one, objects.get(one.instrument))),
    );
  }
  return changes;
}

async function findChanged(
  work: Work,
  report: DayReport,
  announced: ReadonlyMap<string, AnnouncedFigures>,
): Promise<readonly ComparedHolding[]> {
  const rows = await holdingsBySegment(work, report, 'instrument');
  const held = rows.map((row) => compared(row.segment, row.sum(), true));
  const heldInstruments = new Set(held.map(({ instrument }) => instrument));
  const gone = [...announced.keys()].filter((instrument) => !heldInstruments.has(instrument));
  const changed = held.filter(({ instrument, figures }) => {
    const before = announced.get(instrument);
    return before?.quantity !== figures.quantity || before.marketValue !== figures.marketValue;
  });
  if (gone.length === 0) return changed;
  const sold = await nothingHeld(work, report, gone);
  return [...changed, ...sold.map(({ segment, holding }) => compared(segment, holding, false))];
}

function compared(instrument: string, holding: ReportedSegmentHolding, isHeld: boolean): ComparedHolding {
  const text = (figure: Fixed | null): string => fixedText(figure ?? 0n);
  const figures = { quantity: text(holding.quantity), marketValue: text(holding.marketValue) };
  return { instrument, holding, figures, isHeld };
}

function toChange(
  { basis, asOf }: DayReport,
  { instrument, holding, figures, isHeld }: ComparedHolding,
  before: Record<string, unknown> | undefined,
): HoldingChange {
  const { reportingEntity, currency } = basis;
  const values = { reportingEntityId: reportingEntity, ...holding, currency, asOf };
  const object = valuedHoldingShape.write(values, snakeCaseStrings) as Record<string, unknown>;
  const previous = before === undefined ? {} : changedFields(before, object);
  return { reportingEntity, instrument, ...figures, isHeld, object, previous };
}
