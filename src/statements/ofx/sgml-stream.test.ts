// Tests how SGML is read whatever pieces it comes in, and what is passed over with all that is in it.

import { expect, test } from 'vitest';
import type { XmlElement } from '../xml/xml-element.ts';
import { SgmlStream } from './sgml-stream.ts';

const noElements: ReadonlySet<string> = new Set();

/** Enters the outermost element, keeps those named A below what was entered, and passes over all others. */
function read(...pieces: readonly string[]): string[] {
  const kept: string[] = [];
  const stream = new SgmlStream(
    {
      open: ({ name }: XmlElement) => (name === 'OFX' ? 'enter' : name === 'A' ? 'keep' : 'pass-over'),
      kept: ({ text }: XmlElement) => void kept.push(text),
    },
    noElements,
  );
  for (const piece of pieces) stream.push(piece);
  stream.end();
  return kept;
}

test('short tags are read however long the piece is in which they come', () => {
  const count = 20_000;
  const file = `<OFX>${'<A>x</A>'.repeat(count)}</OFX>`;
  expect(read(file)).toHaveLength(count);
  expect(read(file.slice(0, 70_000), file.slice(70_000))).toHaveLength(count);
});

test('what is passed over is passed over with all levels in it', () => {
  expect(read('<OFX><B><C><A>no</A><D><A>no</A></D></C></B><A>yes</A></OFX>')).toEqual(['yes']);
});
