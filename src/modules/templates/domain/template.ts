/** What a template is, section 2.7: the content of an email, and what validation found in it. */
import type { JsonObject } from '../../../kernel/json.js';
import type { TemplateFinding, TemplateLanguage, ValidationStatus } from '../../../language/language.js';

export interface Template {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly subject: string | null;
  readonly bodyHtml: string;
  readonly bodyText: string;
  readonly bodyAst: JsonObject | null;
  readonly templateLanguage: TemplateLanguage | null;
  /** The key of the topic that its promotional mail is of; null where it is of none. */
  readonly topic: string | null;
  readonly isActive: boolean;
  readonly version: number;
  readonly validationStatus: ValidationStatus;
  readonly validationErrors: readonly TemplateFinding[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What the document of a visual editor says of itself. */
export interface DocumentFacts {
  readonly schemaVersion: number | null;
  readonly renderer: string | null;
}

/** Reads `schema_version`, a whole number, and `renderer`, a text, of a document; null for each that it has not. */
export function documentFacts(bodyAst: JsonObject | null): DocumentFacts {
  const { schema_version: version, renderer } = bodyAst ?? {};
  return {
    schemaVersion: typeof version === 'number' && Number.isInteger(version) ? version : null,
    renderer: typeof renderer === 'string' ? renderer : null,
  };
}

/** What a caller says of a new template; what is absent has its default. */
export interface NewTemplate {
  readonly name: string;
  readonly slug: string;
  readonly bodyHtml: string;
  readonly subject?: string | null | undefined;
  readonly bodyAst?: JsonObject | null | undefined;
  readonly templateLanguage?: TemplateLanguage | null | undefined;
  readonly isActive?: boolean | undefined;
}

/** What a caller says of a template that exists: what is absent keeps its value, a null clears it. */
export type TemplateUpdate = {
  readonly [Field in Exclude<keyof NewTemplate, 'slug'>]?: NewTemplate[Field] | undefined;
};

/** A template without its bodies, for lists. */
export type TemplateSummary = Omit<Template, 'bodyHtml' | 'bodyText' | 'bodyAst'>;

/** What a summary leaves out. */
export type TemplateContents = Pick<Template, 'id' | 'bodyHtml' | 'bodyText' | 'bodyAst'>;
