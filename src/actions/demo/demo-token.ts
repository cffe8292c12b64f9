// A token of the demo, for the API reference while the service is tried out.

import { application } from '../../model/access/credential.ts';
import type { Caller } from '../../model/access/caller.ts';
import { demoTenant } from '../access/bootstrap.ts';
import { issueTokenFor, type IssuedToken } from '../access/token.ts';
import type { AppContext } from '../core/context.ts';
import { openReadWork, serviceAuthor } from '../core/work.ts';

/** A token of the oldest application of the demo. Undefined if there is no demo. */
export async function issueDemoToken(
  context: AppContext,
  admit: (caller: Caller) => Promise<void>,
): Promise<IssuedToken | undefined> {
  const { store } = openReadWork(context, serviceAuthor(demoTenant));
  const [oldest] = await store.table(application).list({ limit: 1 });
  const credential = oldest && (await context.stores.preAuth.findApplication(oldest.clientId));
  return credential && issueTokenFor(context, credential, admit);
}
