/** A SQL statement with placeholders `$1` and so on, and their values. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Collects the values of a statement. Callers' input appears in it only as placeholders, never as text. */
export class Parameters {
  private readonly values: unknown[] = [];

  /** Adds a value and returns its placeholder, with a cast to a PostgreSQL type. */
  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }

  moment(moment: Date): string {
    return this.add(moment.toISOString(), 'timestamptz');
  }

  /** Returns the statement with only the values that it refers to, since PostgreSQL rejects unused ones. */
  statement(sql: string): Statement {
    const used = [...new Set([...sql.matchAll(/\$(\d+)/g)].map(([, position]) => Number(position)))];
    return {
      sql: sql.replace(/\$(\d+)/g, (_, position: string) => `$${used.indexOf(Number(position)) + 1}`),
      values: used.map((position) => this.values[position - 1]),
    };
  }
}
