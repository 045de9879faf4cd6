/**
 * The results of a template change that may be expensive: the data derived from its content, and the patch between its
 * documents. Small ones are computed in place. Others are prepared on a thread while no transaction is open, and looked
 * up by the transaction that makes the change.
 */
import { sameJson } from '../../../kernel/json.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { isSmall, type Threads } from '../../../platform/threads/threads.js';
import { type AstPatch, astPatch, isPatchable } from '../domain/ast-patch.js';
import { type Content, type DerivedContent, deriveContent } from '../domain/new-template.js';
import { AST_PATCH, DERIVE } from '../domain/template-tasks.js';
import type { Template } from '../domain/template.js';
import { changedContent, sameContent } from '../domain/update-template.js';

type Document = NonNullable<Template['bodyAst']>;

/** A template before and after a change, whose data are not derived yet. */
export interface DraftChange {
  readonly before: Template;
  readonly after: Template;
}

export interface ChangeResults {
  /** Null if the content is the same. */
  readonly derived: DerivedContent | null;
  readonly patch: AstPatch | null;
}

export class PreparedChange {
  private content: { readonly of: Content; readonly derived: DerivedContent } | undefined;
  private documents:
    { readonly from: Document; readonly to: Document; readonly patch: AstPatch | null } | undefined;

  constructor(
    private readonly threads: Threads,
    private readonly scope: WorkspaceScope,
  ) {}

  /** The results for a change; undefined if some have to be prepared first. */
  resultsOf(change: DraftChange): ChangeResults | undefined {
    if (this.missingContent(change) || this.missingDocuments(change)) return undefined;
    return { derived: this.derivedOf(change), patch: this.patchOf(change) };
  }

  /**
   * Computes the missing results for a change.
   * @throws DomainError as Threads.run.
   */
  async prepare(change: DraftChange): Promise<void> {
    const { workspaceId } = this.scope;
    const content = this.missingContent(change);
    if (content)
      this.content = { of: content, derived: await this.threads.onThread(workspaceId, DERIVE, content) };
    const documents = this.missingDocuments(change);
    if (documents)
      this.documents = {
        ...documents,
        patch: await this.threads.onThread(workspaceId, AST_PATCH, documents),
      };
  }

  private missingContent({ before, after }: DraftChange): Content | undefined {
    const content = changedContent(before, after);
    if (!content || isSmall(content)) return undefined;
    return this.content && sameContent(this.content.of, content) ? undefined : content;
  }

  private missingDocuments({
    before: { bodyAst: from },
    after: { bodyAst: to },
  }: DraftChange): { readonly from: Document; readonly to: Document } | undefined {
    if (!from || !to || from === to || !isPatchable(from, to) || isSmall({ from, to })) return undefined;
    const known = this.documents;
    return known && sameJson(known.from, from) && sameJson(known.to, to) ? undefined : { from, to };
  }

  private derivedOf({ before, after }: DraftChange): DerivedContent | null {
    const content = changedContent(before, after);
    if (!content) return null;
    return this.content && sameContent(this.content.of, content)
      ? this.content.derived
      : deriveContent(content);
  }

  private patchOf({ before: { bodyAst: from }, after: { bodyAst: to } }: DraftChange): AstPatch | null {
    const known = this.documents;
    return known && from && to && from !== to && sameJson(known.from, from) && sameJson(known.to, to)
      ? known.patch
      : astPatch(from, to);
  }
}
