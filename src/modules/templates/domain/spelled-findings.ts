/** Template findings with the field names of the interface (REST or GraphQL) that reports them. */
import type { FieldError } from '../../../kernel/domain-error.js';
import { camelCase, type Spelling } from '../../../kernel/letter-case.js';
import type { TemplateFinding } from '../../../language/language.js';

/** The findings, with the names of their members and of their fields in the spelling of the interface. */
export function spelledFindings(findings: readonly TemplateFinding[], spell: Spelling): object[] {
  return findings.map((finding) =>
    Object.fromEntries(
      Object.entries(spelledField(finding, spell)).map(([member, value]) => [spell(member), value]),
    ),
  );
}

/** A finding or error, with its field in the spelling of the interface. */
export function spelledField<Reported extends FieldError | TemplateFinding>(
  reported: Reported,
  spell: Spelling,
): Omit<Reported, 'field'> & { readonly field: string } {
  return { ...reported, field: spell(camelCase(reported.field)) };
}
