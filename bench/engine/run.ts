// Compares the engine with its alternatives on one generated ledger: bare doubles, decimal.js, ledger, hledger, beancount. `npm
// run bench:engine`; `--sizes 10000,100000`, `--cli-sizes 10000`, `--skip-cli`, `--skip-decimal-returns`; WRITE=off writes
// nothing.

import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { machine } from '../http-load.ts';
import { runCommandLines } from './command-line/peers.ts';
import { measureFigures } from './figures.ts';
import { generateLedger } from './ledger/generated-ledger.ts';
import type { EngineMeasurement } from './harness.ts';
import { measureLots, measurePositions } from './lots.ts';
import { measureMoneyWeighted } from './money-weighted.ts';
import { resultsLines, resultsPage, type Results } from './report.ts';
import { measureReturns } from './returns.ts';

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000,1000000' },
    /** With a million rows the other programs take about ten minutes and ten gigabytes. */
    'cli-sizes': { type: 'string', default: '10000,100000' },
    'skip-cli': { type: 'boolean', default: false },
    'skip-decimal-returns': { type: 'boolean', default: false },
  },
});

function numbers(list: string): number[] {
  return list.split(',').map(Number);
}

function writeProgress(message: string): void {
  process.stderr.write(`${message}\n`);
}

const loadAtStart = loadavg()[0]!;
const sizes = numbers(options.sizes);
const ledgers = sizes.map(generateLedger);
const measured: EngineMeasurement[] = [];

function measure(measureOne: () => EngineMeasurement): void {
  const one = measureOne();
  writeProgress(`${one.task}, ${one.size}: done`);
  measured.push(one);
}

/** decimal.js takes half a minute for the returns at every size, since days and instruments stay the same. */
function peersAt(size: number): 'all' | 'bare doubles only' {
  return size === 100_000 && !options['skip-decimal-returns'] ? 'all' : 'bare doubles only';
}

// Quick tasks first, before millions of objects fill the heap.
for (const flows of [1_000, 10_000, 100_000]) measure(() => measureMoneyWeighted(flows));
for (const ledger of ledgers) measure(() => measureReturns(ledger, peersAt(ledger.days.length)));
for (const ledger of ledgers) measure(() => measureFigures(ledger));
for (const ledger of ledgers) measure(() => measureLots(ledger, 'trade'));
for (const ledger of ledgers) measure(() => measureLots(ledger, 'trade and reference'));
for (const ledger of ledgers) measure(() => measurePositions(ledger));
const wanted = options['skip-cli'] ? [] : numbers(options['cli-sizes']);
const commandLine = runCommandLines(wanted.map((size) => ledgers[sizes.indexOf(size)] ?? generateLedger(size)));
const results: Results = { machine: machine(), load: [loadAtStart, loadavg()[0]!], measured, commandLine };
const text = resultsPage(results);
process.stdout.write(text);
if (process.env['WRITE'] !== 'off') {
  writeFileSync(new URL('results.md', import.meta.url), text);
  writeFileSync(new URL('results.jsonl', import.meta.url), resultsLines(results));
}
