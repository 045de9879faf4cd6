/** The implementations of the tasks of `inspect-tasks.ts`, which run on threads. */
import type { RemoteTask, ThreadTask } from '../../../kernel/thread-task.js';
import { textOf } from '../../templates/domain/new-template.js';
import { analyse } from './analysis/analyse.js';
import { ANALYSE, FIND_SPAM, PREFLIGHT, RENDER } from './inspect-tasks.js';
import { preflight } from './preflight/preflight.js';
import { renderingsOf } from './rendering/renderings.js';
import { findSpam } from './spam/find-spam.js';

function implement<Input, Output>(
  task: RemoteTask<Input, Output>,
  run: (input: Input) => Output,
): ThreadTask<Input, Output> {
  return { ...task, run };
}

export const INSPECT_THREAD_TASKS = [
  implement(PREFLIGHT, ({ content, ...inputs }) =>
    preflight({ content: { ...content, bodyText: content.bodyText ?? textOf(content) }, ...inputs }),
  ),
  implement(ANALYSE, analyse),
  implement(FIND_SPAM, findSpam),
  implement(RENDER, renderingsOf),
] as const;
