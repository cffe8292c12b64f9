// Finds in which workspace a secret belongs that does not say so itself: those of earlier releases. All servers are asked.

import type { Id } from '../../kit/id.ts';
import { foundOrAll, type PreAuthRead } from '../postgres/statement-runner.ts';
import { askingAll, type Statement } from '../postgres/statement.ts';

/** What a lookup by a secret needs. */
export interface SecretLocator {
  readonly secretHash: Buffer;
  /** Undefined for a secret of an earlier release, which does not say it. */
  readonly workspaceId: Id | undefined;
}

interface Place {
  readonly workspaceId: Id;
}

const places = {
  session: placeOf('session'),
  invite: placeOf('invite'),
  administrator_link: placeOf('administrator_link'),
};

function placeOf(table: string): Statement<Place> {
  return askingAll(
    `places/${table}`,
    `SELECT t.workspace_id AS "workspaceId" FROM ${table} t WHERE {t} AND t.secret_hash = $1`,
  );
}

/** Undefined where no workspace has the secret. */
export async function workspaceOfSecret(
  read: PreAuthRead,
  table: keyof typeof places,
  { secretHash, workspaceId }: SecretLocator,
): Promise<Id | undefined> {
  return workspaceId ?? foundOrAll(await read(places[table], [secretHash])).rows[0]?.workspaceId;
}
