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
