/** 422 invalid_field for one field, under the name that the caller uses. */
import { DomainError } from '../../../kernel/domain-error.js';
import { snakeCase } from '../../../kernel/letter-case.js';

export function invalidMember(member: string, message: string): DomainError {
  return new DomainError('invalid_field', `${snakeCase(member)} ${message}.`, (spell) => ({
    errors: [{ field: spell(member), message }],
  }));
}
