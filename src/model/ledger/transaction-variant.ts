// What a form is: one word of a vocabulary, declared as a resource with the fields that a transaction of that word has. Reading,
// rendering and the schemas are made from it as from any declaration. Knows no wire's words.

import { oneOf, type FieldKind } from '../../kit/field.ts';
import type { Attribute, Relation, Resource, ToOne, WireName } from '../../kit/resource.ts';
import { transaction } from './transaction.ts';
import type { TransactionKind } from './transaction-kind.ts';
import { nonNegativeDecimal, positiveDecimal, signedDecimal } from './transaction-value.ts';

export type TransactionField = keyof (typeof transaction)['attributes'] | keyof (typeof transaction)['relations'];

/** Must be sent, may be sent, or is worked out by the service and only answered. */
export type FieldPresence = 'required' | 'optional' | 'answered';

/** A field of a form, as far as it is another than the declared one. */
export interface FieldOverride {
  readonly presence: FieldPresence;
  readonly kind?: FieldKind<any>;
  readonly snakeCaseName?: string;
  readonly description?: string;
  readonly example?: unknown;
}

export interface TransactionVariant<TypeName extends string = string> {
  readonly typeName: TypeName;
  readonly kind: TransactionKind;
  readonly resource: Resource;
}

/** All words of a vocabulary. */
export interface TransactionVariantSet<TypeName extends string = string> {
  readonly variants: ReadonlyMap<string, TransactionVariant<TypeName>>;
  /** A transaction of any word. */
  readonly resource: Resource;
}

const declaredFields: Readonly<Record<string, Attribute<any> | Relation>> = {
  ...transaction.attributes,
  ...transaction.relations,
};

/** How figures are sent where a word says nothing else. */
const defaultKinds: Partial<Record<string, FieldKind<any>>> = {
  amount: signedDecimal,
  quantity: positiveDecimal,
  price: nonNegativeDecimal,
  fees: nonNegativeDecimal,
  taxes: nonNegativeDecimal,
  accruedInterest: signedDecimal,
  exchangeRate: positiveDecimal,
  counterAmount: signedDecimal,
  rate: positiveDecimal,
  effectOnUnfunded: nonNegativeDecimal,
  recallableAmount: nonNegativeDecimal,
  cashInLieuQuantity: positiveDecimal,
};

function declareField(name: string, wire: WireName, definition: FieldOverride): Attribute<any> | Relation {
  const { presence, ...own } = definition;
  const {
    on: _on,
    writable: _writable,
    ...rest
  } = declaredFields[name] ?? { on: [], writable: 'never', description: '' };
  const shared = {
    ...rest,
    ...(defaultKinds[name] ? { kind: defaultKinds[name] } : {}),
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

export interface VariantDefinition<TypeName extends string> {
  readonly typeName: TypeName;
  readonly kind: TransactionKind;
  readonly description: string;
  /** In the order in which they are shown. */
  readonly fields: readonly (readonly [name: string, FieldOverride])[];
}

function typeField(typeNames: readonly string[], wire: WireName, example: string | undefined): Attribute<any> {
  return {
    kind: oneOf(typeNames),
    description: 'Which type of transaction it is; it decides which other fields there are.',
    on: [wire],
    writable: 'always',
    required: true,
    ...(example === undefined ? {} : { example }),
  };
}

function variantResource(
  type: string,
  description: string,
  parts: Pick<Resource, 'attributes' | 'relations'>,
): Resource {
  const { plural, table, owner } = transaction;
  return { type, plural, description, table, owner, ...parts };
}

function declareVariant<TypeName extends string>(
  definition: VariantDefinition<TypeName>,
  wire: WireName,
): TransactionVariant<TypeName> {
  const { typeName, kind, description } = definition;
  const fields = definition.fields.map(([name, field]) => [name, declareField(name, wire, field)] as const);
  const attributes = fields.filter(([, field]) => !isRelation(field)) as [string, Attribute<any>][];
  const relations = fields.filter(([, field]) => isRelation(field)) as [string, Relation][];
  // On the wire that has types of its own, all transactions are of one.
  const type = wire === 'json-api' ? transaction.type : `${transaction.type}.${typeName}`;
  const resource = variantResource(type, description, {
    attributes: { type: typeField([typeName], wire, typeName), ...Object.fromEntries(attributes) },
    relations: Object.fromEntries(relations),
  });
  return { typeName, kind, resource };
}

/** A vocabulary out of its words. `example` is the word that the examples of the reference speak. */
export function declareVariantSet<TypeName extends string>(
  definitions: readonly VariantDefinition<TypeName>[],
  { wire, example }: { wire: WireName; example: TypeName },
): TransactionVariantSet<TypeName> {
  const variants = definitions.map((definition) => declareVariant(definition, wire));
  const typeNames = variants.map(({ typeName }) => typeName);
  const resources = variants.map(({ resource }) => resource);
  const attributes = widestAttributes(resources.map((resource) => resource.attributes));
  const resource: Resource = {
    ...variantResource(transaction.type, transaction.description, {
      attributes: { ...attributes, type: typeField(typeNames, wire, example) },
      relations: Object.assign({}, ...resources.map(({ relations }) => relations), ...optionalRelations(resources)),
    }),
    variants: { by: 'type', of: Object.fromEntries(variants.map(({ typeName, resource: own }) => [typeName, own])) },
  };
  return { variants: new Map(variants.map((variant) => [variant.typeName, variant])), resource };
}

/**
 * Of no word in particular: what some word lacks may be left out, and where words differ about a figure it may have any sign. A
 * field that words call differently stands under each of its names.
 */
function widestAttributes(all: readonly Readonly<Record<string, Attribute<any>>>[]): Record<string, Attribute<any>> {
  const fields: Record<string, Attribute<any>> = {};
  for (const [declaredName, { required: _required, ...field }] of all.flatMap((own) => Object.entries(own))) {
    const isRenamed = field.snakeCaseName !== undefined && field.snakeCaseName !== defaultSnakeCaseName(declaredName);
    const name = isRenamed ? field.snakeCaseName! : declaredName;
    const known = fields[name];
    const kind = known === undefined || known.kind === field.kind ? field.kind : signedDecimal;
    fields[name] = { ...(known ?? field), kind, nullable: true };
  }
  return fields;
}

function defaultSnakeCaseName(name: string): string | undefined {
  return name === 'date' ? 'trade_date' : declaredFields[name]?.snakeCaseName;
}

function optionalRelations(resources: readonly Resource[]): Readonly<Record<string, Relation>>[] {
  return resources.map(({ relations }) =>
    Object.fromEntries(
      Object.entries(relations).map(([name, { required: _required, ...relation }]) => [name, relation as Relation]),
    ),
  );
}
