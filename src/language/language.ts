/**
 * The public entry point of the language: all code outside of this folder imports from here, and everything not
 * exported here may change without notice. Nothing in it uses the clock, the environment, files or the network; it runs
 * in any thread. Each function documents its guarantees, and README.md shows examples. Sections 2.7 and 4.3.
 */

/** Parses a source, in NLT or Jinja2, into a tree. Never throws: errors are in the tree. */
export { parseSource, toNlt, type ParsedSource, type SourceWarning } from './reading/source-parser.js';
export { TEMPLATE_LANGUAGES, type TemplateLanguage } from './template-language.js';
export { parseTemplate } from './nlt/parser.js';
export { SourceLines } from './nlt/source-lines.js';
export type { Template, TemplateNode } from './nlt/tree.js';

/** Reports findings about a source to its author. */
export {
  findingsIn,
  findProblems,
  hasErrors,
  statusOf,
  type TemplateFinding,
  type TemplateSources,
  VALIDATION_STATUSES,
  type ValidationStatus,
} from './reading/template-findings.js';
export { findPlaceholders, containsPlaceholder } from './reading/placeholders.js';
export { foldName, type NameKey } from './nlt/name-lookup.js';
export { eventKeysOf } from './nlt/template-walk.js';
export {
  EACH_ITEM,
  type NameRead,
  type NameSense,
  readsOf,
  type TemplateReads,
} from './nlt/template-reads.js';

/** Renders a tree to a text, for any number of recipients. */
export {
  compileTemplate,
  type CompiledTemplate,
  renderTraced,
  type RenderTarget,
  type TracedResult,
} from './nlt/compiler.js';
export type { RenderedPiece } from './nlt/render-trace.js';
export { MAX_INLINE_WORK } from './nlt/limits.js';
export type { RenderContext, RenderResult } from './nlt/render-context.js';

/** Derives the plain text of an HTML body, still a template. */
export { deriveText } from './plain-text/derive-text.js';

/** Converts between the two languages, and detects the language of a source. */
export {
  convert,
  DETECTED_LANGUAGES,
  detectLanguage,
  DIRECTIONS,
  type DetectedLanguage,
  type Detection,
  type DirectedConversion,
  type Direction,
} from './jinja/convert.js';
export { jinja2ToNlt } from './jinja/jinja-to-nlt.js';
export { nltToJinja2 } from './jinja/nlt-to-jinja.js';

/** Converts the template languages of other platforms to NLT. */
export { convertForeign, type ForeignConversion, type ForeignTemplate } from './foreign/convert-foreign.js';
export {
  FOREIGN_FIELDS,
  FOREIGN_SOURCES,
  FOREIGN_WARNING_CODES,
  type ForeignField,
  type ForeignSource,
  type ForeignWarning,
  type ForeignWarningCode,
} from './foreign/foreign-source.js';
