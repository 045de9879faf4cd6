/**
 * The public entry of the language: everything outside of this folder imports it from here, and what is not named
 * here may change without notice. Nothing of it reads the time, the environment, a file or a network; it runs in any
 * thread. What each function promises is told beside it, and README.md shows them at work. Sections 2.7 and 4.3.
 */

/** From a source, in NLT or Jinja2, to a tree. Never throws: what is wrong stands in the tree. */
export { readSource, toNlt, type SourceReading, type SourceWarning } from './reading/source-reading.js';
export { TEMPLATE_LANGUAGES, type TemplateLanguage } from './template-language.js';
export { parseTemplate } from './nlt/parser.js';
export { SourceLines } from './nlt/source-lines.js';
export type { Template, TemplateNode } from './nlt/tree.js';

/** What an author is told of a source. */
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
export { findPlaceholders, holdsPlaceholder } from './reading/placeholders.js';
export { foldName, type NameKey } from './nlt/name-lookup.js';
export { eventKeysOf } from './nlt/template-walk.js';
export { EACH_ITEM, type NameRead, type NameSense, readsOf, type TemplateReads } from './nlt/names-read.js';

/** From a tree to a text, as often as there are recipients. */
export {
  compileTemplate,
  type CompiledTemplate,
  renderTraced,
  type RenderTarget,
  type TracedResult,
} from './nlt/compiler.js';
export type { RenderedPiece } from './nlt/render-trace.js';
export { FIRST_WORK } from './nlt/limits.js';
export type { RenderContext, RenderResult } from './nlt/render-context.js';

/** From an HTML body to the plain text beside it, still a template. */
export { deriveText } from './plain-text/derive-text.js';

/** From one language to the other, and which one a source is written in. */
export { convert, DIRECTIONS, type DirectedConversion, type Direction } from './jinja/convert.js';
export { DETECTED_LANGUAGES, detectLanguage, type DetectedLanguage, type Detection } from './jinja/detect.js';
export { jinja2ToNlt } from './jinja/jinja-to-nlt.js';
export { nltToJinja2 } from './jinja/nlt-to-jinja.js';

/** From the template languages of other platforms to NLT. */
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
