/** The problems that a source reports about credentials, for test tables. */
import type { CredentialProblem } from '../../../src/modules/imports/domain/import-source.js';

export function inOneLine(problem: CredentialProblem | null): string | null {
  return problem && `${problem.field} ${problem.message}`;
}
