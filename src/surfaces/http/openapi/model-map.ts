// The map of the model that each group of the reference shows: boxes for subjects, arrows for how they belong together.

import { greatestOf } from '../../../kit/memory/long-list.ts';
import { keysOf } from '../../../kit/keys.ts';

interface Box {
  readonly label: string;
  /** Its place in the grid. */
  readonly column: number;
  readonly row: number;
  /** The groups of the reference that are about it. */
  readonly groups: readonly string[];
}

const boxes = {
  access: {
    label: 'Apps and keys',
    column: 0,
    row: 0,
    groups: [
      'applications',
      'keys',
      'me',
      'audit-log',
      'requests',
      'usage',
      'tokens',
      'operations',
      'reference',
      'diagnostics',
    ],
  },
  people: { label: 'Users, invites', column: 0, row: 1, groups: ['users', 'invites', 'administrators'] },
  client: { label: 'Client', column: 0, row: 2, groups: ['clients', 'sandbox-clients', 'sandbox-personas'] },
  custodian: { label: 'Custodian', column: 1, row: 0, groups: ['custodians'] },
  'legal-entity': { label: 'Legal entity', column: 1, row: 1, groups: ['legal-entities'] },
  'reporting-entity': { label: 'Reporting entity', column: 1, row: 3, groups: ['reporting-entities'] },
  limit: { label: 'Limit', column: 1, row: 4, groups: ['limits', 'limit-breaches'] },
  authority: { label: 'Consent', column: 2, row: 0, groups: ['auth-flows', 'authorities'] },
  account: { label: 'Account', column: 2, row: 1, groups: ['accounts'] },
  depository: { label: 'Depository', column: 2, row: 2, groups: ['depositories'] },
  portfolio: { label: 'Portfolio', column: 2, row: 3, groups: ['portfolios'] },
  round: { label: 'Round', column: 2, row: 4, groups: ['calculation-rounds'] },
  import: {
    label: 'Import, feed',
    column: 3,
    row: 0,
    groups: ['imports', 'import-profiles', 'import-work', 'feeds', 'identifier-mappings'],
  },
  transaction: { label: 'Transaction', column: 3, row: 1, groups: ['transactions', 'activity'] },
  upload: {
    label: 'Past holding',
    column: 3,
    row: 2,
    groups: [
      'historical-holdings',
      'historical-account-holdings',
      'historical-fee-holdings',
      'historical-instrument-holdings',
    ],
  },
  report: {
    label: 'Reports',
    column: 3,
    row: 3,
    groups: [
      'holdings',
      'lots',
      'instrument-holdings',
      'allocation',
      'realised-gains',
      'performance',
      'summarized-performance',
      'private-markets',
      'explanations',
      'data-quality',
      'restatements',
    ],
  },
  event: { label: 'Event', column: 3, row: 4, groups: ['events'] },
  reconciliation: { label: 'Reconciliation', column: 4, row: 0, groups: ['reconciliations', 'reconciliation-breaks'] },
  instrument: { label: 'Instrument', column: 4, row: 1, groups: ['instruments'] },
  series: {
    label: 'Prices, rates',
    column: 4,
    row: 2,
    groups: ['prices', 'net-asset-values', 'interest-rates', 'index-factors', 'fx-rates'],
  },
  class: { label: 'Class', column: 4, row: 3, groups: ['instrument-classes'] },
  webhook: { label: 'Webhook', column: 4, row: 4, groups: ['webhooks', 'deliveries', 'webhook-keys'] },
} satisfies Record<string, Box>;

type BoxName = keyof typeof boxes;

/** From one box to another, as a sentence says it. */
const links: readonly (readonly [from: BoxName, verb: string, to: BoxName])[] = [
  ['access', 'give programs access to', 'client'],
  ['people', 'belong to', 'client'],
  ['client', 'has', 'legal-entity'],
  ['client', 'has', 'reporting-entity'],
  ['legal-entity', 'owns', 'account'],
  ['legal-entity', 'owns', 'depository'],
  ['custodian', 'asks for', 'authority'],
  ['authority', 'allows', 'import'],
  ['import', 'books', 'transaction'],
  ['reconciliation', 'checks what was booked by', 'import'],
  ['transaction', 'moves cash of', 'account'],
  ['transaction', 'trades', 'instrument'],
  ['upload', 'states the past of', 'depository'],
  ['series', 'value', 'instrument'],
  ['class', 'groups', 'instrument'],
  ['portfolio', 'covers', 'account'],
  ['portfolio', 'covers', 'depository'],
  ['reporting-entity', 'is divided into', 'portfolio'],
  ['report', 'are about', 'portfolio'],
  ['report', 'are computed from', 'transaction'],
  ['limit', 'bounds what is held by', 'reporting-entity'],
  ['round', 'evaluates', 'limit'],
  ['round', 'causes', 'event'],
  ['event', 'is sent to', 'webhook'],
];

const boxNames = keysOf(boxes);

function boxOf(group: string): BoxName | undefined {
  return boxNames.find((name) => boxes[name].groups.includes(group));
}

const inSentence = (label: string): string => label.charAt(0).toLowerCase() + label.slice(1);

/** The map with the box of a group marked, as Markdown. Its text says what the arrows around the box say. */
export function modelMapMarkdown(group: string): string | undefined {
  const name = boxOf(group);
  if (name === undefined) return undefined;
  const sentences = links
    .filter(([from, , to]) => from === name || to === name)
    .map(([from, verb, to]) => `${boxes[from].label} ${verb} ${inSentence(boxes[to].label)}`);
  return `![Map of the model with ${inSentence(boxes[name].label)} marked: ${sentences.join('; ')}.](${modelMapPath}#${name})`;
}

export const modelMapPath = '/docs/model.svg';

const boxWidth = 140;
const boxHeight = 36;
const columnStep = 158;
const rowStep = 62;
const margin = 16;

function cornerOf({ column, row }: Box): { readonly x: number; readonly y: number } {
  return { x: margin + column * columnStep, y: margin + row * rowStep };
}

/** Whether a straight line between two boxes would lead behind one in between. */
function isBehindOthers(from: Box, to: Box): boolean {
  return from.column === to.column && Math.abs(from.row - to.row) > 1;
}

/** An arrow between two boxes of a column, at the right of those in between. */
function arrowAround(from: Box, to: Box): string {
  const x = cornerOf(from).x + boxWidth;
  const [start, end] = [cornerOf(from).y + boxHeight / 2, cornerOf(to).y + boxHeight / 2];
  return `<path class="around" d="M${x} ${start}C${x + 14} ${start} ${x + 14} ${end} ${x + 2} ${end}" marker-end="url(#arrow)"/>`;
}

/** Where the line between two middles leaves a box. */
function edgePoint(from: Box, to: Box): { readonly x: number; readonly y: number } {
  const { x, y } = cornerOf(from);
  const other = cornerOf(to);
  const [dx, dy] = [other.x - x, other.y - y];
  // Infinity along an axis on which they do not differ.
  const scale = Math.min((boxWidth / 2 + 2) / Math.abs(dx), (boxHeight / 2 + 2) / Math.abs(dy));
  return { x: Math.round(x + boxWidth / 2 + dx * scale), y: Math.round(y + boxHeight / 2 + dy * scale) };
}

const style = `
svg { color-scheme: light dark; font: 16px system-ui, sans-serif; }
.paper { fill: #ffffff; } rect { fill: #f3f4f7; stroke: #9a9eab; } text { fill: #1d1f26; text-anchor: middle; }
line, .around { stroke: #868a98; fill: none; } marker path { fill: #868a98; }
g:target rect { fill: #1f5fbf; stroke: #1f5fbf; } g:target text { fill: #ffffff; font-weight: 600; }
@media (prefers-color-scheme: dark) {
  .paper { fill: #17181c; } rect { fill: #26272d; stroke: #63666f; } text { fill: #e8e9ee; }
  line, .around { stroke: #7b7f8c; } marker path { fill: #7b7f8c; }
  g:target rect { fill: #7fb0ff; stroke: #7fb0ff; } g:target text { fill: #10131a; }
}`;

/** The picture: a fragment such as `#account` marks a box. */
export function modelMapSvg(): string {
  const all: readonly Box[] = Object.values(boxes);
  const width = margin * 2 + greatestOf(all.map(({ column }) => column)) * columnStep + boxWidth;
  const height = margin * 2 + greatestOf(all.map(({ row }) => row)) * rowStep + boxHeight;
  const lines = links.map(([from, , to]) => {
    if (isBehindOthers(boxes[from], boxes[to])) return arrowAround(boxes[from], boxes[to]);
    const [start, end] = [edgePoint(boxes[from], boxes[to]), edgePoint(boxes[to], boxes[from])];
    return `<line x1="${start.x}" y1="${start.y}" x2="${end.x}" y2="${end.y}" marker-end="url(#arrow)"/>`;
  });
  const drawn = boxNames.map((name) => {
    const { x, y } = cornerOf(boxes[name]);
    const label = `<text x="${x + boxWidth / 2}" y="${y + boxHeight / 2 + 6}">${boxes[name].label}</text>`;
    return `<g id="${name}"><rect x="${x}" y="${y}" width="${boxWidth}" height="${boxHeight}" rx="6"/>${label}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>Map of the model</title>
<style>${style}</style>
<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>
<rect class="paper" width="100%" height="100%" rx="8" stroke="none"/>
${[...lines, ...drawn].join('\n')}
</svg>
`;
}
