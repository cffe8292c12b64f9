// Text for terminals: without what a terminal would obey, as wide as it is shown, and in colour where people look.

import { styleText } from 'node:util';

/** Shows control characters as a mark: names and comments come from others. */
export function harmless(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\u{fffd}');
}

/** One line of harmless text. */
export function oneLine(text: string): string {
  return harmless(text.replaceAll(/\s+/g, ' '));
}

const segmenter = new Intl.Segmenter();
const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

/** How many columns a terminal needs for it. */
export function textWidth(text: string): number {
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += wide.test(segment) ? 2 : 1;
  return width;
}

export function shorten(text: string, widthMax: number): string {
  if (textWidth(text) <= widthMax) return text;
  let shown = '';
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += textWidth(segment);
    if (width > widthMax - 1) break;
    shown += segment;
  }
  return `${shown}…`;
}

export function pad(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - textWidth(text)));
  return side === 'left' ? text + space : space + text;
}

/** Decides for itself whether the stream is a terminal that wants colours (`NO_COLOR`, `FORCE_COLOR`). */
export function paint(
  format: Parameters<typeof styleText>[0],
  text: string,
  stream: NodeJS.WriteStream = process.stdout,
): string {
  return styleText(format, text, { stream, validateStream: true });
}

const widthDefault = 100;

/** Where nobody looks, nothing is cut. */
export function terminalWidth(stream: NodeJS.WriteStream = process.stdout): number {
  const { COLUMNS: columns } = process.env;
  if (stream.isTTY) return stream.columns || widthDefault;
  return columns !== undefined && /^\d{2,4}$/.test(columns) ? Number(columns) : Infinity;
}
