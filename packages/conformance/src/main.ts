#!/usr/bin/env node
// The program: `holdfast-conformance --url https://…`. Exit code 0 if all checks passed, 1 if one failed, 2 for a wrong call.

import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Check } from './check.ts';
import { Receiver } from './receiver.ts';
import { toHtml, toJUnit } from './reports.ts';
import { areas, runChecks, type Progress, type Report, type Result } from './run-checks.ts';

const usage = `Usage: holdfast-conformance --url URL [options]

  --url URL             the service, such as https://holdfast.example.com
  --client-id ID        an application with the rights read, write and admin; or HOLDFAST_CLIENT_ID.
                        What its rights do not allow is skipped; with read alone nothing is made
  --client-secret TEXT  its secret; better in HOLDFAST_CLIENT_SECRET
  --area NAME           only the checks of one area: ${areas.join(', ')}
  --webhook-url URL     where the service can reach this machine, to check the signatures of deliveries
  --webhook-port PORT   the port of this machine that the URL leads to; 8787 unless told otherwise
  --verbose             print what passed too
  --json FILE           write the report as JSON
  --junit FILE          write it as JUnit XML
  --html FILE           write it as a page

Makes a client of its own named "Conformance …" and books in it: use a workspace for tests, or the sandbox environment.
`;

const options = {
  url: { type: 'string' },
  'client-id': { type: 'string' },
  'client-secret': { type: 'string' },
  area: { type: 'string' },
  'webhook-url': { type: 'string' },
  'webhook-port': { type: 'string', default: '8787' },
  verbose: { type: 'boolean', default: false },
  json: { type: 'string' },
  junit: { type: 'string' },
  html: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

function readValues(): Values {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return misuse(error instanceof Error ? error.message : String(error));
  }
}

function misuse(reason: string): never {
  process.stderr.write(`${reason}\n\n${usage}`);
  process.exit(2);
}

/** On a terminal, the last line says how far the run is: it takes minutes. */
function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
}

function print(result: Result, { done, total }: Progress): void {
  showProgress('');
  printResult(result);
  showProgress(done === total ? '' : `${done} of ${total} checks`);
}

function printResult({ outcome, area, title, reason }: Result): void {
  if (outcome === 'passed' && !values.verbose) return;
  const mark = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip' }[outcome];
  process.stdout.write(`${mark} ${area}: ${title}${reason === undefined ? '' : `\n       ${reason}`}\n`);
}

async function writeReports(report: Report, { json, junit, html }: Values): Promise<void> {
  if (json !== undefined) await writeFile(json, `${JSON.stringify(report, null, 2)}\n`);
  if (junit !== undefined) await writeFile(junit, toJUnit(report));
  if (html !== undefined) await writeFile(html, toHtml(report));
}

const values = readValues();
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}
const url = values.url ?? misuse('Say which service: --url URL.');
const clientId =
  values['client-id'] ?? process.env['HOLDFAST_CLIENT_ID'] ?? misuse('Say which application: --client-id ID.');
const clientSecret =
  values['client-secret'] ?? process.env['HOLDFAST_CLIENT_SECRET'] ?? misuse('Set HOLDFAST_CLIENT_SECRET.');
if (values.area !== undefined && !areas.includes(values.area)) misuse(`There is no area ${values.area}.`);
const webhookUrl = values['webhook-url'];
const receiver =
  webhookUrl === undefined ? undefined : await Receiver.listen(webhookUrl, Number(values['webhook-port']));

/** How many passed in each area. */
function summarise({ results }: Report): string {
  const lines = [...new Set(results.map(({ area }) => area))].map((area) => {
    const own = results.filter((one) => one.area === area);
    const passed = own.filter(({ outcome }) => outcome === 'passed').length;
    return `${area.padEnd(12)} ${passed} of ${own.length} passed\n`;
  });
  return lines.join('');
}

try {
  const accepts = ({ area }: Check): boolean => values.area === undefined || values.area === area;
  const report = await runChecks({ url, clientId, clientSecret, receiver }, { accepts, onResult: print });
  await writeReports(report, values);
  const { passed, failed, skipped, requests } = report;
  process.stdout.write(`\n${summarise(report)}`);
  process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped; ${requests} requests.\n`);
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`The checks could not begin: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  receiver?.close();
}
