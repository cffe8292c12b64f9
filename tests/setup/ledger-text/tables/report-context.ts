// The input of all report tables of a ledger text: its facts as a history, and its names for places and lots.

import type { History } from '../../../../src/engine/history/history.ts';
import type { Coverage } from '../../../../src/engine/history/holdings.ts';
import {
  findSyntheticInstrument,
  unidentifiedInstrument,
  type PositionKey,
} from '../../../../src/engine/ledger/position-key.ts';
import type { Series } from '../../../../src/engine/amounts/series.ts';
import type { DeclaredInstrument } from '../instruments.ts';
import type { LedgerTextAxis, ReportText } from '../reports.ts';
import type { Structure } from '../structure.ts';
import { dayText } from '../table-text.ts';

export interface ReportSource {
  readonly history: History;
  readonly structure: Structure;
  readonly instruments: ReadonlyMap<string, DeclaredInstrument>;
  readonly labels: ReadonlyMap<string, number>;
  index(name: string): Series;
}

export function coverageOf({ structure }: ReportSource, { coveredNames }: ReportText): Coverage {
  return (place) => structure.covers(place, coveredNames);
}

/** The text's label of a row, or its number; for an upload its day. */
export function rowText({ labels }: ReportSource, row: number): string {
  const named = [...labels].find(([, number]) => number === row);
  if (named !== undefined) return named[0];
  return row < 0 ? `upload ${dayText(-1_000_000 - row)}` : String(row);
}

export function lotText(source: ReportSource, lot: { readonly row: number; readonly ordinal: number }): string {
  const row = rowText(source, lot.row);
  return lot.ordinal === 0 ? row : `${row}.${lot.ordinal}`;
}

/** The name of an instrument in a text; `cash:EUR` and `fees:EUR` stand for the instruments that the service provides. */
export function instrumentText(instrument: string): string {
  const money = findSyntheticInstrument(instrument);
  if (money !== undefined) return `${money.kind === 'cash' ? 'cash' : 'fees'}:${money.currency}`;
  return instrument === unidentifiedInstrument ? 'unidentified' : instrument;
}

export function segmentsOnAxis(axis: LedgerTextAxis, key: PositionKey, source: ReportSource): readonly string[] {
  const { structure, history } = source;
  switch (axis) {
    case 'instrument':
      return [instrumentText(key.instrument)];
    case 'position':
      return [`${instrumentText(key.instrument)} ${structure.placeText(key)}`];
    case 'account':
      return [key.account ?? 'none'];
    case 'depository':
      return [key.depository ?? 'none'];
    case 'portfolio': {
      const covering = [...structure.portfolios.keys()].filter((name) => structure.covers(key, [name]));
      return covering.length === 0 ? ['rest'] : covering;
    }
    case 'class':
      return [classPath(key, source)[0]!];
    case 'detailed-class':
      return [classPath(key, source).join('/')];
    case 'currency':
      return [history.instrument(history.table.positionNumber(key)).currency];
  }
}

function classPath({ instrument }: PositionKey, { instruments }: ReportSource): readonly string[] {
  if (findSyntheticInstrument(instrument) !== undefined) return ['cash'];
  return instruments.get(instrument)?.classPath ?? ['other'];
}
