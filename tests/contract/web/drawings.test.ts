// Charts and the map of the model are drawn as they were when somebody last looked at them. After an intended change run this with `-u`, look at
// the drawings in a browser, and commit the difference.

import { expect, test } from 'vitest';
import { modelMapSvg } from '../../../src/surfaces/http/openapi/model-map.ts';
import { chartsPage } from '../../setup/web/charts-page.ts';

/** One element on each line, so that a difference can be read. */
function inLines(text: string): string {
  return `${text.replaceAll('><', '>\n<')}\n`;
}

test('every kind of chart', async () => {
  const [, charts = ''] = chartsPage(800).split('<div id="room">');
  await expect(inLines(charts)).toMatchFileSnapshot('drawings/charts.txt');
});

test('the map of the model', async () => {
  await expect(inLines(modelMapSvg())).toMatchFileSnapshot('drawings/model-map.txt');
});
