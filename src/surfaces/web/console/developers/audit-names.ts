// What the lines of the audit log are about, by name: from what a line says, else from the record as it is now.

import type { Page } from '../../signed-in-page.ts';
import { findRecordKind, nameOf } from '../resource/record-kinds.ts';
import { ReferenceNames, type Reference } from '../resource/references.ts';

/** Records that the console has no general pages for. */
const apiPaths: Readonly<Record<string, string>> = {
  import: '/v1/imports',
  invite: '/v1/invites',
  authority: '/v1/authorities',
  'auth-flow': '/v1/auth-flows',
};

/** So many of them are read for one page. */
const readsMax = 12;

type State = Readonly<Record<string, unknown>>;

export class AuditNames {
  readonly #references: ReferenceNames;
  readonly #records: ReadonlyMap<string, State>;

  private constructor(references: ReferenceNames, records: ReadonlyMap<string, State>) {
    this.#references = references;
    this.#records = records;
  }

  static async read(page: Page, lines: readonly any[]): Promise<AuditNames> {
    const unnamed = lines.filter((line) => ownName(line) === undefined);
    const records = await readRecords(page, unnamed);
    const related = [...unnamed.map(stateOf), ...records.values()].flatMap(relatedOf);
    const known = unnamed.map(({ subject_type: to, subject_id: id }) => ({ to, id }));
    return new AuditNames(await ReferenceNames.read(page, [...known, ...related]), records);
  }

  /** Undefined where the record has no name, or none that can still be read. */
  nameOf(line: any): string | undefined {
    const { subject_type: to, subject_id: id } = line;
    const record = this.#records.get(id) ?? {};
    const names = [
      ownName(line),
      stateName(record),
      ...relatedOf({ ...record, ...stateOf(line) }).map((one) => this.#knownName(one)),
      this.#knownName({ to, id }),
    ];
    return names.find((name) => name !== undefined);
  }

  #knownName(reference: Reference): string | undefined {
    const name = this.#references.nameOf(reference);
    return name === reference.id ? undefined : name;
  }
}

async function readRecords(page: Page, lines: readonly any[]): Promise<ReadonlyMap<string, State>> {
  const paths = lines.flatMap(({ subject_type: type, subject_id: id }) => {
    const path = apiPaths[type];
    return path === undefined || !page.api.may('GET', path) ? [] : [[id, `${path}/${encodeURIComponent(id)}`] as const];
  });
  const wanted = [...new Map(paths)].slice(0, readsMax);
  const read = await Promise.all(wanted.map(async ([id, path]) => [id, await page.api.find(path)] as const));
  return new Map(read.filter(([, record]) => record !== undefined));
}

/** An authority has the name of its custodian, an invite that of whom it invites. */
function relatedOf({ custodian_id: custodian, user_id: user }: State): readonly Reference[] {
  const all = [
    { to: 'custodian', id: custodian },
    { to: 'user', id: user },
  ];
  return all.flatMap(({ to, id }) => (typeof id === 'string' ? [{ to, id }] : []));
}

/** The state after the act, or before it for what was deleted. */
function stateOf({ before, after }: any): State {
  return after ?? before ?? {};
}

function ownName(line: any): string | undefined {
  return stateName(line.after ?? {}) ?? stateName(line.before ?? {});
}

function stateName(state: State): string | undefined {
  const { id: _id, ...rest } = state;
  const written = nameOf({ name: state['file_name'] ?? state['url'], ...rest });
  return written === '' ? undefined : written;
}

/** What people call such a record. */
export function subjectKind(type: string): string {
  return findRecordKind(type)?.one ?? type.replaceAll('-', ' ');
}
