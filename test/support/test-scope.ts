/**
 * How often tests repeat a proof. FAULTS=short, the default, proves everything with few repetitions; FAULTS=full, set
 * by the nightly run, repeats many times.
 */
const FORMS = ['short', 'full'] as const;
type Form = (typeof FORMS)[number];

/** @throws Error when FAULTS is neither. */
export function formOf(text: string | undefined): Form {
  const form = FORMS.find((known) => known === (text ?? 'short'));
  if (!form) throw new Error(`FAULTS is "${text}": it must be ${FORMS.join(' or ')}.`);
  return form;
}

/** Selects the value for the current scope, usually a number of repetitions. */
export function repetitions<Value>(of: Readonly<Record<Form, Value>>): Value {
  return of[formOf(process.env['FAULTS'])];
}

/** How many cases a property of the pure domain is tried with: all in the nightly run, otherwise a fifth. */
export function runs(all: number): number {
  return repetitions({ short: Math.ceil(all / 5), full: all });
}

/**
 * The cells of a row to test: all in the nightly run, otherwise one in `oneIn`. Each row starts at another cell, so
 * that all rows together cover every kind of cell.
 */
export function sampleOf<Cell>(cells: readonly Cell[], row: number, oneIn: number): readonly Cell[] {
  const size = Math.ceil(cells.length / oneIn);
  const sample = Array.from({ length: size }, (_, n) => cells[(row + n * oneIn) % cells.length] as Cell);
  return repetitions({ short: sample, full: cells });
}
