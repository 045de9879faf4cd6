/** The implementations of the tasks of `inspect-tasks.ts`, which run on threads. */
import type { RemoteTask, ThreadTask } from '../../../kernel/thread-task.js';
import { textOf } from '../../templates/domain/new-template.js';
import { analyse } from './analysis/analysis-work.js';
import { ANALYSE, FIND_SPAM, PREFLIGHT, RENDER } from './inspect-tasks.js';
import { preflight } from './preflight/preflight.js';
import { renderingsOf } from './rendering/renderings.js';
import { findSpam } from './spam/spam-work.js';

function doneBy<Input, Output>(
  task: RemoteTask<Input, Output>,
  run: (input: Input) => Output,
): ThreadTask<Input, Output> {
  return { ...task, run };
}

export const INSPECT_WORK = [
  doneBy(PREFLIGHT, ({ content, ...facts }) =>
    preflight({ content: { ...content, bodyText: content.bodyText ?? textOf(content) }, ...facts }),
  ),
  doneBy(ANALYSE, analyse),
  doneBy(FIND_SPAM, findSpam),
  doneBy(RENDER, renderingsOf),
] as const;
