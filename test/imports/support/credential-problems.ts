/** What a source says of credentials, for tables of tests. */
import type { CredentialProblem } from '../../../src/modules/imports/domain/import-source.js';

export function inOneLine(problem: CredentialProblem | null): string | null {
  return problem && `${problem.field} ${problem.message}`;
}
