/** Rows of a piece of CSV, each with as many cells as it has. */
import { type Options, Parser } from 'csv-parse';

/** What the parser's stream is made of: takes a whole text apart in one go. */
interface WholeParser {
  readonly info: { records: number };
  parse(bytes: Buffer, isEnd: true, push: (row: string[]) => void, close: () => void): Error | undefined;
}

/**
 * The first rows of a text, as `csv-parse` takes them apart. Each goes for the first one: the parser compares later ones
 * with it, and makes an error of each that has more cells, or fewer, which costs fifty times what the row does.
 * @param most rows, of which nothing behind them is looked at.
 * @throws whatever the parser does not put up with.
 */
export function rowsOf(text: string, options: Options, most: number): readonly (readonly string[])[] {
  const rows: string[][] = [];
  // Of the rows that are counted, which is the last one alone.
  const { api } = new Parser({ ...options, to: 1 }) as unknown as { readonly api: WholeParser };
  const push = (row: string[]): void => {
    if (rows.push(row) < most) api.info.records = 0;
  };
  const flaw = api.parse(Buffer.from(text), true, push, () => undefined);
  if (flaw) throw flaw;
  return rows;
}
