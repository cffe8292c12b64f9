// Consent files: handed in for an auth flow, stored sealed, listed, and opened for administrators.

import { createHash } from 'node:crypto';
import { defined } from '../../kit/assert.ts';
import { Refusal, refusalForFaults } from '../../kit/refusal.ts';
import type { ChangeOf } from '../../kit/resource.ts';
import { authFlowFile, authFlowFilesMax, type AuthFlowFile } from '../../model/custody/auth-flow.ts';
import { nextState } from '../../model/custody/authority-state.ts';
import type { handedInFile } from '../../model/custody/custody-requests.ts';
import { auditRecord, listRecords, notFound, type ResultPage, type Rules } from '../core/resource.ts';
import { sealContext } from '../core/seal-context.ts';
import type { Work } from '../core/work.ts';
import { lockFlow, showFlow, takeStep, type LockedFlow } from './auth-flow.ts';

export const authFlowFileRules: Rules<typeof authFlowFile> = { resource: authFlowFile };

export const consentFilePurpose = 'consent-file';

function invalid(field: string, detail: string): Refusal {
  return refusalForFaults('invalid-document', [{ code: 'invalid-attribute', detail, field }]);
}

/** Reads base64 strictly: what is left out or cannot be read would change the file. The longest text that is accepted is that of the largest file. */
function readContent(text: string): Buffer {
  const content = Buffer.from(text, 'base64');
  if (content.toString('base64') !== text) throw invalid('content', 'content must be base64, with padding.');
  return content;
}

/** A media type without parameters. */
const mediaTypePattern = /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/i;

function checkFile({ flow }: LockedFlow, { expectedFile, mediaType }: ChangeOf<typeof handedInFile>): void {
  if (!mediaTypePattern.test(defined(mediaType, 'a new file has a media type'))) {
    throw invalid('mediaType', 'media_type must be a media type without parameters, such as application/pdf.');
  }
  if (expectedFile != null && !flow.expectedFiles.includes(expectedFile)) {
    const names = flow.expectedFiles.map((name) => JSON.stringify(name)).join(', ') || 'none';
    throw invalid('expectedFile', `This is not an expected file. Expected are: ${names}.`);
  }
}

/** Hands in a file. With the last one that was expected, consent can be given. */
export async function handInFile(
  work: Work,
  flowId: string,
  input: ChangeOf<typeof handedInFile>,
): Promise<AuthFlowFile> {
  const locked = await lockFlow(work, flowId);
  nextState('auth flow', locked.flow.state, 'hand-in-file');
  checkFile(locked, input);
  const content = readContent(defined(input.content, 'a new file has content'));
  const table = work.store.table(authFlowFile);
  if ((await table.count({ authFlow: locked.flow.id })) >= authFlowFilesMax) {
    throw new Refusal('too-many-files', `An auth flow takes at most ${authFlowFilesMax} files.`);
  }
  const id = work.ids.next();
  const created = await table.insert(id, {
    client: locked.flow.client,
    authFlow: locked.flow.id,
    name: input.name,
    expectedFile: input.expectedFile ?? null,
    mediaType: input.mediaType,
    size: content.length,
    digest: createHash('sha256').update(content).digest('hex'),
    content_sealed: work.context.keyring.seal(consentFilePurpose, content, sealContext(work.store.scope, id)),
    createdAt: new Date(work.now),
  });
  auditRecord(work, authFlowFileRules, 'create', { after: created });
  await completeFiles(work, locked);
  return created;
}

async function completeFiles(work: Work, locked: LockedFlow): Promise<void> {
  if (locked.flow.state !== 'waiting-for-files') return;
  const { missingFiles } = await showFlow(work, locked.flow);
  if (missingFiles.length === 0) await takeStep(work, locked, 'complete-files');
}

/** All files of a flow: there are few. */
export async function listFiles(work: Work, flowId: string): Promise<ResultPage<AuthFlowFile>> {
  const { id } = await showFlow(work, { id: flowId as AuthFlowFile['id'] });
  return listRecords(work, authFlowFileRules, { where: { authFlow: id }, limit: authFlowFilesMax });
}

export interface OpenedFile {
  readonly file: AuthFlowFile;
  readonly content: Buffer;
}

export async function openFile(work: Work, flowId: string, fileId: string): Promise<OpenedFile> {
  const file = await work.store.table(authFlowFile).find(fileId);
  if (file === undefined || file.authFlow !== flowId) throw notFound(authFlowFile);
  const sealed = defined(await work.store.custody.sealed.find('auth_flow_file', file.id), 'a file has content');
  return {
    file,
    content: work.context.keyring.open(consentFilePurpose, sealed, sealContext(work.store.scope, file.id)),
  };
}
