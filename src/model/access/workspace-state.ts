// The states of a workspace. Only an active one does work; an operator changes the state.

export const workspaceStates = ['active', 'suspended', 'closed', 'erasing'] as const;
export type WorkspaceState = (typeof workspaceStates)[number];
