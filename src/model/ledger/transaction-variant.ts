// What a form is: one word of a vocabulary, declared as a resource with the fields that a transaction of that word has. Reading,
// rendering and the schemas are made from it as from any declaration. Knows no wire's words.

import { oneOf, type FieldKind } from '../../kit/field.ts';
import type { Attribute, Relation, Resource, ToOne, WireName } from '../../kit/resource.ts';
import { transaction } from './transaction.ts';
import type { TransactionKind } from './transaction-kind.ts';
import { notNegativeDecimal, positiveDecimal, signedDecimal } from './transaction-value.ts';

export type TransactionField = keyof (typeof transaction)['attributes'] | keyof (typeof transaction)['relations'];

/** Must be sent, may be sent, or is worked out by the service and only answered. */
export type Presence = 'required' | 'optional' | 'answered';

/** A field of a form, as far as it is another than the declared one. */
export interface FieldSketch {
  readonly presence: Presence;
  readonly kind?: FieldKind<any>;
  readonly flatName?: string;
  readonly description?: string;
  readonly example?: unknown;
}

export interface Form<Word extends string = string> {
  readonly word: Word;
  readonly kind: TransactionKind;
  readonly resource: Resource;
}

/** All words of a vocabulary. */
export interface Vocabulary<Word extends string = string> {
  readonly forms: ReadonlyMap<string, Form<Word>>;
  /** A transaction of any word. */
  readonly resource: Resource;
}

const declared: Readonly<Record<string, Attribute<any> | Relation>> = {
  ...transaction.attributes,
  ...transaction.relations,
};

/** How figures are sent where a word says nothing else. */
const usualKinds: Partial<Record<string, FieldKind<any>>> = {
  amount: signedDecimal,
  quantity: positiveDecimal,
  price: notNegativeDecimal,
  fees: notNegativeDecimal,
  taxes: notNegativeDecimal,
  accruedInterest: signedDecimal,
  exchangeRate: positiveDecimal,
  counterAmount: signedDecimal,
  rate: positiveDecimal,
  effectOnUnfunded: notNegativeDecimal,
  recallableAmount: notNegativeDecimal,
  cashInLieuQuantity: positiveDecimal,
};

function fieldOf(name: string, wire: WireName, sketch: FieldSketch): Attribute<any> | Relation {
  const { presence, ...own } = sketch;
  const { on: _on, writable: _writable, ...rest } = declared[name] ?? { on: [], writable: 'never', description: '' };
  const shared = {
    ...rest,
    ...(usualKinds[name] ? { kind: usualKinds[name] } : {}),
    ...own,
    on: [wire],
    writable: presence === 'answered' ? ('never' as const) : ('always' as const),
    ...(presence === 'required' ? { required: true as const } : {}),
  };
  if (!('kind' in shared)) return shared as ToOne;
  const { nullable: _nullable, ...attribute } = shared as Attribute<any>;
  return presence === 'required' ? attribute : { ...attribute, nullable: true };
}

function isRelation(field: Attribute<any> | Relation): field is Relation {
  return !('kind' in field);
}

export interface FormSketch<Word extends string> {
  readonly word: Word;
  readonly kind: TransactionKind;
  readonly description: string;
  /** In the order in which they are shown. */
  readonly fields: readonly (readonly [name: string, FieldSketch])[];
}

function typeOf(words: readonly string[], wire: WireName, example: string | undefined): Attribute<any> {
  return {
    kind: oneOf(words),
    description: 'Which type of transaction it is; it decides which other fields there are.',
    on: [wire],
    writable: 'always',
    required: true,
    ...(example === undefined ? {} : { example }),
  };
}

function resourceOf(type: string, description: string, parts: Pick<Resource, 'attributes' | 'relations'>): Resource {
  const { plural, table, owner } = transaction;
  return { type, plural, description, table, owner, ...parts };
}

function formOf<Word extends string>(sketch: FormSketch<Word>, wire: WireName): Form<Word> {
  const { word, kind, description } = sketch;
  const fields = sketch.fields.map(([name, field]) => [name, fieldOf(name, wire, field)] as const);
  const attributes = fields.filter(([, field]) => !isRelation(field)) as [string, Attribute<any>][];
  const relations = fields.filter(([, field]) => isRelation(field)) as [string, Relation][];
  // On the wire that has types of its own, all transactions are of one.
  const type = wire === 'json-api' ? transaction.type : `${transaction.type}.${word}`;
  const resource = resourceOf(type, description, {
    attributes: { type: typeOf([word], wire, word), ...Object.fromEntries(attributes) },
    relations: Object.fromEntries(relations),
  });
  return { word, kind, resource };
}

/** A vocabulary out of its words. `example` is the word that the examples of the reference speak. */
export function vocabularyOf<Word extends string>(
  sketches: readonly FormSketch<Word>[],
  { wire, example }: { wire: WireName; example: Word },
): Vocabulary<Word> {
  const forms = sketches.map((sketch) => formOf(sketch, wire));
  const words = forms.map(({ word }) => word);
  const resources = forms.map(({ resource }) => resource);
  const attributes = widest(resources.map((resource) => resource.attributes));
  const resource: Resource = {
    ...resourceOf(transaction.type, transaction.description, {
      attributes: { ...attributes, type: typeOf(words, wire, example) },
      relations: Object.assign({}, ...resources.map(({ relations }) => relations), ...freed(resources)),
    }),
    variants: { by: 'type', of: Object.fromEntries(forms.map(({ word, resource: own }) => [word, own])) },
  };
  return { forms: new Map(forms.map((form) => [form.word, form])), resource };
}

/**
 * Of no word in particular: what some word lacks may be left out, and where words differ about a figure it may have any sign. A
 * field that words call differently stands under each of its names.
 */
function widest(all: readonly Readonly<Record<string, Attribute<any>>>[]): Record<string, Attribute<any>> {
  const fields: Record<string, Attribute<any>> = {};
  for (const [declaredName, { required: _required, ...field }] of all.flatMap((own) => Object.entries(own))) {
    const isRenamed = field.flatName !== undefined && field.flatName !== usualNameOf(declaredName);
    const name = isRenamed ? field.flatName! : declaredName;
    const known = fields[name];
    const kind = known === undefined || known.kind === field.kind ? field.kind : signedDecimal;
    fields[name] = { ...(known ?? field), kind, nullable: true };
  }
  return fields;
}

function usualNameOf(name: string): string | undefined {
  return name === 'date' ? 'trade_date' : declared[name]?.flatName;
}

function freed(resources: readonly Resource[]): Readonly<Record<string, Relation>>[] {
  return resources.map(({ relations }) =>
    Object.fromEntries(
      Object.entries(relations).map(([name, { required: _required, ...relation }]) => [name, relation as Relation]),
    ),
  );
}
