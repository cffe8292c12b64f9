// Whom the mail of an invite names: the person who invites, or the workspace if a program does.

import { expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { createMails, recordingMailServer, sendDue } from '../../setup/mail/mails.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { insertAdministrator, insertPerson, signIn } from '../../setup/people/person-caller.ts';
import { makeInvite, makeUser, newEmail } from '../../setup/people/members.ts';

const service = serviceForThisFile();

/** What the mails say that wait to be sent, in their first sentences. */
async function sentences(): Promise<string[]> {
  const { messages, send } = recordingMailServer();
  await sendDue(createMails(service.context, send));
  return messages.map(({ text }) => text.split('\n', 1)[0]!);
}

test('the mail of an invite names the person who invites, and the workspace if a program does', async () => {
  const client = await service.admin.makeClient('Lindqvist Family');
  const signedIn = async (person: string): Promise<Caller> => signIn(service, person);
  const member = await signedIn(
    await insertPerson(service, { name: ['Nora', 'Lindqvist'], memberships: [{ client, role: 'admin' }] }),
  );
  const administrator = await signedIn(await insertAdministrator(service));
  const workspace = 'Workspace';
  for (const [caller, name] of [
    [service.admin, workspace],
    [member, 'Nora Lindqvist'],
    [administrator, 'Ada Ministrator'],
  ] as const) {
    await makeInvite(caller, await makeUser(caller, client));
    expect(await sentences()).toEqual([`${name} invites you to Lindqvist Family on Holdfast.`]);
  }
  for (const [caller, name] of [
    [service.admin, workspace],
    [administrator, 'Ada Ministrator'],
  ] as const) {
    const added = { email: newEmail(), first_name: 'Olof', last_name: 'Berg' };
    expect((await caller.post('/v1/administrators', added)).status).toBe(201);
    expect(await sentences()).toEqual([`${name} invites you to administer ${workspace} on Holdfast.`]);
  }
});
