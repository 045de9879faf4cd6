/**
 * A copy of a template's version from when a bulk send of it began. Later changes to the template, or its deletion,
 * do not affect it.
 */
import type { Template } from './template.js';

export interface FrozenTemplate extends Pick<
  Template,
  'slug' | 'version' | 'subject' | 'bodyHtml' | 'bodyText' | 'templateLanguage'
> {
  readonly id: string;
  readonly templateId: string;
}
