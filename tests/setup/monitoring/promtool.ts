// Runs Prometheus' own checker where the machine has it: CI does.

import { spawnSync } from 'node:child_process';

const promtool = process.env['PROMTOOL'] ?? 'promtool';

/** What it complains about; empty if nothing, or if it is not installed. */
export function promtoolComplaints(words: readonly string[], input = ''): string {
  const { error, status, stdout, stderr } = spawnSync(promtool, words, { input, encoding: 'utf8' });
  // Whoever names it wants it to run.
  if (error !== undefined && process.env['PROMTOOL'] === undefined) return '';
  if (error !== undefined) throw error;
  const complaints = status === 0 ? stderr : `${stdout}${stderr}`;
  return complaints.trim();
}
