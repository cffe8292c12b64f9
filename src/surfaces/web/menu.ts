// The menu of the signed-in person: where they can go, by what they have access to.

import { highestRole, type PersonAccess } from '../../model/access/person-access.ts';
import { defineTexts } from './language/texts.ts';
import type { Reader } from './language/reader.ts';

/** The portal is for whoever was invited; the console for those who administer. */
export type Area = 'portal' | 'console';

export interface MenuItem {
  readonly title: string;
  readonly href: string;
  readonly isCurrent: boolean;
  /** The key that goes there after `g`. */
  readonly key?: string;
}

export const menuTexts = defineTexts({
  en: { overview: 'Overview', console: 'Administration' },
  de: { overview: 'Übersicht', console: 'Verwaltung' },
});

interface ConsoleItem {
  readonly title: string;
  readonly href: string;
  readonly key: string;
  /** The call without which its pages show nothing. */
  readonly reads: string;
  readonly isOnlyInSandbox?: true;
}

/** The console's pages: `g` and the key go there. */
const consoleItems: readonly ConsoleItem[] = [
  { title: 'Clients', href: '/console/clients', key: 'c', reads: '/v1/clients' },
  { title: 'Instruments', href: '/console/instruments', key: 'i', reads: '/v1/instruments' },
  { title: 'Bookings', href: '/console/bookings', key: 'b', reads: '/v1/transactions' },
  { title: 'Limits', href: '/console/limits', key: 'l', reads: '/v1/limits' },
  { title: 'Data quality', href: '/console/data-quality', key: 'q', reads: '/v1/data-quality' },
  { title: 'Imports', href: '/console/imports', key: 'm', reads: '/v1/imports' },
  { title: 'Custody', href: '/console/custody', key: 'u', reads: '/v1/reconciliation-breaks' },
  { title: 'People', href: '/console/people', key: 'p', reads: '/v1/users' },
  { title: 'Developers', href: '/console/developers', key: 'd', reads: '/v1/applications' },
  { title: 'Settings', href: '/console/settings', key: 's', reads: '/v1/diagnostics' },
  { title: 'Sandbox', href: '/console/sandbox', key: 'x', reads: '/v1/sandbox/clients', isOnlyInSandbox: true },
];

/** Whether the console is open to them: administrators of the workspace or of a client, and advisors. */
export function mayUseConsole(access: PersonAccess): boolean {
  return access.isWorkspaceAdministrator || (highestRole(access) ?? 'viewer') !== 'viewer';
}

interface MenuView {
  readonly reader: Reader;
  readonly area: Area;
  readonly address: string;
  /** Whether their role is sufficient for reading a path; without it the menu has everything. */
  mayRead?(path: string): boolean;
}

export function menuFor(
  access: PersonAccess,
  { reader, area, address, mayRead = () => true }: MenuView,
): readonly MenuItem[] {
  const isAt = (href: string): boolean =>
    address === href || address.startsWith(`${href}/`) || address.startsWith(`${href}?`);
  if (area === 'portal') {
    const text = menuTexts[reader.language];
    const overview = { title: text.overview, href: '/', isCurrent: isAt('/') || address.startsWith('/?') };
    const console = { title: text.console, href: '/console', isCurrent: false };
    return mayUseConsole(access) ? [overview, console] : [overview];
  }
  const isSandbox = access.environment === 'sandbox';
  const open = consoleItems.filter(
    ({ reads, isOnlyInSandbox = false }) => mayRead(reads) && (isSandbox || !isOnlyInSandbox),
  );
  const items = open.map(({ title, href, key }) => ({ title, href, key, isCurrent: isAt(href) }));
  return [...items, { title: 'Portal', href: '/', isCurrent: false, key: 'o' }];
}
