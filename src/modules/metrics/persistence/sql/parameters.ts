/** SQL with `$1` and so on, and what these stand for. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Values of a statement: whatever a caller wrote stands in it as `$1`, never as text. */
export class Parameters {
  private readonly values: unknown[] = [];

  /** Its place in the statement, with a cast to a type of PostgreSQL. */
  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }

  moment(moment: Date): string {
    return this.add(moment.toISOString(), 'timestamptz');
  }

  /** The statement with those values alone that it names, since PostgreSQL takes no other. */
  statement(sql: string): Statement {
    const used = [...new Set([...sql.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place)))];
    return {
      sql: sql.replace(/\$(\d+)/g, (_, place: string) => `$${used.indexOf(Number(place)) + 1}`),
      values: used.map((place) => this.values[place - 1]),
    };
  }
}
