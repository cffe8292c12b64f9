// The roles of a person at a client, in ascending order: each may do everything that the previous ones may.

export const roles = ['viewer', 'advisor', 'admin'] as const;
export type Role = (typeof roles)[number];

export function isRoleAtLeast(role: Role, minimumRole: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(minimumRole);
}
