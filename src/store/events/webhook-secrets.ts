// The sealed secrets of webhooks: the current one, and the previous one while it still signs.

import type { Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql } from '../postgres/statement.ts';

const rotate = sql(
  'webhook-secrets/rotate',
  `UPDATE webhook SET previous_secret_sealed = secret_sealed, previous_secret_until = $5, secret_sealed = $4
   WHERE workspace_id = $1 AND environment = $2 AND id = $3`,
);

export class WebhookSecrets {
  readonly #scope: Scope;
  readonly #run: Run;

  constructor(scope: Scope, run: Run) {
    this.#scope = scope;
    this.#run = run;
  }

  async rotate(id: Id, { sealed, until }: { readonly sealed: Buffer; readonly until: number }): Promise<void> {
    await this.#run(rotate, [this.#scope.workspaceId, this.#scope.environment, id, sealed, new Date(until)]);
  }
}
