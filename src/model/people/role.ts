// As what a person belongs to a client. Each role may do what those before it may. Knows no operation.

export const roles = ['viewer', 'advisor', 'admin'] as const;
export type Role = (typeof roles)[number];

export function isRoleAtLeast(role: Role, minimumRole: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(minimumRole);
}
