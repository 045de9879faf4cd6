/**
 * The only way to parse the source of a template into a tree, in any language: rendering, validation and test sends all
 * use it, so that they agree on its meaning. Section 4.3: Jinja2 is converted first.
 *
 * Edge cases:
 * - Jinja2 is replaced by NLT at its position, the result is parsed as NLT, and every position is mapped back, so that
 *   authors see their own source. In text that must stay text (raw texts, Jinja2 that stays as written, everything
 *   outside of Jinja2 in a template pinned to jinja2) a mark replaces the braces while NLT is parsed.
 * - Jinja2 that does not parse is an error; Jinja2 that parses and has no counterpart is a warning and stays as text.
 */
import { mayContainJinja } from '../jinja/jinja-scanner.js';
import { asSentence, quoted } from '../jinja/jinja-to-nlt.js';
import { translate, type Translation } from '../jinja/jinja-translation.js';
import { MappedText } from '../jinja/mapped-text.js';
import { MAX_BLOCK_LENGTH, MAX_ERRORS } from '../nlt/limits.js';
import { parseTemplate } from '../nlt/parser.js';
import { SourceLines } from '../nlt/source-lines.js';
import type { Template as Tree, TemplateError, TemplateNode, TextNode } from '../nlt/tree.js';
import type { TemplateLanguage } from '../template-language.js';

/** Jinja2 that has no counterpart in NLT; it stays as text. `offset` is in the source. */
export interface SourceWarning {
  readonly message: string;
  readonly blockText: string;
  readonly offset: number;
}

export interface ParsedSource {
  /** The tree; its positions and block texts are those of the source. */
  readonly tree: Tree;
  /** In the order of the source; at most MAX_ERRORS. */
  readonly warnings: readonly SourceWarning[];
}

/**
 * Parses a subject or a body; time is linear in its length. Never throws.
 * @param language the template's pin: `nlt` leaves Jinja2 as text, `jinja2` leaves NLT as text, null parses both.
 */
export function parseSource(source: string, language: TemplateLanguage | null): ParsedSource {
  if (isNltOnly(source, language)) return { tree: parseTemplate(source), warnings: [] };
  const translation = translate(source, language);
  const text = textOf(source, translation, language);
  const lines = new SourceLines(source);
  const mapper = new PositionMapper(source, text, lines);
  const converted = parseTemplate(text.content);
  const errors = [
    ...translation.errors.map(({ message, start, end }): TemplateError => {
      const blockText = source.slice(start, Math.min(end, start + MAX_BLOCK_LENGTH));
      return { message, position: lines.positionOf(start), blockText };
    }),
    ...converted.errors.map((error) => mapper.error(error)),
  ];
  errors.sort((a, b) => a.position.offset - b.position.offset);
  const warnings = translation.unconverted.map(({ reason, start, end }): SourceWarning => {
    const message = `This Jinja2 is not converted: ${asSentence(reason)}`;
    return { message, blockText: quoted(source, start, end), offset: start };
  });
  warnings.sort((a, b) => a.offset - b.offset);
  return {
    tree: {
      source,
      nodes: mapper.nodes(converted.nodes),
      errors: errors.slice(0, MAX_ERRORS),
      blockCount: converted.blockCount,
    },
    warnings,
  };
}

/** A brace that HTML displays and that starts no expression. */
const TEXT_BRACE = '&#123;';

/**
 * An HTML body as NLT, for instance to derive its plain-text part: the source itself if it contains no Jinja2. The
 * result parses the same with the pin `nlt` and without one. Text that must stay text has an HTML entity as its brace.
 */
export function toNlt(source: string, language: TemplateLanguage | null): string {
  if (isNltOnly(source, language)) return source;
  const { content, mark } = textOf(source, translate(source, language), language);
  return mark === null ? content : content.replaceAll(mark, TEXT_BRACE);
}

function isNltOnly(source: string, language: TemplateLanguage | null): boolean {
  return language === 'nlt' || (language === null && !mayContainJinja(source));
}

/** The translation as one NLT text that maps its parts to their positions in the source. */
function textOf(source: string, { parts }: Translation, language: TemplateLanguage | null): MappedText {
  const text = new MappedText(source);
  for (const part of parts) {
    const { start, end } = part;
    if (part.kind === 'copy') {
      text.addCopy(start, end, language === 'jinja2' ? 'masked' : 'plain');
    } else if (part.kind === 'kept') {
      // Its first brace prevents unclosed NLT from continuing into it.
      text.addCopy(start, start + 1, 'plain');
      text.addCopy(start + 1, end, 'masked');
    } else {
      for (const piece of part.pieces)
        text.addGenerated(start, end, piece.text, piece.kind === 'text' ? 'masked' : 'plain');
    }
  }
  return text;
}

/** Maps the positions of a converted template back to the source. */
class PositionMapper {
  constructor(
    private readonly source: string,
    private readonly text: MappedText,
    private readonly lines: SourceLines,
  ) {}

  nodes(nodes: readonly TemplateNode[]): TemplateNode[] {
    return nodes.map((node) => this.node(node));
  }

  error({ message, position, blockText }: TemplateError): TemplateError {
    const generated = this.text.generatedRangeAt(position.offset);
    return {
      message,
      position: this.position(position.offset),
      blockText:
        generated === null
          ? this.text.unmasked(blockText)
          : this.source.slice(generated.start, generated.end),
    };
  }

  private node(node: TemplateNode): TemplateNode {
    const sourcePosition = this.position(node.position.offset);
    switch (node.kind) {
      case 'text':
        return {
          ...node,
          text: this.text.unmasked(node.text),
          position: sourcePosition,
          ...this.originsOf(node),
        };
      case 'output':
        return { ...node, position: sourcePosition, end: this.text.sourceEnd(node.end) };
      case 'for':
        return {
          ...node,
          body: this.nodes(node.body),
          position: sourcePosition,
          end: this.text.sourceEnd(node.end),
        };
      case 'if':
        return {
          ...node,
          branches: node.branches.map((branch) => ({
            ...branch,
            body: this.nodes(branch.body),
            position: this.position(branch.position.offset),
            end: this.text.sourceEnd(branch.end),
          })),
          otherwise: node.otherwise && this.nodes(node.otherwise),
          position: sourcePosition,
        };
    }
  }

  private originsOf({ text, position }: TextNode): Pick<TextNode, 'origins'> {
    const origins = this.text.originsOf(position.offset, text.length);
    return origins.length === 1 && origins[0]?.isExact === true ? {} : { origins };
  }

  private position(offset: number): TemplateNode['position'] {
    return this.lines.positionOf(this.text.sourceOffset(offset));
  }
}
