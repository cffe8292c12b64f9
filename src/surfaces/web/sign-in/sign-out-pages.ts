// Signs a person out of this browser, or of all their sessions.

import { endSession, endAllSessions, type Session } from '../../../actions/access/session.ts';
import type { WebResponse, WebPath, PageRequest } from '../web-path.ts';
import { clearCookie } from '../cookies.ts';

async function signOut(pageRequest: PageRequest, end: (session: Session) => Promise<void>): Promise<WebResponse> {
  const session = await pageRequest.session();
  if (session !== undefined) await end(session);
  return { redirectUrl: '/sign-in', cookies: [clearCookie('session', pageRequest.context.addresses)] };
}

export const signOutPaths: readonly WebPath[] = [
  {
    id: 'sign-out',
    method: 'POST',
    path: '/sign-out',
    summary: 'Ends the session of this browser',
    form: 'session',
    handle: (pageRequest) => signOut(pageRequest, (session) => endSession(pageRequest.context, session)),
  },
  {
    id: 'sign-out-everywhere',
    method: 'POST',
    path: '/sign-out-everywhere',
    summary: 'Ends every session of the signed-in person',
    form: 'session',
    handle: (pageRequest) => signOut(pageRequest, ({ access }) => endAllSessions(pageRequest.context, access)),
  },
];
