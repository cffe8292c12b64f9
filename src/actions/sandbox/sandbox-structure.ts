// Creates the structure of a client of the sandbox by the rules that the API has: entities, accounts, portfolios and limits.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import type { MadeRecord, MadeType } from '../../model/sandbox/sandbox-client.ts';
import type { SandboxCurrency } from '../../model/sandbox/persona.ts';
import { createAndGetId } from '../demo/demo-catalogue.ts';
import { limitRules } from '../limits/limit.ts';
import { accountRules } from '../structure/account.ts';
import { depositoryRules, legalEntityRules, portfolioRules, reportingEntityRules } from '../structure/entities.ts';
import type { Work } from '../core/work.ts';
import type { PersonaStructure } from './personas/persona.ts';

/** What was made so far, by type and key. */
export class MadeRecords {
  readonly list: MadeRecord[];

  constructor(list: readonly MadeRecord[] = []) {
    this.list = [...list];
  }

  add(type: MadeType, key: string, id: Id): Id {
    this.list.push({ type, key, id });
    return id;
  }

  find(type: MadeType, key: string): Id | undefined {
    return this.list.find((one) => one.type === type && one.key === key)?.id;
  }

  get(type: MadeType, key: string): Id {
    return defined(this.find(type, key), `a persona names what it has: ${type} ${key}`);
  }
}

export async function createStructure(work: Work, client: Id, plan: PersonaStructure): Promise<MadeRecords> {
  const made = new MadeRecords();
  for (const { key, name } of plan.legalEntities)
    made.add('legal-entity', key, await createAndGetId(work, legalEntityRules, { client, name }));
  for (const { key, name, legalEntity } of plan.depositories) {
    const fields = { name, legalEntity: made.get('legal-entity', legalEntity) };
    made.add('depository', key, await createAndGetId(work, depositoryRules, fields));
  }
  for (const { key, name, currency, legalEntity, institution, depository } of plan.accounts) {
    const fields = {
      name,
      institution,
      ccyCode: currency,
      legalEntity: made.get('legal-entity', legalEntity),
      depositories: depository === undefined ? [] : [made.get('depository', depository)],
    };
    made.add('account', key, await createAndGetId(work, accountRules, fields));
  }
  for (const { key, name, portfolios } of plan.reportingEntities) {
    const reportingEntity = await createAndGetId(work, reportingEntityRules, { client, name });
    made.add('reporting-entity', key, reportingEntity);
    for (const one of portfolios) {
      const accounts = one.accounts.map((account) => made.get('account', account));
      const fields = { reportingEntity, name: one.name, accounts };
      made.add('portfolio', one.key, await createAndGetId(work, portfolioRules, fields));
    }
  }
  return made;
}

/** For the first reporting entity, which covers everything. The instruments that limits are about exist by now. */
export async function createLimits(
  work: Work,
  { client, made, plan }: { readonly client: Id; readonly made: MadeRecords; readonly plan: PersonaStructure },
): Promise<void> {
  const [whole] = plan.reportingEntities;
  const reportingEntity = made.get('reporting-entity', defined(whole, 'a persona has a reporting entity').key);
  for (const { key, instrument, fields } of plan.limits) {
    const about = instrument === undefined ? {} : { filter: isInstrument(made.get('instrument', instrument)) };
    made.add('limit', key, await createAndGetId(work, limitRules, { client, reportingEntity, ...fields, ...about }));
  }
}

function isInstrument(id: Id): object {
  return { kind: 'condition', field: 'instrument.id', operator: 'equals', value: [id] };
}

/** The currencies that its accounts and reports are in. */
export function currenciesOf(plan: PersonaStructure, home: SandboxCurrency): ReadonlySet<SandboxCurrency> {
  return new Set([home, ...plan.accounts.map(({ currency }) => currency)]);
}
