// Tests in Chromium that charts can be read at every width: letters of 12 to 14 px, inside the drawing, none over another,
// told apart without colour, also in forced colours.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { chromiumForThisFile } from '../setup/people/chromium.ts';
import { chartsPage } from '../setup/web/charts-page.ts';

const chromium = chromiumForThisFile();

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

interface Drawing {
  readonly name: string;
  readonly box: Box;
  readonly texts: readonly { readonly text: string; readonly fontSize: number; readonly box: Box }[];
}

/** The drawings that are shown, in pixels of the screen. */
function measureDrawings(page: Page): Promise<readonly Drawing[]> {
  return page.evaluate(`(() => {
    const boxOf = (element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return { left, right, top, bottom };
    };
    return [...document.querySelectorAll('figure > svg[role=img]')]
      .filter((svg) => svg.getBoundingClientRect().width > 0)
      .map((svg) => {
        const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
        const texts = [...svg.querySelectorAll('text')].map((text) => ({
          text: text.textContent,
          fontSize: Number.parseFloat(getComputedStyle(text).fontSize) * scale,
          box: boxOf(text),
        }));
        return { name: svg.parentElement.id, box: boxOf(svg), texts };
      });
  })()`);
}

/** What cannot be read: letters of another size, outside of their drawing, or over other letters. */
function faultsOf({ name, box, texts }: Drawing): readonly string[] {
  return texts.flatMap((one, index) => {
    const isReadable = one.fontSize >= 12 && one.fontSize <= 14;
    const isInside = areOrdered(box.left, one.box.left, one.box.right, box.right);
    const isBetween = areOrdered(box.top, one.box.top, one.box.bottom, box.bottom);
    return [
      ...(isReadable ? [] : [`${name}: ${one.text} has ${one.fontSize} px`]),
      ...(isInside && isBetween ? [] : [`${name}: ${one.text} is outside`]),
      ...texts
        .slice(index + 1)
        .filter((other) => areTouching(one.box, other.box))
        .map((other) => `${name}: ${one.text} is over ${other.text}`),
    ];
  });
}

function areOrdered(...positions: readonly number[]): boolean {
  return positions.every((position, index) => position >= (positions[index - 1] ?? -Infinity) - 0.5);
}

function areTouching(one: Box, other: Box): boolean {
  const isBeside = one.right <= other.left || other.right <= one.left;
  return !isBeside && one.bottom > other.top && other.bottom > one.top;
}

test.each([240, 280, 320, 375, 440, 640, 680, 800, 1100])(
  'letters of charts in %i px have 12 to 14 px, are inside of the drawing and apart from each other',
  async (width) => {
    const { page } = await chromium.open();
    await page.setContent(chartsPage(width));
    const drawings = await measureDrawings(page);
    expect(drawings.map(({ name }) => name)).toEqual([
      'value',
      'income',
      'flows',
      'result',
      'share',
      'limit',
      'limit2',
    ]);
    expect(drawings.filter(({ texts }) => texts.length === 0)).toEqual([]);
    expect(drawings.flatMap(faultsOf)).toEqual([]);
  },
);

test('in forced colours parts of a chart have the colour of text and differ by their pattern', async () => {
  const { page } = await chromium.open();
  await page.emulateMedia({ forcedColors: 'active' });
  await page.setContent(chartsPage(800));
  const seen = await page.evaluate(`(() => {
    const fillOf = (element) => getComputedStyle(element).fill;
    const patterns = [...document.querySelectorAll('#flows .patterns pattern')];
    const marksOf = (pattern) => [...pattern.children].slice(1).map(({ outerHTML }) => outerHTML).join();
    return {
      colours: [...new Set(patterns.map((one) => fillOf(one.querySelector('rect'))))],
      patterns: new Set(patterns.map((one) => one.getAttribute('patternTransform') + marksOf(one))).size,
      keys: new Set([...document.querySelectorAll('#flows .key rect')].map(fillOf)).size,
      bars: new Set([...document.querySelectorAll('#flows .wide rect')].map(fillOf)).size,
      text: fillOf(document.querySelector('#flows text')),
      canvasText: getComputedStyle(document.body).color,
    };
  })()`);
  const { canvasText } = seen as { readonly canvasText: string };
  expect(seen).toEqual({ colours: [canvasText], patterns: 4, keys: 5, bars: 5, text: canvasText, canvasText });
});
