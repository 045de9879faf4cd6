/** What is wrong with a template, in the names of whoever is told. */
import type { FieldError } from '../../../kernel/domain-error.js';
import { camelCase, type Spelling } from '../../../kernel/letter-case.js';
import type { TemplateFinding } from '../../../language/language.js';

/** The findings with their members, and the fields that they are about, as a face writes names. */
export function spelledFindings(findings: readonly TemplateFinding[], spell: Spelling): object[] {
  return findings.map((finding) =>
    Object.fromEntries(
      Object.entries(spelledField(finding, spell)).map(([member, value]) => [spell(member), value]),
    ),
  );
}

/** A finding, or an error, with the field that it is about as a face writes its name. */
export function spelledField<Told extends FieldError | TemplateFinding>(
  told: Told,
  spell: Spelling,
): Omit<Told, 'field'> & { readonly field: string } {
  return { ...told, field: spell(camelCase(told.field)) };
}
