/** Prints NLT's tags of converted conditions and loops. */
import { elseIfTag, forTag, ifTag } from '../nlt/tags.js';
import type { Condition, PipedValue } from '../nlt/tree.js';
import { unsupported } from './unsupported.js';

/** `{if …}` or `{else if …}`. @throws Unfit if it is too long */
export function conditionTag(tag: 'if' | 'else if', condition: Condition): string {
  return requireFit(tag === 'if' ? ifTag(condition) : elseIfTag(condition));
}

/** `{for each …}`. @throws Unfit if it is too long */
export function loopTag(variable: string, list: PipedValue): string {
  return requireFit(forTag(variable, list));
}

function requireFit(tag: string | null): string {
  return tag ?? unsupported('It would become too long.', 'beyond_bounds');
}
