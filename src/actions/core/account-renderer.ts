// Renders accounts for events that carry one, as the surface that serves events shows them.

import type { FieldSelection } from '../../kit/field-selection.ts';
import type { Account } from '../../model/structure/account.ts';

export interface AccountRenderer {
  /** What has to be read of an account so that it can be rendered. */
  readonly accountFields: FieldSelection;
  account(record: Account): Record<string, unknown>;
}
