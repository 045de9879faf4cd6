/** The record of a template, section 2.7: the content of an email, and its validation findings. */
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
  /** The topic key of its promotional mail; null if it has no topic. */
  readonly topic: string | null;
  readonly isActive: boolean;
  readonly version: number;
  readonly validationStatus: ValidationStatus;
  readonly validationErrors: readonly TemplateFinding[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Metadata in the document of a visual editor. */
export interface DocumentMetadata {
  readonly schemaVersion: number | null;
  readonly renderer: string | null;
}

/** Reads `schema_version`, an integer, and `renderer`, a string, from a document; null for each that is missing. */
export function documentMetadata(bodyAst: JsonObject | null): DocumentMetadata {
  const { schema_version: version, renderer } = bodyAst ?? {};
  return {
    schemaVersion: typeof version === 'number' && Number.isInteger(version) ? version : null,
    renderer: typeof renderer === 'string' ? renderer : null,
  };
}

/** Input for a new template; absent members have defaults. */
export interface NewTemplate {
  readonly name: string;
  readonly slug: string;
  readonly bodyHtml: string;
  readonly subject?: string | null | undefined;
  readonly bodyAst?: JsonObject | null | undefined;
  readonly templateLanguage?: TemplateLanguage | null | undefined;
  readonly isActive?: boolean | undefined;
}

/** Input for an update: absent members do not change, null clears a member. */
export type TemplateUpdate = {
  readonly [Field in Exclude<keyof NewTemplate, 'slug'>]?: NewTemplate[Field] | undefined;
};

/** A template without its bodies, for lists. */
export type TemplateSummary = Omit<Template, 'bodyHtml' | 'bodyText' | 'bodyAst'>;

/** The members that a summary omits. */
export type TemplateContents = Pick<Template, 'id' | 'bodyHtml' | 'bodyText' | 'bodyAst'>;

/**
 * A copy of a template's version from when a bulk send of it began. Later changes to the template, or its deletion,
 * do not affect it.
 */
export interface FrozenTemplate extends Pick<
  Template,
  'slug' | 'version' | 'subject' | 'bodyHtml' | 'bodyText' | 'templateLanguage'
> {
  readonly id: string;
  readonly templateId: string;
}
