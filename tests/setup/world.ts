// The small world that the examples of the reference speak of, made real: one thing of every kind, joined to each other.

import { exampleIdOf } from '../../src/kit/resource.ts';
import { operations } from '../../src/surfaces/operations.ts';
import type { Operation } from '../../src/surfaces/http/operation.ts';
import type { Caller } from './caller.ts';

/** In an order in which each can refer to those before it. */
const makeable = [
  'client',
  'legal-entity',
  'custodian',
  'depository',
  'account',
  'reporting-entity',
  'portfolio',
  'application',
  'key',
] as const;

export type ThingType = (typeof makeable)[number];

/** What stands before the last parameter of a path says what kind of thing the parameter names. */
export function typeInPath(path: string): string | undefined {
  const plural = [...path.matchAll(/\/([\w-]+)\/\{\w+\}/g)].at(-1)?.[1];
  return operations.find(({ resource }) => resource?.plural === plural)?.resource?.type;
}

export class World {
  readonly #caller: Caller;
  readonly #ids = new Map<string, string>();
  /** What is called otherwise here than in the examples, because no two may be called the same. */
  readonly #names = new Map<string, string>();

  private constructor(caller: Caller) {
    this.#caller = caller;
  }

  static async of(caller: Caller): Promise<World> {
    const world = new World(caller);
    for (const type of makeable) world.#ids.set(type, await world.make(type));
    return world;
  }

  idOf(type: string): string {
    const id = this.#ids.get(type);
    if (id === undefined) throw new Error(`There is no ${type} in this world.`);
    return id;
  }

  ids(): readonly string[] {
    return [...this.#ids.values()];
  }

  /** The same with the ids of examples made those of this world. */
  fit<T>(example: T): T {
    if (example === undefined) return example;
    let text = JSON.stringify(example);
    for (const [type, id] of this.#ids) text = text.replaceAll(exampleIdOf(type), id);
    return JSON.parse(text);
  }

  /** What an answer tells of this world, in the words of the examples: `fit` the other way round. */
  unfit<T>(answer: T): T {
    let text = JSON.stringify(answer);
    for (const [type, id] of this.#ids) text = text.replaceAll(id, exampleIdOf(type));
    for (const [here, name] of this.#names) text = text.replaceAll(JSON.stringify(here), JSON.stringify(name));
    return JSON.parse(text);
  }

  /** Another one like it, in the same place. */
  async make(type: ThingType | string): Promise<string> {
    if (type === 'audit-entry') return (await this.#caller.get('/v1/audit-log?limit=1')).body.data[0].id;
    const creation = operations.find(({ id }) => id === `v1.${type}.create`)!;
    const { status, body, text } = await this.#caller.post(creation.path, this.bodyFor(creation));
    if (status !== 201) throw new Error(`No ${type}: ${status} ${text}`);
    return body.id;
  }

  /** The example body of an operation, on this world and on the thing that it is sent to. */
  bodyFor({ body, resource }: Operation, thing?: string): any {
    const fitted: any = this.fit(structuredClone(body?.example));
    if (fitted?.data?.id !== undefined) fitted.data.id = thing;
    return resource?.type === 'custodian' && fitted ? { ...fitted, name: this.#nameLike(fitted.name) } : fitted;
  }

  #nameLike(name: string): string {
    const here = `${name} ${this.#names.size + 1}`;
    this.#names.set(here, name);
    return here;
  }
}
