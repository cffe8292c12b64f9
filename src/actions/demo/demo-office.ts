// What the family office of the demo has for itself: an administrator, a key, an invite that was taken back, and the papers of a consent. Nobody
// gets in by any of it, and no mail is sent.

import { generateKeyPairSync } from 'node:crypto';
import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { account } from '../../model/structure/account.ts';
import { registerKey } from '../access/credential.ts';
import type { Work } from '../core/work.ts';
import { startAuthFlow } from '../custody/auth-flow.ts';
import { handInFile } from '../custody/auth-flow-file.ts';
import { changeCustodianSettings } from '../custody/custodian-settings.ts';
import { putAdministrator } from '../people/administrator.ts';
import { createInvite } from '../people/invite.ts';
import { cancelInvite } from '../people/invite-cancellation.ts';
import { personIdFor } from '../people/user.ts';
import type { DemoTakeover } from './seed-takeover.ts';

export async function createOffice(work: Work, takeover: DemoTakeover, adviser: Id): Promise<void> {
  await addAdministrator(work);
  await registerReportingKey(work);
  await takeInviteBack(work, takeover, adviser);
  await handInMandate(work, takeover);
}

/** Without a link: she becomes one only when somebody adds her again, which mails her one. */
async function addAdministrator(work: Work): Promise<void> {
  const contactEmail = 'karin@lindqvist-office.example';
  const id = await personIdFor(work, contactEmail);
  await putAdministrator(work, id, { contactEmail, firstName: 'Karin', lastName: 'Dahl' });
}

/** Its private half is forgotten here, so that no assertion can ever be signed with it. */
async function registerReportingKey(work: Work): Promise<void> {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicKey.export({ format: 'jwk' });
  await registerKey(work, { name: 'Nightly report, former key', rights: ['read'], jwk });
}

/** Sent too early and taken back at once: the mail of a cancelled invite is not sent. */
async function takeInviteBack(work: Work, { client }: DemoTakeover, adviser: Id): Promise<void> {
  const { id } = await createInvite(work, { personId: adviser, client });
  await cancelInvite(work, id);
}

/** The bank of the client that is taken over wants a signed mandate before it sends anything. */
async function handInMandate(work: Work, { main }: DemoTakeover): Promise<void> {
  const [kept] = await work.store.table(account).lockReferencedRecords([main.id]);
  const custodian = defined(kept?.custodian ?? undefined, 'the account names its bank');
  const mandate = 'Signed mandate';
  await changeCustodianSettings(work, custodian, {
    supportedConsentTypes: ['signed-document', 'operator'],
    expectedFiles: [mandate],
  });
  const depository = defined(main.depository ?? undefined, 'the account settles through a depository');
  const { id } = await startAuthFlow(work, { custodian, depository });
  await handInFile(work, id, {
    name: 'mandate-fjord-bank.txt',
    expectedFile: mandate,
    mediaType: 'text/plain',
    content: Buffer.from('Fjord Bank may send our statements to the Lindqvist Family Office.\n').toString('base64'),
  });
}
