// Writes docs/errors.md from the declared refusals. A test keeps the committed file equal to it.

import { writeFile } from 'node:fs/promises';
import { refusals, type RefusalKind } from '../src/model/refusals/refusals.ts';

export const errorsFile = new URL('../docs/errors.md', import.meta.url);

const opening = `# Errors

Every way the service says no, with its HTTP status. The codes are stable: programs may rely on them. Ask again on 429 and
5xx; every other status is final. Made by \`npm run errors\` from \`src/model/refusals/refusals.ts\`; also served at \`/docs/errors\`.

| code | status | title | meaning |
|---|---|---|---|
`;

function row([code, { status, title, meaning }]: readonly [string, RefusalKind]): string {
  return `| \`${code}\` | ${status} | ${title} | ${meaning.replaceAll('|', '\\|')} |\n`;
}

export function errorsMarkdown(): string {
  const byStatus = Object.entries<RefusalKind>(refusals).toSorted(([, one], [, other]) => one.status - other.status);
  return opening + byStatus.map(row).join('');
}

if (import.meta.main) await writeFile(errorsFile, errorsMarkdown());
