// Authorities on v1: read by everybody who sees their client, and changed by workspace administration.

import { authFlow } from '../../../model/custody/auth-flow.ts';
import { authority } from '../../../model/custody/authority.ts';
import { linkedRecords } from '../../../model/custody/custody-requests.ts';
import { readActions } from '../../../actions/core/record-actions.ts';
import { reconnectAuthority } from '../../../actions/custody/auth-flow.ts';
import {
  authorityRules,
  confirmRevocation,
  linkToAuthority,
  revokeAuthority,
  unlinkFromAuthority,
} from '../../../actions/custody/authority.ts';
import { coverageRefusals } from '../../../actions/custody/authority-coverage.ts';
import { v1ListPath, v1ReadPath } from '../resource-paths.ts';
import { adminStep } from './admin-operation.ts';
import { consentAccountPaths } from './consent-account.ts';

const paths = { actions: readActions(authorityRules) };
const base = { resource: authority, on: authority } as const;

const linkPath = adminStep({
  ...base,
  verb: 'link',
  summary: 'Link accounts and depositories to an authority',
  description:
    'Let an authority cover more, for example a new account at the same bank. Every account that is linked is reported by the event `account.connected`. What is linked already stays linked.',
  sent: linkedRecords,
  refusals: [...coverageRefusals],
  take: async (work, id, input) => ({ record: await linkToAuthority(work, id, input) }),
});

const unlinkPath = adminStep({
  ...base,
  verb: 'unlink',
  addsNothing: true,
  summary: 'Unlink accounts and depositories from an authority',
  description:
    'Let an authority cover less, for example after an account was closed. Every account that is unlinked is reported by the event `account.disconnected`. What it does not cover is ignored.',
  sent: linkedRecords,
  refusals: [],
  take: async (work, id, input) => ({ record: await unlinkFromAuthority(work, id, input) }),
});

const reconnectPath = adminStep({
  resource: authFlow,
  on: authority,
  verb: 'reconnect',
  summary: 'Reconnect an authority',
  description:
    'When consent ends soon, or the credentials broke: starts an auth flow that renews it. The authority stays active; granting the flow renews its credentials and its end.',
  status: 201,
  refusals: [],
  take: async (work, id) => ({ record: await reconnectAuthority(work, id) }),
});

const revokePath = adminStep({
  ...base,
  verb: 'revoke',
  addsNothing: true,
  summary: 'Revoke an authority',
  description:
    'When a client no longer wants a custodian to send data. Ends the authority: no more data comes in, everything is unlinked, each account is reported by the event `account.disconnected`, and flows that would renew it are cancelled. It stays `revoke-in-progress` until the custodian has confirmed, which its connector does by itself where it can.',
  refusals: [],
  take: async (work, id) => ({ record: await revokeAuthority(work, id) }),
});

const confirmPath = adminStep({
  ...base,
  verb: 'confirm-revocation',
  addsNothing: true,
  summary: 'Confirm that an authority is revoked',
  description:
    'The last step of a revocation, where no connector takes it: records that the custodian has confirmed. Stored credentials are deleted.',
  refusals: [],
  take: async (work, id) => ({ record: await confirmRevocation(work, id) }),
});

export const v1AuthorityPaths = [
  v1ListPath(paths),
  v1ReadPath(paths),
  ...consentAccountPaths,
  linkPath,
  unlinkPath,
  reconnectPath,
  revokePath,
  confirmPath,
];
