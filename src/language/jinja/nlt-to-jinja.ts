/**
 * Converts an NLT template to Jinja2 with the same meaning (specification section 4.3: convert). An expression without
 * a counterpart in Jinja2 stays unchanged, with a warning that quotes it.
 *
 * Edge cases:
 * - Text that Jinja2 would parse (`{{`, `{%`, `{#`) is put between `raw` tags; Jinja2 among the NLT stays as written.
 * - If a condition or loop cannot be converted, its tags stay and its content is converted. Only NLT knows the loop
 *   variable of such a loop, so expressions that read it stay too.
 * - Jinja2 compares texts case-sensitively, NLT does not; NLT finds names by folding, Jinja2 only exactly.
 */
import { MAX_ERRORS } from '../nlt/limits.js';
import { parseTemplate } from '../nlt/parser.js';
import type { ForNode, IfNode, OutputNode, TemplateError, TemplateNode, TextNode } from '../nlt/tree.js';
import type { Conversion } from './conversion.js';
import { MAX_QUOTE_LENGTH } from './jinja-limits.js';
import { variableFor } from './jinja-names.js';
import { printJinja } from './jinja-printer.js';
import type { JinjaNode } from './jinja-tree.js';
import { PreservedJinja } from './preserved-jinja.js';
import { conditionOf } from './nlt-to-jinja-conditions.js';
import { listOf, type Loops, NoCounterpartError, outputOf } from './nlt-to-jinja-values.js';

/**
 * Converts `source`. A template with errors stays unchanged, with a warning for each of them, since its meaning is
 * unknown. Never throws.
 * @param jinja2 how to treat text that looks like Jinja2: as text, which it stays, or as Jinja2 among the NLT.
 */
export function nltToJinja2(source: string, jinja2: 'text' | 'kept' = 'text'): Conversion {
  const preserved = jinja2 === 'kept' ? new PreservedJinja(source) : null;
  const template = parseTemplate(preserved?.masked ?? source);
  if (template.errors.length > 0)
    return {
      content: source,
      count: 0,
      warnings: template.errors.map((error) => warningOf(error, preserved)),
    };
  const converter = new Converter(source, preserved);
  const content = printJinja(converter.convertNodes(template.nodes, []));
  return { content, count: converter.count, warnings: converter.warnings };
}

function warningOf(
  { message, position, blockText }: TemplateError,
  preserved: PreservedJinja | null,
): string {
  return (
    `“${shortened(preserved?.unmasked(blockText) ?? blockText)}” on line ${position.line} is not valid NLT, so ` +
    `nothing was converted: ${message}`
  );
}

/** An expression as quoted in a warning. */
function shortened(written: string): string {
  return written.length > MAX_QUOTE_LENGTH ? `${written.slice(0, MAX_QUOTE_LENGTH)}…` : written;
}

class Converter {
  count = 0;
  /** At most MAX_ERRORS. */
  readonly warnings: string[] = [];

  constructor(
    private readonly source: string,
    private readonly preserved: PreservedJinja | null,
  ) {}

  convertNodes(nodes: readonly TemplateNode[], loops: Loops): JinjaNode[] {
    return nodes.flatMap((node) => this.convertNode(node, loops));
  }

  private convertNode(node: TemplateNode, loops: Loops): JinjaNode[] {
    switch (node.kind) {
      case 'text':
        return this.convertText(node);
      case 'output':
        return [this.convertOutput(node, loops)];
      case 'if':
        return this.convertIf(node, loops);
      case 'for':
        return this.convertFor(node, loops);
    }
  }

  private convertText({ text, position: { offset } }: TextNode): JinjaNode[] {
    if (this.preserved === null) return protectedText(text);
    return this.preserved
      .partsOf(offset, offset + text.length)
      .flatMap((part) => (part.isJinja ? asWritten(part.text) : protectedText(part.text)));
  }

  private convertOutput(node: OutputNode, loops: Loops): JinjaNode {
    const written = this.sourceOf(node);
    const value = this.attempt(written, () => outputOf(node.value, this.loopsInScope(node, loops)));
    if (value === null) return { kind: 'text', text: written };
    this.count++;
    return { kind: 'output', value };
  }

  private convertIf(node: IfNode, loops: Loops): JinjaNode[] {
    const branches = node.branches.map((branch) => {
      const head = this.sourceOf(branch);
      const condition = this.attempt(head, () =>
        conditionOf(branch.condition, this.loopsInScope(branch, loops)),
      );
      return { head, condition, body: this.convertNodes(branch.body, loops) };
    });
    const otherwise = node.otherwise && this.convertNodes(node.otherwise, loops);
    const converted = branches.flatMap(({ condition, body }) => (condition ? [{ condition, body }] : []));
    if (converted.length === branches.length) {
      this.count += branches.length + (otherwise ? 1 : 0) + 1;
      return [{ kind: 'if', branches: converted, otherwise }];
    }
    return [
      ...branches.flatMap(({ head, body }) => [...asWritten(head), ...body]),
      ...(otherwise ? [...asWritten('{else}'), ...otherwise] : []),
      ...asWritten('{end if}'),
    ];
  }

  private convertFor(node: ForNode, loops: Loops): JinjaNode[] {
    const head = this.sourceOf(node);
    const loopsInScope = this.loopsInScope(node, loops);
    const list = this.attempt(head, () => listOf(node.list, loopsInScope));
    const usedNames = loopsInScope.flatMap((loop) => loop.variable ?? []);
    const variable = list && variableFor(node.variable, usedNames, this.preserved?.names);
    const body = this.convertNodes(node.body, [...loopsInScope, { name: node.variable, variable }]);
    if (list === null || variable === null) return [...asWritten(head), ...body, ...asWritten('{end for}')];
    this.count += 2;
    return [{ kind: 'for', variable, list, body }];
  }

  /** The loops around a position: `loops`, and those of Jinja2 that started after them. */
  private loopsInScope({ position }: Pick<OutputNode, 'position'>, loops: Loops): Loops {
    if (this.preserved === null) return loops;
    return [...loops, ...this.preserved.loopsAt(position.offset).filter((loop) => !loops.includes(loop))];
  }

  /** Converts the expression `written` with `convert`; null, with a warning, if Jinja2 has no counterpart. */
  private attempt<Result>(written: string, convert: () => Result): Result | null {
    try {
      return convert();
    } catch (error) {
      if (!(error instanceof NoCounterpartError)) throw error;
      if (this.warnings.length < MAX_ERRORS)
        this.warnings.push(
          `“${shortened(written)}” was not converted: Jinja2 has no equivalent for ${error.what}.`,
        );
      return null;
    }
  }

  private sourceOf({ position, end }: Pick<OutputNode, 'position' | 'end'>): string {
    return this.source.slice(position.offset, end);
  }
}

function asWritten(text: string): JinjaNode[] {
  return [{ kind: 'text', text }];
}

/** Text, with raw nodes where Jinja2 would see a tag; consecutive braces belong in the same raw node. */
function protectedText(text: string): JinjaNode[] {
  const nodes: JinjaNode[] = [];
  let copiedUntil = 0;
  for (const match of text.matchAll(/\{+[{%#][^{}]*\}*/g)) {
    if (match.index > copiedUntil) nodes.push({ kind: 'text', text: text.slice(copiedUntil, match.index) });
    nodes.push(...rawOf(match[0]));
    copiedUntil = match.index + match[0].length;
  }
  if (copiedUntil < text.length) nodes.push({ kind: 'text', text: text.slice(copiedUntil) });
  return nodes;
}

/** Text that would end a raw node early: its opening mark is output as a value instead, so that it is not a tag. */
function rawOf(text: string): JinjaNode[] {
  const opening = /^\{+[{%#]/.exec(text)?.[0] ?? '';
  if (!/endraw/.test(text)) return [{ kind: 'raw', text }];
  return [
    { kind: 'output', value: { kind: 'text', text: opening } },
    { kind: 'text', text: text.slice(opening.length) },
  ];
}
