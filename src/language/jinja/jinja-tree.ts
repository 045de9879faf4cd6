/**
 * The subset of Jinja2 that conversion supports, in both directions (specification section 4.3: convert). The parser
 * produces expressions, the printer prints expressions and nodes. Chains (`a + b - c`, `a and b`) are flat lists, so no
 * walk is deeper than the parentheses, which the parser limits.
 */

export type JinjaNode = JinjaText | JinjaOutput | JinjaIf | JinjaFor | JinjaComment | JinjaRaw;

export interface JinjaText {
  readonly kind: 'text';
  readonly text: string;
}

/** `{{ expression }}` */
export interface JinjaOutput {
  readonly kind: 'output';
  readonly value: JinjaExpression;
}

/** `{% if %} … {% elif %} … {% else %} … {% endif %}` */
export interface JinjaIf {
  readonly kind: 'if';
  readonly branches: readonly { readonly condition: JinjaExpression; readonly body: readonly JinjaNode[] }[];
  readonly otherwise: readonly JinjaNode[] | null;
}

/** `{% for variable in list %} … {% endfor %}` */
export interface JinjaFor {
  readonly kind: 'for';
  readonly variable: string;
  readonly list: JinjaExpression;
  readonly body: readonly JinjaNode[];
}

/** `{# text #}` */
export interface JinjaComment {
  readonly kind: 'comment';
  readonly text: string;
}

/** `{% raw %}text{% endraw %}` */
export interface JinjaRaw {
  readonly kind: 'raw';
  readonly text: string;
}

export type JinjaExpression =
  | JinjaName
  | JinjaLiteral
  | JinjaList
  | JinjaItem
  | JinjaCall
  | JinjaFilter
  | JinjaTest
  | JinjaArithmetic
  | JinjaNegative
  | JinjaConcatenation
  | JinjaComparison
  | JinjaJunction
  | JinjaNot
  | JinjaChoice
  | JinjaForeign;

export interface JinjaName {
  readonly kind: 'name';
  readonly name: string;
}

/** `digits`: plain decimal digits, with a point for fractions; no exponent. */
export type JinjaLiteral =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly digits: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'none' };

/** A list `[a, b]` or a tuple `(a, b)`. */
export interface JinjaList {
  readonly kind: 'list';
  readonly items: readonly JinjaExpression[];
}

/** `target.name` and `target["name"]` (key is a text), `target[0]` (a number), `target[other]`. */
export interface JinjaItem {
  readonly kind: 'item';
  readonly target: JinjaExpression;
  readonly key: JinjaExpression;
}

/** An argument; `name` is null for a positional one. */
export interface JinjaArgument {
  readonly name: string | null;
  readonly value: JinjaExpression;
}

export interface JinjaCall {
  readonly kind: 'call';
  readonly target: JinjaExpression;
  readonly args: readonly JinjaArgument[];
}

/** `target | name(args)` */
export interface JinjaFilter {
  readonly kind: 'filter';
  readonly target: JinjaExpression;
  readonly name: string;
  readonly args: readonly JinjaArgument[];
}

/** `target is name(args)`; `negated`: `is not`. */
export interface JinjaTest {
  readonly kind: 'test';
  readonly target: JinjaExpression;
  readonly name: string;
  readonly args: readonly JinjaArgument[];
  readonly negated: boolean;
}

export type JinjaSumOperator = '+' | '-';
export type JinjaProductOperator = '*' | '/' | '//' | '%';

/** A chain of operators of equal precedence, from left to right: a sum, or a product. */
export type JinjaArithmetic =
  | {
      readonly kind: 'sum';
      readonly first: JinjaExpression;
      readonly rest: readonly { readonly operator: JinjaSumOperator; readonly value: JinjaExpression }[];
    }
  | {
      readonly kind: 'product';
      readonly first: JinjaExpression;
      readonly rest: readonly { readonly operator: JinjaProductOperator; readonly value: JinjaExpression }[];
    };

/** `-operand`; the negative of a number literal is a number. */
export interface JinjaNegative {
  readonly kind: 'negative';
  readonly operand: JinjaExpression;
}

/** `a ~ b` */
export interface JinjaConcatenation {
  readonly kind: 'concatenation';
  readonly parts: readonly JinjaExpression[];
}

export type JinjaComparator = '==' | '!=' | '<' | '>' | '<=' | '>=' | 'in' | 'not in';

/** `first operator value`, and chains such as `1 < x < 3`. */
export interface JinjaComparison {
  readonly kind: 'comparison';
  readonly first: JinjaExpression;
  readonly rest: readonly { readonly operator: JinjaComparator; readonly value: JinjaExpression }[];
}

/** `a and b and c`, `a or b or c` */
export interface JinjaJunction {
  readonly kind: 'and' | 'or';
  readonly operands: readonly JinjaExpression[];
}

export interface JinjaNot {
  readonly kind: 'not';
  readonly operand: JinjaExpression;
}

/** `chosen if condition else otherwise`; null without `else`. */
export interface JinjaChoice {
  readonly kind: 'choice';
  readonly condition: JinjaExpression;
  readonly chosen: JinjaExpression;
  readonly otherwise: JinjaExpression | null;
}

/** Jinja2 that is parsed but never has a counterpart: dictionaries, powers, slices. `what` names it. */
export interface JinjaForeign {
  readonly kind: 'foreign';
  readonly what: string;
}
