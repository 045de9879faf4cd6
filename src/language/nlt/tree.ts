/**
 * The syntax tree of a template: the common data structure of parser, compiler, formatter, validator and conversion.
 * Chains (`and`, `plus`, `else if`) are flat lists, so no walk is deeper than the nesting of blocks, which the parser
 * limits. Template language: specification section 2.7.
 */

/** A position in the source; `offset` counts from 0, `line` and `column` from 1, all in UTF-16 units. */
export interface Position {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** A block that starts like an expression and does not parse. `blockText` is the block as written. */
export interface TemplateError {
  readonly message: string;
  readonly position: Position;
  readonly blockText: string;
}

/**
 * A parsed template. `errors` are in the order of the source; parsing stops at MAX_ERRORS of them, so there may be more
 * after the last. A template with errors can be shown but not rendered. `blockCount` counts the expressions.
 */
export interface Template {
  readonly source: string;
  readonly nodes: readonly TemplateNode[];
  readonly errors: readonly TemplateError[];
  readonly blockCount: number;
}

export type TemplateNode = TextNode | OutputNode | IfNode | ForNode;

export interface TextNode {
  readonly kind: 'text';
  readonly text: string;
  readonly position: Position;
  /**
   * The origins of its parts if the text is not one continuous range of the source, because Jinja2 was converted in it.
   */
  readonly origins?: readonly TextOrigin[];
}

/**
 * Applies from `at` in a text on. `isExact`: the text matches the source character for character; otherwise it was
 * generated from the source at that position.
 */
export interface TextOrigin {
  readonly at: number;
  readonly source: number;
  readonly isExact: boolean;
}

/** The braces of a node: `position` of the opening brace, `end` offset after the closing one. */
interface Block {
  readonly position: Position;
  readonly end: number;
}

export interface OutputNode extends Block {
  readonly kind: 'output';
  readonly value: PipedValue;
}

export interface IfNode {
  readonly kind: 'if';
  readonly branches: readonly IfBranch[];
  readonly otherwise: readonly TemplateNode[] | null;
  readonly position: Position;
}

export interface IfBranch extends Block {
  readonly condition: Condition;
  readonly body: readonly TemplateNode[];
}

export interface ForNode extends Block {
  readonly kind: 'for';
  readonly variable: string;
  readonly list: PipedValue;
  readonly body: readonly TemplateNode[];
}

/** A value with its modifiers, which apply from left to right. */
export interface PipedValue {
  readonly value: Value;
  readonly modifiers: readonly Modifier[];
}

export type Value = Operand | Product | Sum;

export interface Sum {
  readonly kind: 'sum';
  readonly first: Operand | Product;
  readonly rest: readonly { readonly operator: 'plus' | 'minus'; readonly value: Operand | Product }[];
}

export interface Product {
  readonly kind: 'product';
  readonly first: Operand;
  readonly rest: readonly { readonly operator: 'times' | 'divided by' | 'modulo'; readonly value: Operand }[];
}

export type Operand = Reference | Literal | CurrentMoment;
export type Literal = TextLiteral | NumberLiteral | BooleanLiteral;

/**
 * A named value. `contact`: the user's X; `trigger`: X from the trigger event; `event`: X from the NAME event;
 * `short`: a loop variable, else the trigger event's attribute, else the contact's field.
 */
export interface Reference {
  readonly kind: 'reference';
  readonly source: 'contact' | 'trigger' | 'event' | 'short';
  readonly event: string | null;
  readonly path: readonly string[];
}

export interface TextLiteral {
  readonly kind: 'text';
  readonly text: string;
}

/** `digits` as written, for instance `-12.50`. */
export interface NumberLiteral {
  readonly kind: 'number';
  readonly digits: string;
}

export interface BooleanLiteral {
  readonly kind: 'boolean';
  readonly value: boolean;
}

export interface CurrentMoment {
  readonly kind: 'moment';
  readonly name: 'today' | 'now';
}

export type LetterCase = 'uppercase' | 'lowercase' | 'titlecase' | 'capitalized';

export type Modifier =
  /** `isFalsy`: written `otherwise`, it also replaces false and 0. */
  | { readonly kind: 'or'; readonly fallback: Operand; readonly isFalsy?: true }
  | { readonly kind: 'required' }
  /** `format`: a name of `formatNames`, `currency XXX`, `html`, or a Unicode date pattern. */
  | { readonly kind: 'as'; readonly format: string }
  | { readonly kind: 'case'; readonly letterCase: LetterCase }
  | { readonly kind: 'trimmed' }
  | { readonly kind: 'replacing'; readonly search: string; readonly replacement: string }
  | { readonly kind: 'rounded'; readonly mode: 'nearest' | 'down' | 'up'; readonly digits: number }
  | { readonly kind: 'count' }
  | { readonly kind: 'first' }
  | { readonly kind: 'last' }
  | { readonly kind: 'joined'; readonly separator: string };

export type Condition = AnyOf | AllOf | Comparison;

export interface AnyOf {
  readonly kind: 'any';
  readonly conditions: readonly (AllOf | Comparison)[];
}

export interface AllOf {
  readonly kind: 'all';
  readonly conditions: readonly Comparison[];
}

export type BinaryOperator =
  | 'is'
  | 'is not'
  | 'is greater than'
  | 'is less than'
  | 'is at least'
  | 'is at most'
  | 'contains'
  | 'does not contain'
  | 'starts with'
  | 'ends with';

/**
 * `holds` is a value alone: true unless it is missing, empty, false or 0. `is null` is true of a value that is present
 * and null; all other operators treat null as missing.
 */
export type UnaryOperator =
  'exists' | 'does not exist' | 'is null' | 'is not null' | 'is empty' | 'is not empty' | 'holds';

/** `negated` is the word `not` before the comparison. */
export type Comparison =
  | {
      readonly kind: 'binary';
      readonly negated: boolean;
      readonly left: PipedValue;
      readonly operator: BinaryOperator;
      readonly right: PipedValue;
    }
  | {
      readonly kind: 'unary';
      readonly negated: boolean;
      readonly left: PipedValue;
      readonly operator: UnaryOperator;
    }
  | {
      readonly kind: 'one of';
      readonly negated: boolean;
      readonly left: PipedValue;
      readonly items: readonly Value[];
    };
