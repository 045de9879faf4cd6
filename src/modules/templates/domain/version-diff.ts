/** What differs between two states of a template, for the version history of the dashboard. */
import { structuredPatch } from 'diff';
import { sameJson } from '../../../kernel/json.js';
import type { TemplateLanguage } from '../../../language/language.js';
import { astPatch, type AstPatch } from './ast-patch.js';
import type { TemplateVersion } from './template-version.js';

export type DiffableState = Pick<
  TemplateVersion,
  'version' | 'name' | 'bodyHtml' | 'bodyAst' | 'templateLanguage'
>;

/** A place where bodies differ, as in a unified diff; lines count from 1. */
export interface DiffHunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** Each line with a space, a minus or a plus before it. */
  readonly text: string;
}

export interface Change<Value> {
  readonly from: Value;
  readonly to: Value;
}

export interface VersionDiff {
  readonly from: number;
  readonly to: number;
  /** Null where the names are the same. */
  readonly name: Change<string> | null;
  /** Null where the languages are the same. */
  readonly templateLanguage: Change<TemplateLanguage | null> | null;
  /** Empty where the bodies are the same. */
  readonly hunks: readonly DiffHunk[];
  readonly astChanged: boolean;
  /** Leads from one document of the visual editor to the other; null where one is missing or too large. */
  readonly astPatch: AstPatch | null;
}

const CONTEXT = 3;
/** The time of a diff goes by the lines times the edits; beyond this many steps a body counts as replaced. */
const MOST_STEPS = 20_000_000;
const MOST_EDITS = 1_000;

/**
 * The difference that leads from one state to the other.
 * @param hunks those of the bodies, and `patch` that of the documents, which may have been made elsewhere.
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

/** The places where bodies differ; dear when they are large. */
export function hunksOf(from: string, to: string): readonly DiffHunk[] {
  if (from === to) return [];
  const [old, fresh] = [linesOf(from), linesOf(to)];
  const steps = Math.floor(MOST_STEPS / (old.length + fresh.length));
  const patch = structuredPatch('', '', from, to, undefined, undefined, {
    context: CONTEXT,
    maxEditLength: Math.min(MOST_EDITS, steps),
  });
  if (patch) return patch.hunks.map(({ lines, ...place }) => ({ ...place, text: lines.join('\n') }));
  return [
    {
      oldStart: 1,
      oldLines: old.length,
      newStart: 1,
      newLines: fresh.length,
      text: [...old.map((line) => `-${line}`), ...fresh.map((line) => `+${line}`)].join('\n'),
    },
  ];
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
