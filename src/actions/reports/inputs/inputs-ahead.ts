// Reads the inputs of a report on a replica, ahead of the snapshot of the primary, which says whether they are current. What is not is
// read there: so no answer depends on how far the replica has come.

import type { Id } from '../../../kit/id.ts';
import {
  findInputsVersion,
  isSameInputsVersion,
  type InputsVersion,
} from '../../../store/report-inputs/inputs-version.ts';
import { readOnReplica, type Work } from '../../core/work.ts';
import {
  readInputs,
  readVersionedInputsKnownAt,
  type FreshlyReadInputs,
  type InputsSnapshotWork,
  type VersionedInputs,
} from './read-inputs.ts';
import { findCachedVersions } from './report-inputs.ts';

/** What a replica had of a client's inputs, as known now or at a past moment. */
export interface InputsAhead {
  readonly now?: FreshlyReadInputs;
  readonly past?: VersionedInputs;
}

interface AheadQuery {
  /** The client, where that is known without the database. */
  readonly cachedClient: Id | undefined;
  findClient(replicaWork: InputsSnapshotWork): Promise<Id | undefined>;
  readonly knownAt: number | undefined;
  /** What the primary has said about inputs that are cached and no longer current. */
  readonly currentVersion?: InputsVersion | undefined;
}

/**
 * Undefined if there is no replica, or nothing to gain from it. Of inputs that are cached only what has changed is read: on the replica if
 * it knows all that the primary has said, and on the primary otherwise.
 */
export async function readAhead(work: Work, query: AheadQuery): Promise<InputsAhead | undefined> {
  const { cachedClient, knownAt, currentVersion, findClient } = query;
  /** Counts where the replica does not have the client, or not what the primary has said of it. */
  const read = <T>(
    task: (replicaWork: InputsSnapshotWork, client: Id) => Promise<T | undefined>,
  ): Promise<T | undefined> =>
    readOnReplica(work, async (replicaWork) => {
      const client = await findClient(replicaWork);
      const found = client && (await task(replicaWork, client));
      if (found === undefined) work.context.figures.add('replica/behind');
      return found;
    });
  if (knownAt !== undefined) {
    const past = await read((replicaWork, client) => readVersionedInputsKnownAt(replicaWork, client, knownAt));
    return past && { past };
  }
  const cached = cachedClient && findCachedVersions(work, cachedClient);
  if (cached !== undefined && currentVersion === undefined) return undefined;
  const previous = cached && currentVersion && { ...cached, currentVersion };
  const now = await read((replicaWork, client) => readNow(replicaWork, client, previous));
  return now && { now };
}

async function readNow(
  work: InputsSnapshotWork,
  client: Id,
  previous: (VersionedInputs & { readonly currentVersion: InputsVersion }) | undefined,
): Promise<FreshlyReadInputs | undefined> {
  if (previous === undefined) return readInputs(work, client, undefined);
  const version = await findInputsVersion(work.store, previous.versionQuery);
  if (version === undefined || !isSameInputsVersion(version, previous.currentVersion)) return undefined;
  return readInputs(work, client, previous);
}
