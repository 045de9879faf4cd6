/** The difference between two states of a template, for the version history in the dashboard. */
import { structuredPatch } from 'diff';
import { sameJson } from '../../../kernel/json.js';
import type { TemplateLanguage } from '../../../language/language.js';
import { astPatch, type AstPatch } from './ast-patch.js';
import type { TemplateVersion } from './template-version.js';

export type DiffableState = Pick<
  TemplateVersion,
  'version' | 'name' | 'bodyHtml' | 'bodyAst' | 'templateLanguage'
>;

/** A hunk of a unified diff of the bodies; lines count from 1. */
export interface DiffHunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** The lines, each prefixed with a space, a minus or a plus. */
  readonly text: string;
}

export interface Change<Value> {
  readonly from: Value;
  readonly to: Value;
}

export interface VersionDiff {
  readonly from: number;
  readonly to: number;
  /** Null if the names are equal. */
  readonly name: Change<string> | null;
  /** Null if the languages are equal. */
  readonly templateLanguage: Change<TemplateLanguage | null> | null;
  /** Empty if the bodies are equal. */
  readonly hunks: readonly DiffHunk[];
  readonly astChanged: boolean;
  /** Patch from one document of the visual editor to the other; null if one is missing or too large. */
  readonly astPatch: AstPatch | null;
}

const CONTEXT_LINES = 3;
/** The time of a diff is proportional to lines times edits; beyond this number of steps a body counts as replaced. */
const MAX_DIFF_STEPS = 20_000_000;
const MAX_EDITS = 1_000;

/**
 * The difference between two states.
 * @param hunks those of the bodies; they and `patch`, that of the documents, may come from another thread.
 */
export function versionDiff(
  from: DiffableState,
  to: DiffableState,
  hunks: readonly DiffHunk[] = hunksOf(from.bodyHtml, to.bodyHtml),
  patch: AstPatch | null = astPatch(from.bodyAst, to.bodyAst),
): VersionDiff {
  return {
    from: from.version,
    to: to.version,
    name: changeOf(from.name, to.name),
    templateLanguage: changeOf(from.templateLanguage, to.templateLanguage),
    hunks,
    astChanged: !sameJson(from.bodyAst, to.bodyAst),
    astPatch: patch,
  };
}

function changeOf<Value>(from: Value, to: Value): Change<Value> | null {
  return from === to ? null : { from, to };
}

/** The hunks of the bodies' diff; expensive for large bodies. */
export function hunksOf(from: string, to: string): readonly DiffHunk[] {
  if (from === to) return [];
  const [old, newLines] = [linesOf(from), linesOf(to)];
  const steps = Math.floor(MAX_DIFF_STEPS / (old.length + newLines.length));
  const patch = structuredPatch('', '', from, to, undefined, undefined, {
    context: CONTEXT_LINES,
    maxEditLength: Math.min(MAX_EDITS, steps),
  });
  if (patch) return patch.hunks.map(({ lines, ...range }) => ({ ...range, text: lines.join('\n') }));
  return [
    {
      oldStart: 1,
      oldLines: old.length,
      newStart: 1,
      newLines: newLines.length,
      text: [...old.map((line) => `-${line}`), ...newLines.map((line) => `+${line}`)].join('\n'),
    },
  ];
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
