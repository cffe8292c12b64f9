// Which instrument a line means. A column that mixes kinds of identifiers is told by the form of each.

import type { CsvField } from '../../model/custody/import-profile.ts';
import type { NamedInstrument } from '../../model/custody/statement.ts';
import { isCusip, isIsin } from '../../model/instrument/security-code.ts';
import { shortened } from '../short-text.ts';
import { stated } from '../stated-fields.ts';
import type { CsvCells } from './csv-cells.ts';

type Identifier = 'isin' | 'cusip' | 'sedol' | 'ticker';

/** In the order in which their forms are tried. */
const identifiers: readonly Identifier[] = ['isin', 'cusip', 'sedol', 'ticker'];

const isSedol = (text: string): boolean => /^[0-9BCDFGHJ-NP-TV-Z]{6}\d$/.test(text);

const forms: Readonly<Record<Identifier, (text: string) => boolean>> = {
  isin: isIsin,
  cusip: isCusip,
  sedol: isSedol,
  ticker: () => true,
};

/** Undefined if the line names none. */
export function instrumentOf(cells: CsvCells): NamedInstrument | undefined {
  const found: Partial<Record<Identifier, string>> = {};
  const used = new Set<number>();
  for (const identifier of identifiers) {
    for (const index of cells.columns.indexesOf(identifier)) {
      const text = identifierIn(cells.cell(index));
      if (text === undefined || used.has(index) || found[identifier] !== undefined) continue;
      const kind = kindOf(cells, identifier, index, text);
      if (kind === undefined) continue;
      found[kind] ??= text;
      used.add(index);
    }
  }
  for (const identifier of identifiers) {
    const text = identifierIn(cells.inText(identifier));
    if (text !== undefined && forms[identifier](text)) found[identifier] ??= text;
  }
  const named = stated<NamedInstrument>({
    ...found,
    mic: found.ticker === undefined ? undefined : cells.text('mic')?.toUpperCase(),
    custodianCode: cells.first('code'),
    name: cells.first('instrumentName'),
  });
  return Object.keys(named).length === 0 ? undefined : named;
}

/** Core positions have asterisks at some brokers. */
function identifierIn(cell: string | undefined): string | undefined {
  return (
    cell
      ?.toUpperCase()
      .replace(/(?<!\*)\*+$/, '')
      .trim() || undefined
  );
}

/** The kind of identifier that a cell has; undefined if another field of the same column has to read it. */
function kindOf(cells: CsvCells, identifier: Identifier, index: number, text: string): Identifier | undefined {
  if (identifier === 'ticker') return isIsin(text) ? 'isin' : text.length === 9 && isCusip(text) ? 'cusip' : 'ticker';
  if (forms[identifier](text)) return identifier;
  const isShared = identifiers.some((one) => one !== identifier && cells.columns.indexesOf(one).includes(index));
  if (isShared) return undefined;
  throw cells.fault(identifier, `"${shortened(text)}" is not a valid ${identifierNames[identifier]}.`);
}

const identifierNames: Readonly<Record<Identifier, string>> = {
  isin: 'ISIN',
  cusip: 'CUSIP',
  sedol: 'SEDOL',
  ticker: 'ticker',
};

export function requiredInstrument(cells: CsvCells, fields: readonly CsvField[]): NamedInstrument {
  const instrument = instrumentOf(cells);
  if (instrument !== undefined) return instrument;
  const [first = 'isin'] = fields.filter((field) => cells.columns.indexesOf(field).length > 0);
  throw cells.fault(first, 'The line names no instrument.');
}
