// Builds a package of packages/ for publishing: JavaScript, types, licence and a package.json that leads to them, in its folder dist.
//
//   node scripts/build-package.ts sdk

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);

interface Manifest {
  readonly exports?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly scripts?: unknown;
  readonly [other: string]: unknown;
}

/** In the repository a package is used from its source; what is published leads to what was built. */
function publishedManifest({ scripts: _scripts, ...manifest }: Manifest): Manifest {
  const entries = Object.entries(manifest.exports ?? {}).map(([name, source]) => {
    const built = source.replace('./src/', './').replace(/\.ts$/, '');
    return [name, { types: `${built}.d.ts`, default: `${built}.js` }] as const;
  });
  const bins = Object.entries(manifest.bin ?? {}).map(([name, source]) => [
    name,
    source.replace('src/', '').replace(/\.ts$/, '.js'),
  ]);
  const [, main] = entries.find(([name]) => name === '.') ?? [];
  return {
    ...manifest,
    ...(entries.length > 0 ? { exports: Object.fromEntries(entries) } : {}),
    ...(main === undefined ? {} : { main: main.default, types: main.types }),
    ...(bins.length > 0 ? { bin: Object.fromEntries(bins) } : {}),
    files: ['**/*.js', '**/*.d.ts', 'README.md', 'LICENSE'],
  } as Manifest;
}

/** What is published has no repository around it: links to other files of it would lead nowhere. */
function publishedReadme(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '$1');
}

/** Writes the package to a folder, `dist` unless told otherwise. */
export function buildPackage(name: string, target = new URL(`packages/${name}/dist/`, root)): void {
  const folder = new URL(`packages/${name}/`, root);
  rmSync(target, { recursive: true, force: true });
  const compiler = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root));
  const project = [fileURLToPath(new URL('tsconfig.json', folder)), '--outDir', fileURLToPath(target)];
  execFileSync(process.execPath, [compiler, '-p', ...project], { stdio: 'inherit' });
  const manifest = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'));
  writeFileSync(new URL('package.json', target), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`);
  cpSync(new URL('LICENSE', root), new URL('LICENSE', target));
  const readme = new URL('README.md', folder);
  if (existsSync(readme)) writeFileSync(new URL('README.md', target), publishedReadme(readFileSync(readme, 'utf8')));
}

if (import.meta.main) {
  const [name] = process.argv.slice(2);
  if (name === undefined) throw new Error('Name the package to build: sdk, cli, mcp or conformance.');
  buildPackage(name);
}
