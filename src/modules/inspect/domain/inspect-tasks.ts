/**
 * What is dear about examining, always done on a thread: what a small template comes to, by its loops, is large, and a
 * pattern that proves to be dear ends with its thread.
 */
import type { ThreadTask } from '../../../kernel/thread-task.js';
import { type Content, textOf } from '../../templates/domain/new-template.js';
import type { Analysis } from './analysis/analysis.js';
import { analyse, type AnalysisWork } from './analysis/analysis-work.js';
import type { Preflight } from './preflight/preflight-answer.js';
import { preflight } from './preflight/preflight.js';
import { renderingsOf, type RenderingWork, type Renderings } from './rendering/renderings.js';
import type { SenderFacts } from './checks/sender.js';
import { FIND_SPAM } from './spam/spam-task.js';

interface PreflightWork {
  /** `bodyText` is made from the body where it is not stored. */
  readonly content: Content & { readonly bodyText: string | null };
  readonly sender: SenderFacts;
  readonly allowedHosts: readonly string[];
}

export const PREFLIGHT: ThreadTask<PreflightWork, Preflight> = {
  name: 'inspect.preflight',
  apart: true,
  run: ({ content, ...facts }) =>
    preflight({ content: { ...content, bodyText: content.bodyText ?? textOf(content) }, ...facts }),
};

export const ANALYSE: ThreadTask<AnalysisWork, Analysis> = {
  name: 'inspect.analyse',
  apart: true,
  run: analyse,
};

export const RENDER: ThreadTask<RenderingWork, Renderings> = {
  name: 'inspect.render',
  apart: true,
  run: renderingsOf,
};

export const INSPECT_TASKS = [PREFLIGHT, ANALYSE, FIND_SPAM, RENDER] as const;
