/** Rows of a piece of CSV, each with as many cells as it has. */
import { type Options, Parser } from 'csv-parse';

/**
 * The first rows of a text, as `csv-parse` takes them apart.
 * @param most rows, of which nothing behind them is looked at.
 */
export function rowsOf(text: string, options: Options, most: number): readonly (readonly string[])[] {
  const parsing = new RowsParser(options, most);
  parsing.parse(Buffer.from(text));
  return parsing.rows;
}

/**
 * Takes each row for the first one. The parser compares later ones with it, and makes an error of each that has more
 * cells, or fewer, which costs fifty times what the row does, also where such rows are welcome.
 */
class RowsParser extends Parser {
  readonly rows: string[][] = [];

  constructor(
    options: Options,
    private readonly most: number,
  ) {
    // Of the rows that are counted: the last one alone, see `push`.
    super({ ...options, to: 1 });
  }

  /** All of a text in one go, which a stream would take a turn of its own for. @throws whatever the parser refuses. */
  parse(bytes: Buffer): void {
    let flaw: Error | null | undefined;
    const done = (error?: Error | null): void => {
      flaw = error;
    };
    this._transform(bytes, 'utf8', done);
    if (!this.isFull()) this._flush(done);
    if (flaw) throw flaw;
  }

  /** Keeps a row, where a stream would hand it on; null is the stream's end. */
  override push(row: string[] | null): boolean {
    if (row === null) return false;
    this.rows.push(row);
    if (!this.isFull()) (this.info as { records: number }).records = 0;
    return true;
  }

  private isFull(): boolean {
    return this.rows.length >= this.most;
  }
}
