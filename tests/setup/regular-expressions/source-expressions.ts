// Collects the regular expressions of the service and its packages from their syntax.

import { productionFiles, readText, visitSyntax, type SyntaxNode } from '../repository/repository-text.ts';

export interface SourceExpression {
  readonly pattern: string;
  readonly flags: string;
  /** `src/kit/id.ts:12` of each place that has it. */
  readonly places: readonly string[];
}

/** A `RegExp` whose pattern is only known when it runs: the place of its call. */
export type ComposedExpression = string;

interface Literal extends SyntaxNode {
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly value?: unknown;
}

interface Template extends SyntaxNode {
  readonly quasis: readonly { readonly value: { readonly raw: string; readonly cooked: string } }[];
}

interface Call extends SyntaxNode {
  readonly callee: SyntaxNode;
  readonly arguments: readonly SyntaxNode[];
}

/** A text that may stand for what a template inserts. */
const inserted = 'name';

function templateText(node: SyntaxNode): string | undefined {
  if (node.type === 'TaggedTemplateExpression') {
    const { quasi } = node as SyntaxNode & { readonly quasi: Template };
    return quasi.quasis.map(({ value }) => value.raw).join(inserted);
  }
  if (node.type === 'TemplateLiteral') return (node as Template).quasis.map(({ value }) => value.cooked).join(inserted);
  const { value } = node as Literal;
  return node.type === 'Literal' && typeof value === 'string' ? value : undefined;
}

function expressionOf(node: SyntaxNode): { pattern: string | undefined; flags: string } | undefined {
  const { regex } = node as Literal;
  if (node.type === 'Literal' && regex !== undefined) return regex;
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return undefined;
  const {
    callee,
    arguments: [pattern, flags],
  } = node as Call;
  if (callee.name !== 'RegExp' || pattern === undefined) return undefined;
  return { pattern: templateText(pattern), flags: (flags && templateText(flags)) ?? '' };
}

export interface SourceExpressions {
  readonly known: readonly SourceExpression[];
  readonly composed: readonly ComposedExpression[];
}

export function sourceExpressions(paths: readonly string[] = productionFiles): SourceExpressions {
  const places = new Map<string, { pattern: string; flags: string; places: string[] }>();
  const composed: ComposedExpression[] = [];
  for (const path of paths) {
    visitSyntax(path, (node) => {
      const expression = expressionOf(node);
      if (expression === undefined) return;
      const { pattern, flags } = expression;
      const place = `${path}:${readText(path).slice(0, node.start).split('\n').length}`;
      if (pattern === undefined) return void composed.push(place);
      const key = `/${pattern}/${flags}`;
      const known = places.get(key) ?? { pattern, flags, places: [] };
      known.places.push(place);
      places.set(key, known);
    });
  }
  return { known: [...places.values()], composed };
}
