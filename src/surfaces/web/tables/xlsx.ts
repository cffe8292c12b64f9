// Writes a spreadsheet of one sheet, row by row: Office Open XML with its texts in the cells. Nothing in it is a formula.

import type { FileSink } from './file-sink.ts';
import { zipArchive, type ArchiveEntry } from './zip-archive.ts';

export interface SheetCell {
  readonly value: string;
  readonly kind: 'text' | 'number' | 'date';
  /** How a number or a day is written. */
  readonly format?: string;
  readonly isBold?: boolean;
  readonly align?: 'left' | 'right';
  readonly indent?: number;
}

export interface Sheet {
  readonly name: string;
  readonly widths: readonly number[];
  /** The first stays in sight. */
  readonly rows: Iterable<readonly (SheetCell | null)[]> | AsyncIterable<readonly (SheetCell | null)[]>;
}

const rowsPerPiece = 50;
/** A spreadsheet refuses a cell with more. */
const textLengthMax = 32_767;
/** Before it, spreadsheets count a day that never was. */
const firstDay = '1900-03-01';
const dayMs = 86_400_000;
const dayZero = Date.UTC(1899, 11, 30);

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const officeRelations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

export function sheetFile(sheet: Sheet, sink: FileSink): Promise<void> {
  const styles = new Styles();
  const relation = (id: string, kind: string, target: string): string =>
    `<Relationship Id="${id}" Type="${officeRelations}/${kind}" Target="${target}"/>`;
  const relations = (...all: readonly string[]): string =>
    `${xml}<Relationships xmlns="${packages}/relationships">${all.join('')}</Relationships>`;
  const override = (part: string, type: string): string =>
    `<Override PartName="/xl/${part}" ContentType="${types}.${type}+xml"/>`;
  const texts: Readonly<Record<string, string>> = {
    '[Content_Types].xml': `${xml}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override('workbook.xml', 'sheet.main')}${override('worksheets/sheet1.xml', 'worksheet')}${override('styles.xml', 'styles')}</Types>`,
    '_rels/.rels': relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `${xml}<workbook xmlns="${main}" xmlns:r="${officeRelations}"><bookViews><workbookView/></bookViews><sheets><sheet name="${escapeXml(sheet.name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      relation('rId1', 'worksheet', 'worksheets/sheet1.xml'),
      relation('rId2', 'styles', 'styles.xml'),
    ),
  };
  const fixed = Object.entries(texts).map(([name, text]): ArchiveEntry => ({ name, texts: [text] }));
  const entries: readonly ArchiveEntry[] = [
    ...fixed,
    { name: 'xl/worksheets/sheet1.xml', texts: sheetTexts(sheet, styles) },
    // After the rows, which say what there is.
    { name: 'xl/styles.xml', texts: styles.texts() },
  ];
  return zipArchive(entries, sink);
}

async function* sheetTexts({ widths, rows }: Sheet, styles: Styles): AsyncGenerator<string> {
  const columns = widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  yield `${xml}<worksheet xmlns="${main}"><sheetViews><sheetView tabSelected="1" workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData>`;
  let [number, piece] = [0, ''];
  for await (const cells of rows) {
    number++;
    piece += `<row r="${number}">${cells.map((cell, index) => cellXml(cell, `${columnName(index)}${number}`, styles)).join('')}</row>`;
    if (number % rowsPerPiece !== 0) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}</sheetData></worksheet>`;
}

function cellXml(cell: SheetCell | null, place: string, styles: Styles): string {
  if (cell === null) return '';
  const at = `r="${place}" s="${styles.numberOf(cell)}"`;
  if (cell.kind === 'number') return `<c ${at}><v>${cell.value}</v></c>`;
  if (cell.kind === 'date' && cell.value >= firstDay)
    return `<c ${at}><v>${(Date.parse(cell.value) - dayZero) / dayMs}</v></c>`;
  return `<c ${at} t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell.value.slice(0, textLengthMax))}</t></is></c>`;
}

/** A, B, … Z, AA, … */
function columnName(index: number): string {
  const last = String.fromCodePoint(65 + (index % 26));
  return index < 26 ? last : columnName(Math.floor(index / 26) - 1) + last;
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML has no words for control characters and halves of pairs. A spreadsheet reads _x0041_ as A unless its first line is written so. */
function escapeXml(text: string): string {
  if (!/[^ -~]|[&<>"_]/.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu, '')
    .replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(/[&<>"]/g, (character) => escapes[character] ?? character);
}

/** The first format, font, fill and border. */
const plainStyle = 'numFmtId="0" fontId="0" fillId="0" borderId="0"';

/** Every way in which a cell is written, by the number that its cells name. */
class Styles {
  readonly #numbers = new Map<string, number>();
  readonly #styles: string[] = [`<xf ${plainStyle} xfId="0"/>`];
  readonly #formats: string[] = [];

  numberOf({ format = '', isBold = false, align = 'left', indent = 0 }: SheetCell): number {
    const key = `${format} ${isBold} ${align} ${indent}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#styles.length;
    const alignment =
      align === 'right' || indent > 0 ? `<alignment horizontal="${align}" indent="${indent}"/>` : '<alignment/>';
    const shown = `numFmtId="${this.#formatNumber(format)}" fontId="${isBold ? 1 : 0}" fillId="0" borderId="0" xfId="0"`;
    this.#styles.push(`<xf ${shown} applyNumberFormat="1" applyFont="1" applyAlignment="1">${alignment}</xf>`);
    this.#numbers.set(key, number);
    return number;
  }

  /** Numbers up to 163 have a meaning of their own. */
  #formatNumber(format: string): number {
    if (format === '') return 0;
    const known = this.#formats.indexOf(format);
    return 164 + (known === -1 ? this.#formats.push(format) - 1 : known);
  }

  *texts(): Generator<string> {
    const formats = this.#formats.map(
      (format, index) => `<numFmt numFmtId="${164 + index}" formatCode="${escapeXml(format)}"/>`,
    );
    const list = (name: string, items: readonly string[]): string =>
      items.length === 0 ? '' : `<${name} count="${items.length}">${items.join('')}</${name}>`;
    const fonts = ['', '<b/>'].map(
      (bold) => `<font>${bold}<sz val="11"/><name val="Calibri"/><family val="2"/></font>`,
    );
    const fills = ['none', 'gray125'].map((pattern) => `<fill><patternFill patternType="${pattern}"/></fill>`);
    const border = '<border><left/><right/><top/><bottom/><diagonal/></border>';
    yield `${xml}<styleSheet xmlns="${main}">${list('numFmts', formats)}${list('fonts', fonts)}${list('fills', fills)}${list('borders', [border])}${list('cellStyleXfs', [`<xf ${plainStyle}/>`])}${list('cellXfs', this.#styles)}${list('cellStyles', ['<cellStyle name="Normal" xfId="0" builtinId="0"/>'])}</styleSheet>`;
  }
}
