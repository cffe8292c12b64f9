// Writes docs/fixed-limits.md from the sources. A test checks that the committed page is up to date.

import { globSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { limitsOf, type FixedLimit } from './read-limits.ts';

export const limitsFile = new URL('../../docs/fixed-limits.md', import.meta.url);

/** In the order of the page: what a folder's limits bound. */
const chapters: readonly (readonly [folder: string, title: string])[] = [
  ['src/surfaces/http', 'Requests and answers'],
  ['src/surfaces/v1', 'Requests and answers of `/v1`'],
  ['src/surfaces/plain', 'Requests and answers of the plain wire'],
  ['src/surfaces/token', 'Token requests'],
  ['src/surfaces/mcp', 'Assistants'],
  ['src/surfaces/web', 'Pages'],
  ['src/signing', 'Tokens, keys and secrets'],
  ['src/model', 'Values and records'],
  ['src/kit', 'Numbers, texts and turns'],
  ['src/actions/access', 'Callers, sessions and the audit log'],
  ['src/actions/people', 'People and mail'],
  ['src/actions/custody', 'Custodian connections and authorities'],
  ['src/actions/feeds', 'Feeds'],
  ['src/actions/imports', 'Imports'],
  ['src/statements', 'Files of custodians'],
  ['src/actions/reconciliation', 'Reconciliation'],
  ['src/actions/reports', 'Reports'],
  ['src/actions/limits', 'Investment limits'],
  ['src/actions/rounds', 'Rounds'],
  ['src/actions/events', 'Events and webhooks'],
  ['src/actions', 'Other operations'],
  ['src/jobs', 'Work in the background'],
  ['src/gateways', 'Calls to other systems'],
  ['src/store', 'The database'],
  ['src/app', 'Start, stop and commands'],
];

/** Invented data, services of development, and how pictures are drawn bound nothing that anybody meets. */
const leftOut = /^src\/(?:app\/development|actions\/(?:demo|sandbox)|surfaces\/web\/(?:charts|islands)|kit\/text)\//;

const opening = `# Fixed limits

The limits, deadlines and sizes that the service keeps to and that no setting changes; [settings.md](settings.md) has those that one does. They are as the code has
them: \`npm run limits\` writes this page, and a test holds it to the code, so that none changes unseen. What they mean for a caller is in the API reference.
`;

function allLimits(): FixedLimit[] {
  const files = globSync('src/**/*.ts', { cwd: fileURLToPath(new URL('../../', import.meta.url)) }).toSorted();
  return files.filter((file) => !file.endsWith('.test.ts') && !leftOut.test(file)).flatMap(limitsOf);
}

export function limitsMarkdown(): string {
  const chapterOf = ({ file }: FixedLimit): string =>
    chapters.find(([folder]) => file.startsWith(`${folder}/`))?.[1] ?? '';
  const byChapter = Map.groupBy(allLimits(), chapterOf);
  const written = chapters.flatMap(([, title]) => {
    const own = byChapter.get(title);
    return own === undefined
      ? []
      : [`\n## ${title}\n\n| limit | value | meaning |\n|---|---|---|\n${own.map(row).join('')}`];
  });
  return opening + written.join('');
}

function row({ file, name, value, meaning }: FixedLimit): string {
  const link = `[${basename(file, '.ts')}](../${file})`;
  return `| ${link} \`${name}\` | ${valueText(name, value)} | ${meaning.replaceAll('|', '\\|')} |\n`;
}

const timeUnits = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const;

const sizeUnits = [
  [1024 ** 3, 'GiB'],
  [1024 ** 2, 'MiB'],
  [1024, 'KiB'],
] as const;

/** In the largest unit that leaves a whole number. */
function valueText(name: string, value: bigint | number): string {
  const number = Number(value);
  const isTime = /Ms(?:Max|Min)?(?:\.|$)/.test(name);
  const isSize = /Bytes(?:Max|Min)?(?:\.|$)/.test(name);
  const units = isTime ? timeUnits : isSize ? sizeUnits : [];
  const [size, unit] = units.find(([one]) => number !== 0 && number % one === 0) ?? [
    1,
    isTime ? 'ms' : isSize ? 'bytes' : '',
  ];
  const digits = (size === 1 ? value : number / size).toLocaleString('en', {
    maximumFractionDigits: 20,
    useGrouping: !name.startsWith('year'),
  });
  return `${digits} ${unit}`.trim();
}

if (import.meta.main) writeFileSync(limitsFile, limitsMarkdown());
