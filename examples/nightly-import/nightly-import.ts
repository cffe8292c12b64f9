// Imports the files of a folder, for cron: checks each, books those without problems, and moves them to done/ or failed/.
//
//   node examples/nightly-import/nightly-import.ts FOLDER CLIENT

import { openAsBlob } from 'node:fs';
import { mkdir, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BadRequest, BodyTooLarge, Unprocessable, type Holdfast, type Schemas } from '@holdfast/sdk';
import { connect } from '../connect.ts';

const exitCodes = { done: 0, someFailed: 1, notRun: 2 } as const;

/** A file that changed within the last minute may still be on its way. */
const settledMs = 60_000;
const shownProblemsMax = 20;

async function main(folder: string, clientId: string): Promise<number> {
  const holdfast = connect('nightly-import', 'read write');
  // Wrong settings are found before a file is touched.
  await holdfast.clients.get(clientId);
  const startedAt = new Date().toISOString().replaceAll(':', '-');
  for (const name of ['done', 'failed']) await mkdir(join(folder, name), { recursive: true });
  let failedCount = 0;
  for (const name of await listSettledFiles(folder)) {
    const isBooked = await importFile(holdfast, clientId, folder, name);
    if (!isBooked) failedCount++;
    // The time keeps files apart that have the same name every night.
    await rename(join(folder, name), join(folder, isBooked ? 'done' : 'failed', `${startedAt}-${name}`));
  }
  return failedCount === 0 ? exitCodes.done : exitCodes.someFailed;
}

/** By name, so that the statements of a bank come in the order of their dates. */
async function listSettledFiles(folder: string): Promise<string[]> {
  const settled: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isFile() || entry.name.startsWith('.')) continue;
    const { mtimeMs } = await stat(join(folder, entry.name));
    if (mtimeMs < Date.now() - settledMs) settled.push(entry.name);
  }
  return settled.toSorted();
}

/** Whether the whole file is booked. The service knows the rows that it has, so sending a file again books nothing twice. */
async function importFile(holdfast: Holdfast, clientId: string, folder: string, name: string): Promise<boolean> {
  try {
    const file = await openAsBlob(join(folder, name));
    const checked = await holdfast.imports.create(file, { client_id: clientId, file_name: name });
    const result = hasProblems(checked) ? checked : await holdfast.imports.book(checked.id);
    await report(holdfast, name, result);
    return result.state === 'booked' && !hasProblems(result);
  } catch (error) {
    const isAboutFile = error instanceof BadRequest || error instanceof Unprocessable || error instanceof BodyTooLarge;
    // Anything else, such as a service that does not answer, ends the run: the file stays for the next one.
    if (!isAboutFile) throw error;
    console.log(`${name}: ${error.code}: ${error.detail}`);
    return false;
  }
}

const hasProblems = ({ counts }: Schemas.Import): boolean => counts.refused + counts.needs > 0;

async function report(
  holdfast: Holdfast,
  name: string,
  { id, state, counts, warnings }: Schemas.Import,
): Promise<void> {
  const { rows, booked, amended, unchanged, refused, needs } = counts;
  const known = `${booked} new, ${amended} changed, ${unchanged} without effect`;
  console.log(`${name}: ${state}, ${rows} rows: ${known}, ${refused} refused, ${needs} waiting (import ${id})`);
  for (const { code, detail } of warnings) console.log(`  ${code}: ${detail}`);
  for (const outcome of ['refused', 'needs'] as const) {
    const problems = await holdfast.imports.rows(id, { outcome }).toArray({ max: shownProblemsMax });
    for (const { line, code, detail } of problems) console.log(`  line ${line}: ${code}: ${detail}`);
  }
}

const [folder, clientId] = process.argv.slice(2);
try {
  if (folder === undefined || clientId === undefined) throw new Error('Name the folder and the client.');
  process.exitCode = await main(folder, clientId);
} catch (error) {
  console.error(String(error));
  process.exitCode = exitCodes.notRun;
}
