// Signing out: here, or wherever one is signed in.

import { endSession, endSessionsOf, type Session } from '../../../actions/access/session.ts';
import type { ConsoleAnswer, ConsolePath, Visit } from '../web-path.ts';
import { clearCookie } from '../cookies.ts';

async function leave(visit: Visit, end: (session: Session) => Promise<void>): Promise<ConsoleAnswer> {
  const session = await visit.session();
  if (session !== undefined) await end(session);
  return { goTo: '/sign-in', cookies: [clearCookie('session', visit.house.addresses)] };
}

export const signOutPaths: readonly ConsolePath[] = [
  {
    id: 'sign-out',
    method: 'POST',
    path: '/sign-out',
    summary: 'Ends the session of this browser',
    form: 'session',
    handle: (visit) => leave(visit, (session) => endSession(visit.house, session)),
  },
  {
    id: 'sign-out-everywhere',
    method: 'POST',
    path: '/sign-out-everywhere',
    summary: 'Ends every session of whoever is signed in',
    form: 'session',
    handle: (visit) => leave(visit, ({ standing }) => endSessionsOf(visit.house, standing)),
  },
];
