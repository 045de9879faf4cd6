/** Which subject a message has (section 9): the first that is not empty. */
import { parseSource } from '../../../language/language.js';

export interface SubjectSources {
  readonly directSend?: string | null | undefined;
  readonly flowStep?: string | null | undefined;
  readonly campaign?: string | null | undefined;
  readonly template?: string | null | undefined;
}

/** The first non-empty one of direct send, flow step, campaign, template; otherwise empty. */
export function resolveSubject({ directSend, flowStep, campaign, template }: SubjectSources): string {
  return [directSend, flowStep, campaign, template].find((subject) => (subject ?? '').trim() !== '') ?? '';
}

/** What is wrong with the expressions of a subject, as a message for its author; undefined if they can be rendered. */
export function subjectProblem(source: string): string | undefined {
  return parseSource(source, null).tree.errors[0]?.message;
}
