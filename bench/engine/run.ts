// The engine beside what a user would pick instead, on one generated ledger: bare doubles, decimal.js, ledger, hledger, beancount.
// `npm run bench:engine`; `--sizes 10000,100000`, `--cli-sizes 10000`, `--skip-cli`, `--skip-decimal-returns`; WRITE=off writes nothing.

import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { machine } from '../http-load.ts';
import { runCommandLines } from './command-line/peers.ts';
import { measureFigures } from './figures.ts';
import { generateLedger } from './ledger/generated-ledger.ts';
import type { Measured } from './harness.ts';
import { measureLots, measureStakes } from './lots.ts';
import { measureMoneyWeighted } from './money-weighted.ts';
import { lines, page, type Results } from './report.ts';
import { measureReturns } from './returns.ts';

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000,1000000' },
    /** A million takes the peers some ten minutes and ten gigabytes. */
    'cli-sizes': { type: 'string', default: '10000,100000' },
    'skip-cli': { type: 'boolean', default: false },
    'skip-decimal-returns': { type: 'boolean', default: false },
  },
});

function numbers(list: string): number[] {
  return list.split(',').map(Number);
}

function say(words: string): void {
  process.stderr.write(`${words}\n`);
}

const loadAtStart = loadavg()[0]!;
const sizes = numbers(options.sizes);
const ledgers = sizes.map(generateLedger);
const measured: Measured[] = [];

function measure(measureOne: () => Measured): void {
  const one = measureOne();
  say(`${one.task}, ${one.size}: done`);
  measured.push(one);
}

/** decimal.js takes half a minute for the returns, at every size: days and instruments stay the same. */
function peersAt(size: number): 'all' | 'bare doubles only' {
  return size === 100_000 && !options['skip-decimal-returns'] ? 'all' : 'bare doubles only';
}

// First what is quick, before objects by the million have filled the heap.
for (const flows of [1_000, 10_000, 100_000]) measure(() => measureMoneyWeighted(flows));
for (const ledger of ledgers) measure(() => measureReturns(ledger, peersAt(ledger.days.length)));
for (const ledger of ledgers) measure(() => measureFigures(ledger));
for (const ledger of ledgers) measure(() => measureLots(ledger, 'trade'));
for (const ledger of ledgers) measure(() => measureLots(ledger, 'trade and reference'));
for (const ledger of ledgers) measure(() => measureStakes(ledger));
const wanted = options['skip-cli'] ? [] : numbers(options['cli-sizes']);
const commandLine = runCommandLines(wanted.map((size) => ledgers[sizes.indexOf(size)] ?? generateLedger(size)));
const results: Results = { machine: machine(), load: [loadAtStart, loadavg()[0]!], measured, commandLine };
const text = page(results);
process.stdout.write(text);
if (process.env['WRITE'] !== 'off') {
  writeFileSync(new URL('results.md', import.meta.url), text);
  writeFileSync(new URL('results.jsonl', import.meta.url), lines(results));
}
