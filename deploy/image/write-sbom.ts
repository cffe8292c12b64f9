// Writes what is in the image as a bill of materials (CycloneDX, JSON): the installed packages of npm, Node.js, and Debian's packages. Runs in the new
// file system: `node write-sbom.ts <what npm sbom has printed> <file to write>`. The same contents give the same bytes: no time, no random number.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where it is in the image. */
export const sbomPath = '/usr/local/share/sbom/holdfast.cdx.json';

interface Component {
  readonly 'bom-ref': string;
  readonly type: 'application' | 'library';
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly cpe?: string;
}

export interface Sbom {
  readonly serialNumber?: string;
  readonly metadata: { readonly timestamp?: string; readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** The packages in a folder `node_modules` and below, each as name@version. */
export function installedPackages(modules: string): string[] {
  if (!existsSync(modules)) return [];
  const folders = readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((own) => join(name, own)) : [name],
  );
  return folders.flatMap((name) => {
    const { version }: { version: string } = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
    return [`${name}@${version}`, ...installedPackages(join(modules, name, 'node_modules'))];
  });
}

/** The packages of Debian, as dpkg has described them. */
export function debianPackages(root: string): Component[] {
  const folder = join(root, 'var/lib/dpkg/status.d');
  return readdirSync(folder)
    .toSorted()
    .map((name) => {
      const lines = readFileSync(join(folder, name), 'utf8').split('\n');
      const field = (label: string): string =>
        lines.find((line) => line.startsWith(`${label}: `))!.slice(label.length + 2);
      const version = field('Version');
      const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${field('Architecture')}&distro=debian-12`;
      return { 'bom-ref': purl, type: 'library', name, version, purl };
    });
}

function nodeItself(): Component {
  const version = process.version.slice(1);
  const purl = `pkg:generic/node@${version}`;
  const cpe = `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`;
  return { 'bom-ref': purl, type: 'application', name: 'node', version, purl, cpe };
}

/** npm lists the packages of every platform and tool, with their licences and hashes. Keeps those that are installed. */
function describe(fromNpm: Sbom, root: string): Sbom {
  const installed = new Set(installedPackages(join(root, 'app/node_modules')));
  const packages = fromNpm.components.filter(({ name, version }) => installed.has(`${name}@${version}`));
  const [node, system] = [nodeItself(), debianPackages(root)];
  const refs = new Set(packages.map((component) => component['bom-ref']));
  const { component } = fromNpm.metadata;
  const service = component['bom-ref'];
  const dependencies = fromNpm.dependencies
    .filter(({ ref }) => ref === service || refs.has(ref))
    .map(({ ref, dependsOn }) => {
      const kept = dependsOn.filter((one) => refs.has(one));
      return { ref, dependsOn: ref === service ? [...kept, node['bom-ref']] : kept };
    });
  const { timestamp: _, ...metadata } = fromNpm.metadata;
  const { serialNumber: __, ...rest } = fromNpm;
  return {
    ...rest,
    // npm names it after the folder.
    metadata: { ...metadata, component: { ...component, name: service.slice(0, service.lastIndexOf('@')) } },
    components: [...packages, node, ...system],
    dependencies: [...dependencies, { ref: node['bom-ref'], dependsOn: system.map((one) => one['bom-ref']) }],
  };
}

/** A UUID of version 8: made from the contents. */
function serialNumberOf(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex');
  const groups = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ];
  return `urn:uuid:${groups.join('-')}`;
}

if (import.meta.main) {
  const [source, target] = process.argv.slice(2);
  if (source === undefined || target === undefined)
    throw new Error('Name what npm has printed, and the file to write.');
  const sbom = describe(JSON.parse(readFileSync(source, 'utf8')), '/');
  const serialNumber = serialNumberOf(JSON.stringify(sbom));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, `${JSON.stringify({ ...sbom, serialNumber }, null, 2)}\n`);
}
