/**
 * Extracts the part of a template that one rendering has shown (section 4.7: runs with a contact). Branches not taken
 * and loops without items are left out, so that no finding is about content that the contact never receives.
 */
import type { ParsedSource, TemplateNode } from '../../../../language/language.js';
import { blankExpressions, CONTROL_FLOW_MARK, VALUE_MARK } from '../email/blanked-source.js';
import type { SourcePiece } from './analysis.js';

/** A source of which a part was rendered. */
export interface RenderedPart {
  /** Offsets refer to the whole source. */
  readonly reading: ParsedSource;
  /** The source, with blanks for the parts that were not rendered and for the expressions that decide about them. */
  readonly source: string;
}

/** @param pieces the rendered pieces of the same source. */
export function renderedPart(
  source: string,
  reading: ParsedSource,
  pieces: readonly SourcePiece[],
): RenderedPart {
  const offsets = new Set(pieces.map((piece) => piece.source));
  const nodes = shownNodes(reading.tree.nodes, offsets);
  const blanked = blankExpressions(source, nodes);
  const isShown = (offset: number): boolean => blanked[offset] !== CONTROL_FLOW_MARK;
  return {
    reading: {
      tree: { ...reading.tree, nodes },
      warnings: reading.warnings.filter(({ offset }) => isShown(offset)),
    },
    source: withValues(source, blanked),
  };
}

/** @param offsets offsets of the rendered pieces. */
function shownNodes(nodes: readonly TemplateNode[], offsets: ReadonlySet<number>): TemplateNode[] {
  return nodes.flatMap((node): TemplateNode[] => {
    switch (node.kind) {
      case 'text':
      case 'output':
        return [node];
      case 'for':
        return isShown(node.body, offsets) ? [{ ...node, body: shownNodes(node.body, offsets) }] : [];
      case 'if': {
        const otherwise = node.otherwise ?? [];
        const branches = node.branches
          .filter(({ body }) => isShown(body, offsets))
          .map((branch) => ({ ...branch, body: shownNodes(branch.body, offsets) }));
        const rest = isShown(otherwise, offsets) ? shownNodes(otherwise, offsets) : null;
        const [only] = branches;
        if (only === undefined) return rest ?? [];
        return branches.length === 1 && rest === null
          ? [...only.body]
          : [{ ...node, branches, otherwise: rest }];
      }
    }
  });
}

function isShown(nodes: readonly TemplateNode[], offsets: ReadonlySet<number>): boolean {
  return nodes.some((node) => {
    switch (node.kind) {
      case 'text':
        return offsetsOf(node).some((offset) => offsets.has(offset));
      case 'output':
        return offsets.has(node.position.offset);
      case 'for':
        return isShown(node.body, offsets);
      case 'if':
        return [...node.branches.map(({ body }) => body), node.otherwise ?? []].some((body) =>
          isShown(body, offsets),
        );
    }
  });
}

function offsetsOf({ position, origins }: Extract<TemplateNode, { kind: 'text' }>): readonly number[] {
  return origins?.map(({ source }) => source) ?? [position.offset];
}

function withValues(source: string, blanked: string): string {
  const parts: string[] = [];
  let done = 0;
  for (const { 0: values, index } of blanked.matchAll(new RegExp(`${VALUE_MARK}+`, 'g'))) {
    parts.push(blanked.slice(done, index), source.slice(index, index + values.length));
    done = index + values.length;
  }
  parts.push(blanked.slice(done));
  return parts.join('').replaceAll(CONTROL_FLOW_MARK, ' ');
}
