/**
 * How often tests repeat what they prove. FAULTS=short, the default, proves everything with few repetitions; FAULTS=full,
 * as the nightly run sets it, repeats many times.
 */
const FORMS = ['short', 'full'] as const;
type Form = (typeof FORMS)[number];

/** @throws Error when FAULTS is neither. */
export function formOf(text: string | undefined): Form {
  const form = FORMS.find((known) => known === (text ?? 'short'));
  if (!form) throw new Error(`FAULTS is "${text}": it must be ${FORMS.join(' or ')}.`);
  return form;
}

/** The number, or whatever else differs, of the form that runs. */
export function repetitions<Value>(of: Readonly<Record<Form, Value>>): Value {
  return of[formOf(process.env['FAULTS'])];
}

/** How many cases a property of the pure domain is tried with: all of them at night, a fifth otherwise. */
export function runs(all: number): number {
  return repetitions({ short: Math.ceil(all / 5), full: all });
}

/**
 * Those of a row's cells that are tried: at night all, otherwise one in so many, beginning elsewhere in each row, so that
 * each row tries some and the rows together try every kind.
 */
export function sampleOf<Cell>(cells: readonly Cell[], row: number, oneIn: number): readonly Cell[] {
  const size = Math.ceil(cells.length / oneIn);
  const sample = Array.from({ length: size }, (_, n) => cells[(row + n * oneIn) % cells.length] as Cell);
  return repetitions({ short: sample, full: cells });
}
