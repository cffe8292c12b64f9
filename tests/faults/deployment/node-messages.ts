// What a scenario tells a node that it started, and what the node answers.

export type MessageToNode =
  | { readonly kind: 'move-clock'; readonly aheadMs: number }
  | { readonly kind: 'open-workspace' };

export type MessageFromNode =
  | { readonly kind: 'clock-moved' }
  | { readonly kind: 'workspace-opened'; readonly clientId: string; readonly clientSecret: string };
