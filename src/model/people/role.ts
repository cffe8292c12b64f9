// As what a person belongs to a client. Each role may do what those before it may. Knows no operation.

export const roles = ['viewer', 'advisor', 'admin'] as const;
export type Role = (typeof roles)[number];

export function isAtLeast(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}
