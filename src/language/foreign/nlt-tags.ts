/** Tags of NLT's conditions and loops, each by itself. */
import { elseIfTag, forTag, ifTag } from '../jinja/jinja-output.js';
import { Unconvertible } from '../jinja/unconvertible.js';
import type { Condition, PipedValue } from '../nlt/tree.js';
import { unfit } from './unfit.js';

/** `{if …}` or `{else if …}`. @throws Unfit if it is too long */
export function conditionTag(tag: 'if' | 'else if', condition: Condition): string {
  return fitting(() => (tag === 'if' ? ifTag(condition) : elseIfTag(condition)).text);
}

/** `{for each …}`. @throws Unfit if it is too long */
export function loopTag(variable: string, list: PipedValue): string {
  return fitting(() => forTag(variable, list).text);
}

function fitting(print: () => string): string {
  try {
    return print();
  } catch (error) {
    if (error instanceof Unconvertible) return unfit('It would become too long.', 'beyond_bounds');
    throw error;
  }
}
