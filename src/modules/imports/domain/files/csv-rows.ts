/** Parses a piece of CSV into rows, each with its own number of cells. */
import { type Options, Parser } from 'csv-parse';

/** The part of the parser's stream that parses a whole text synchronously. */
interface WholeParser {
  readonly info: { records: number };
  parse(bytes: Buffer, isEnd: true, push: (row: string[]) => void, close: () => void): Error | undefined;
}

/**
 * The first rows of a text, as `csv-parse` splits them. Each row is parsed as if it were the first: the parser
 * compares later rows with the first one and creates an error for each that has more or fewer cells, which costs
 * fifty times as much as the row.
 * @param maxRows rows; what follows is not read.
 * @throws any error that the parser does not tolerate.
 */
export function rowsOf(text: string, options: Options, maxRows: number): readonly (readonly string[])[] {
  const rows: string[][] = [];
  // The parser stops after its first counted record. The callback resets the count, so only the last row wanted is
  // counted.
  const { api } = new Parser({ ...options, to: 1 }) as unknown as { readonly api: WholeParser };
  const push = (row: string[]): void => {
    if (rows.push(row) < maxRows) api.info.records = 0;
  };
  const error = api.parse(Buffer.from(text), true, push, () => undefined);
  if (error) throw error;
  return rows;
}
