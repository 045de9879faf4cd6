/** A snapshot of a template's content, section 2.7. The stored subject is not part of it. */
import type { JsonObject } from '../../../kernel/json.js';
import type { TemplateLanguage } from '../../../language/language.js';
import type { AstPatch } from './ast-patch.js';

export interface TemplateVersion {
  readonly id: string;
  readonly templateId: string;
  /** The template's version that the snapshot preserves; several snapshots may have the same number. */
  readonly version: number;
  readonly name: string;
  readonly changeSummary: string | null;
  readonly bodyHtml: string;
  readonly bodyAst: JsonObject | null;
  readonly templateLanguage: TemplateLanguage | null;
  /** Data that an editor stores with the version; any shape. */
  readonly documentJson: JsonObject | null;
  /** Patch from this AST to the one that replaced it; null if one of them is missing or too large. */
  readonly astPatches: AstPatch | null;
  readonly createdBy: string;
  readonly createdAt: Date;
}

/** A version as lists show it. */
export type ListedVersion = Omit<TemplateVersion, 'bodyHtml'>;

/** A version without its contents, for lists in the dashboard. */
export type VersionSummary = Omit<ListedVersion, 'bodyAst' | 'documentJson' | 'astPatches'>;

/** What a caller specifies for a snapshot made on request. */
export interface VersionNote {
  readonly changeSummary: string | null;
  readonly documentJson: JsonObject | null;
}

/** What a caller specifies about a change. */
export interface ChangeNote {
  /** The version that the caller has read; the change is rejected if another one is current. */
  readonly expectedVersion?: number | undefined;
  readonly changeSummary?: string | null | undefined;
}

const MAX_VERSION = 2_147_483_647;
/** The version number in a path; undefined if the text is not a version number. */
export function versionNumberOf(text: string): number | undefined {
  if (!/^[1-9]\d{0,9}$/.test(text)) return undefined;
  const number = Number(text);
  return number <= MAX_VERSION ? number : undefined;
}
