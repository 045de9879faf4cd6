/**
 * Topics of a workspace's promotional mail, from which people choose on its preference page. A topic is never
 * deleted, since choices and mail refer to it by its key; an archived one is not shown to recipients, and cannot be
 * assigned to a template.
 */
import { LANGUAGES, type Language } from './language.js';

export const MAX_TOPICS = 50;
export const MAX_TOPIC_KEY_LENGTH = 64;
export const MAX_TOPIC_NAME_LENGTH = 100;
export const MAX_TOPIC_DESCRIPTION_LENGTH = 300;
/** Lower-case letters and digits, in parts joined by one hyphen or underscore. */
export const TOPIC_KEY = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/;

/** Texts in further languages. */
export type Translations = Readonly<Partial<Record<Language, string>>>;

export interface NewTopic {
  /** Unique in the workspace, and fixed. */
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly names: Translations;
  readonly descriptions: Translations;
  /**
   * The default for contacts that have chosen nothing. Fixed: a later change would send people mail that they did not
   * ask for.
   */
  readonly isSubscribedByDefault: boolean;
}

export interface Topic extends NewTopic {
  readonly isArchived: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What may be changed in a topic; absent members do not change. */
export type TopicChanges = Partial<
  Pick<Topic, 'name' | 'description' | 'names' | 'descriptions' | 'isArchived'>
>;

/** The name and description of a topic in a language. */
export function localizedTopic(
  {
    name,
    description,
    names,
    descriptions,
  }: Pick<NewTopic, 'name' | 'description' | 'names' | 'descriptions'>,
  language: Language,
): { readonly name: string; readonly description: string } {
  return { name: names[language] ?? name, description: descriptions[language] ?? description };
}

/** The error in texts in further languages; undefined if they are valid. @param maxLength in characters. */
export function translationsProblem(value: object, maxLength: number): string | undefined {
  for (const [language, text] of Object.entries(value) as [string, unknown][]) {
    if (!(LANGUAGES as readonly string[]).includes(language))
      return `must be an object by language: ${LANGUAGES.join(', ')}`;
    if (typeof text !== 'string' || text.trim() === '' || text.length > maxLength || text.includes('\0'))
      return `must contain strings of 1 to ${maxLength} characters`;
  }
  return undefined;
}
