// A chart as a file of its own (SVG), to put into a letter or a presentation: title, legend and drawing, with colours for white paper.

import type { Html } from '../../../kit/html.ts';
import { element, joined } from './svg.ts';

interface ChartFile {
  readonly title: string;
  readonly description: string;
  readonly width: number;
  readonly height: number;
  readonly legend: readonly { readonly title: string; readonly key: Html }[];
  readonly parts: readonly Html[];
}

const margin = 24;
const titleHeight = 34;
const legendHeight = 26;
const letterWidth = 6.6;

/** The classes of the style sheet's charts; a file has no dark scheme. */
const fileStyle = `text{font:12px system-ui,sans-serif;fill:#5c6068}
.title{font-size:16px;font-weight:600;fill:#1c1f24}.value{fill:#1c1f24}
.area{fill:#eef3f8}.stroke{fill:none;stroke:#1f4e79;stroke-width:1.75;stroke-linejoin:round}
.bench{fill:none;stroke:#8a8f98;stroke-width:1.5;stroke-dasharray:4 4}.flow{fill:#b07d2b}
.grid{stroke:#e4e1d9}.zero{stroke:#5c6068}.around{fill:none;stroke:#fff;stroke-width:5}.over{fill:none;stroke:#1c1f24;stroke-width:1.75}
.c1{fill:#1f4e79}.c2{fill:#b07d2b}.c3{fill:#3f7d6a}.c4{fill:#7b5ea7}.c5{fill:#8a8f98}.rest{fill:#fff;stroke:#5c6068;stroke-dasharray:2 2}
.up{fill:#1d6b45}.down{fill:#a2332b}.mark{stroke:#fff;stroke-width:1.5}.dot{fill:#fff}
.track{fill:#e4e1d9}.allowed{fill:#3f7d6a}.here{stroke:#1c1f24;stroke-width:3}.here.down{stroke:#a2332b}`;

export function chartFile({ title, description, width, height, legend, parts }: ChartFile): string {
  const keys = legend.length < 2 ? [] : legend;
  const top = margin + titleHeight + (keys.length === 0 ? 0 : legendHeight);
  const size = { width: width + 2 * margin, height: height + top + margin };
  const drawn = element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', ...size, viewBox: `0 0 ${size.width} ${size.height}`, role: 'img' },
    element('title', {}, title),
    element('desc', {}, description),
    element('style', {}, fileStyle),
    element('rect', { width: size.width, height: size.height, fill: '#fff' }),
    element('text', { class: 'title', x: margin, y: margin + 14 }, title),
    legendOf(keys),
    element('g', { transform: `translate(${margin} ${top})` }, ...parts),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${drawn.text}\n`;
}

function legendOf(legend: ChartFile['legend']): Html {
  let x = margin;
  return joined(
    legend.flatMap(({ title, key }) => {
      const left = x;
      x += 44 + title.length * letterWidth;
      return [
        element('g', { transform: `translate(${left} ${margin + titleHeight - 8})` }, key),
        element('text', { x: left + 22, y: margin + titleHeight + 3 }, title),
      ];
    }),
  );
}
