/**
 * Finds the tables that the SQL in a source file names, and whether it changes them. Reads string literals, not
 * comments.
 */
import ts from 'typescript';

export interface NamedTable {
  readonly table: string;
  readonly access: 'read' | 'write';
}

export interface SqlTables {
  readonly named: readonly NamedTable[];
  /** Table names that are computed at run time. */
  readonly computed: readonly string[];
}

/** Replaces `${name}` in a text; a call such as `${unnest(3)}` is a relation and not a name. */
const COMPUTED = '\uE000';
const RELATION = '\uE001';

const ITEM = String.raw`(?:ONLY\s+)?\(?\s*\{?"?(?:[a-z]\w*|${COMPUTED})"?\}?(?:\s+(?:AS\s+)?[a-z]\w*)?`;
const PLACES = new RegExp(
  String.raw`\b(FROM|JOIN|INTO|UPDATE|USING|TRUNCATE|TABLE|COPY)\s+(${ITEM}(?:\s*,\s*${ITEM})*)`,
  'g',
);
/** An interpolation in parentheses is a subquery; its tables are found where its text is defined. */
const NAME = new RegExp(String.raw`(?:^|,)\s*(?:ONLY\s+)?(?:\(?\s*\{?"?([a-z]\w*)|(${COMPUTED}))`, 'g');
/**
 * `UPDATE … FROM` reads its FROM tables. `FOR UPDATE` and `FOR NO KEY UPDATE` only lock, and `DO UPDATE` names no
 * table.
 */
const WRITES = /^(INTO|UPDATE|TRUNCATE)$/;

/** The tables that the SQL in a TypeScript source names. */
export function sqlTables(source: string): SqlTables {
  const named: NamedTable[] = [];
  const computed: string[] = [];
  for (const text of textsIn(source))
    for (const { 0: place, 1: keyword = '', 2: items = '', index } of text.matchAll(PLACES)) {
      const isDeletion = keyword === 'FROM' && /DELETE\s+$/.test(text.slice(0, index));
      const access = isDeletion || WRITES.test(keyword) ? 'write' : 'read';
      for (const [, table, isComputed] of items.matchAll(NAME)) {
        if (isComputed !== undefined) computed.push(place);
        if (table !== undefined) named.push({ table, access });
      }
    }
  return { named, computed };
}

/**
 * All string literals of a TypeScript source, with each interpolation replaced by a mark for a name or a relation.
 */
export function textsIn(source: string): string[] {
  const texts: string[] = [];
  const visit = (each: ts.Node): void => {
    if (ts.isStringLiteral(each) || ts.isNoSubstitutionTemplateLiteral(each)) texts.push(each.text);
    if (ts.isTemplateExpression(each))
      texts.push(
        each.head.text +
          each.templateSpans
            .map(({ expression, literal }) => {
              const isName = ts.isIdentifier(expression) || ts.isPropertyAccessExpression(expression);
              return (isName ? COMPUTED : RELATION) + literal.text;
            })
            .join(''),
      );
    ts.forEachChild(each, visit);
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true));
  return texts;
}

/** Matches the beginning of an SQL statement, or a fragment of one. */
const STATEMENT = new RegExp(
  [
    String.raw`^\s*(?:WITH(?:\s+RECURSIVE)?\s+\w+\s+AS|SELECT\s|INSERT INTO\s|DELETE FROM\s|LOCK\s|TRUNCATE\s)`,
    String.raw`^\s*(?:CREATE|ALTER|DROP|GRANT|REVOKE|SET LOCAL|COPY|LISTEN|NOTIFY)\s+[A-Z"a-z_]+\s+`,
    String.raw`^\s*(?:BEGIN|COMMIT|ROLLBACK)\b;?`,
    String.raw`^\s*(?:NOT\s+)?EXISTS\s*\(`,
    String.raw`\bUPDATE\s+\S+(?:\s+\w+)?\s+SET\s`,
    String.raw`\bFROM\s+\{?\S+[\s\S]*\bWHERE\s`,
  ].join('|'),
);

/** Whether a text is SQL, or a fragment of a statement that names rows. */
export function isSql(text: string): boolean {
  return STATEMENT.test(text);
}
